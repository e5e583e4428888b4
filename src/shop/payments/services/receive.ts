/** Payment notices from outside: the kind of their provider reads and proves them, the ledger takes them. */
import { AppError } from "../../../kit/errors.ts";
import { type RateLimit, addressKey } from "../../../kit/limits/rate-limit.ts";
import type { ShopDeps } from "../../deps.ts";
import { findProvider, readSite } from "../../site/settings.ts";
import { type NoticeOutcome, takeNotice } from "../notices.ts";
import { WrongProof } from "../notice-proof.ts";
import type { NoticeAnswer, NoticeReading, NoticeRequest, ProviderNotice } from "../providers/provider.ts";
import { type OpenProvider, openProvider } from "./open-provider.ts";

/** A notice as it came. */
export interface ReceivedNotice extends NoticeRequest {
  /** The provider's slug. */
  readonly provider: string;
  /** The network address that it came from; absent for one of the shop itself. */
  readonly address?: string;
}

/** What became of all that one request said. */
export interface Received extends NoticeOutcome {
  /** What the service wants to hear; absent: the outcome. */
  readonly answer?: NoticeAnswer;
}

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl">;

/** Wrong proofs for one provider from one address, after which more of them have to wait. */
const FAILURES = 20;
const FAILURE_WINDOW_MS = 15 * 60_000;

/** Takes the notices of providers. */
export class Notices {
  readonly #deps: Deps;
  readonly #failures: RateLimit;

  constructor(deps: Deps & Pick<ShopDeps, "limits">) {
    this.#deps = deps;
    const limit = { limit: FAILURES, windowMs: FAILURE_WINDOW_MS };
    this.#failures = deps.limits.create("webhook-proofs", limit);
  }

  /**
   * Takes a notice; resolves when what it did, or that it had been known, is durable.
   * @throws AppError `not_found` for a provider that there is not, `unauthenticated` without a proof, `invalid`
   *   for a malformed body, `too_many_attempts` instead of `unauthenticated` after many wrong proofs
   */
  async receive(notice: ReceivedNotice): Promise<Received> {
    const { store, box } = this.#deps;
    const { provider: slug, body: raw } = notice;
    const provider = findProvider(await store.read(readSite), slug);
    if (provider === undefined)
      throw new AppError("not_found", `There is no payment provider "${slug}" in the settings of the site`);
    const { notices, verified, answer } = await this.#read(openProvider(box, provider), notice);
    const outcomes = await store.transact(async (tx) => {
      const taken: NoticeOutcome[] = [];
      for (const said of notices)
        taken.push(await takeNotice(tx, this.#deps, { ...toArrived(slug, said), verified, raw }));
      return taken;
    });
    const outcome = outcomes[0] ?? { result: "ignored", noticeId: "", reason: "Nothing about an order" };
    return answer === undefined ? outcome : { ...outcome, answer };
  }

  /** A right proof is no guess, however many wrong ones came before. */
  async #read({ kind, setup }: OpenProvider, notice: ReceivedNotice): Promise<NoticeReading> {
    if (kind.read === undefined)
      throw new AppError("not_found", `The payment provider "${setup.word}" takes no notices`);
    const { clock } = this.#deps;
    try {
      return await kind.read(setup, notice, {
        now: () => clock.now(),
        send: () => Promise.reject(new Error()),
      });
    } catch (error) {
      if (!(error instanceof WrongProof)) throw error;
      const key = `${setup.word} ${addressKey(notice.address ?? "")}`;
      const { allowed, retryAfterSeconds } = this.#failures.hit(key);
      if (allowed) throw error;
      throw new AppError("too_many_attempts", "Too many wrong secrets or signatures from your address", {
        retryAfterSeconds,
      });
    }
  }
}

/** What a service says, as the ledger takes it. */
export function toArrived(provider: string, said: ProviderNotice) {
  const { eventId, reference: providerRef, orderId: claimedOrderId, type, amount, currency, paidAt } = said;
  return { provider, eventId, input: { providerRef, claimedOrderId, type, amount, currency, paidAt } };
}
