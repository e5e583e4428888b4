/** Payment notices from outside: the kind of their provider reads and proves them, the ledger takes them. */
import { AppError } from "../../../kit/errors.ts";
import { toStorableText } from "../../../kit/text/foreign-text.ts";
import { type RateLimit, addressKey } from "../../../kit/limits/rate-limit.ts";
import type { ShopDeps } from "../../base/deps.ts";
import { findProvider, readSite } from "../../site/settings.ts";
import { type NoticeOutcome, findOrder, takeNotice } from "../notices.ts";
import { WrongProof } from "../notice-proof.ts";
import { findKind } from "../providers/kinds.ts";
import {
  type NoticeAnswer,
  type NoticeReading,
  type NoticeRequest,
  type ProviderNotice,
  type ProviderTools,
  ProviderFault,
} from "../providers/provider.ts";
import { askService, findByReference, takeAsked, toArrived } from "./asked.ts";
import { type OpenProvider, kindNameOf, openProvider } from "./open-provider.ts";
import { notices as noticeRecords } from "../records.ts";
import { wakeRemote } from "../../subscriptions/settle.ts";
import { findSession, wakeSession } from "./sessions.ts";
import { createTools, toFault } from "./tools.ts";

export interface ReceivedNotice extends NoticeRequest {
  /** The provider's slug. */
  readonly provider: string;
  /** The network address that it came from; absent for one of the shop itself. */
  readonly address?: string;
}

/** The outcome of everything in one request. */
export interface Received extends NoticeOutcome {
  /** The response that the provider expects; absent: the outcome. */
  readonly answer?: NoticeAnswer;
}

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl" | "paymentOutbound">;

/** Wrong proofs for one provider from one address, after which more of them have to wait. */
const FAILURES = 20;
const FAILURE_WINDOW_MS = 15 * 60_000;

type Taking = Pick<NoticeReading, "notices" | "verified"> & {
  readonly raw: string;
  readonly unconfirmed?: string;
};

/** Whether two say the same of the same payment. */
function isSamePayment(a: ProviderNotice, b: ProviderNotice): boolean {
  return (["reference", "type", "amount", "currency"] as const).every((field) => a[field] === b[field]);
}

/** Receives the notifications of providers. */
export class Notices {
  readonly #deps: Deps;
  readonly #failures: RateLimit;
  readonly #tools: ProviderTools;

  constructor(deps: Deps & Pick<ShopDeps, "limits">) {
    this.#deps = deps;
    this.#tools = createTools(deps);
    const limit = { limit: FAILURES, windowMs: FAILURE_WINDOW_MS };
    this.#failures = deps.limits.create("webhook-proofs", limit);
  }

  /** The words of the providers that take notices now. */
  async words(): Promise<string[]> {
    const { paymentProviders } = await this.#deps.store.read(readSite);
    return paymentProviders
      .filter((each) => each.enabled && findKind(kindNameOf(each))?.read !== undefined)
      .map(({ word }) => word);
  }

  /**
   * Receives a notification; resolves when its effect, or that it was a duplicate, is durable.
   * @throws AppError `not_found` for an unknown provider, `unauthenticated` without a proof, `invalid`
   *   for a malformed body, `too_many_attempts` instead of `unauthenticated` after many wrong proofs
   */
  async receive(notice: ReceivedNotice): Promise<Received> {
    const { store, box } = this.#deps;
    const { provider: slug, body: raw } = notice;
    const provider = findProvider(await store.read(readSite), slug);
    if (provider === undefined)
      throw new AppError("not_found", `The payment provider "${slug}" is not in the site settings`);
    const open = openProvider(box, provider);
    const reading = await this.#read(open, notice);
    const outcomes =
      reading.mustAsk === true
        ? await this.#takeConfirmed(open, { raw, ...reading })
        : await this.#take(slug, { raw, ...reading });
    const hints = reading.subscriptions ?? [];
    if (hints.length > 0)
      await store.transact((tx) => wakeRemote(tx, hints, { provider: slug, atMs: this.#deps.clock.now() }));
    const outcome = outcomes[0] ?? { result: "ignored", noticeId: "", reason: "Nothing about an order" };
    return reading.answer === undefined ? outcome : { ...outcome, answer: reading.answer };
  }

  /** All that one request said, in one transaction. */
  #take(slug: string, { notices, verified, unconfirmed, ...taking }: Taking): Promise<NoticeOutcome[]> {
    const raw = toStorableText(taking.raw);
    return this.#deps.store.transact(async (tx) => {
      const taken: NoticeOutcome[] = [];
      for (const said of notices) {
        const orderId = said.orderId || (await findByReference(tx, { provider: slug, ...said })) || "";
        const paid = said.of && (await tx.by(noticeRecords, "byReference", [slug, said.of, "payment"]));
        // Of a payment that something else made on the same account.
        if (said.of !== undefined && orderId === "" && !paid) continue;
        const arrived = toArrived(slug, { ...said, orderId: orderId || (paid && paid.orderId) || "" });
        taken.push(await takeNotice(tx, this.#deps, { verified, raw, unconfirmed, ...arrived }));
      }
      return taken;
    });
  }

  /** Only a query counts: there, a signature alone does not verify a payment. */
  async #takeConfirmed(open: OpenProvider, taking: Taking): Promise<NoticeOutcome[]> {
    const outcomes: NoticeOutcome[] = [];
    for (const said of taking.notices) outcomes.push(...(await this.#confirm(open, { ...taking, said })));
    return outcomes;
  }

  async #confirm(open: OpenProvider, { said, ...taking }: Taking & { said: ProviderNotice }) {
    const { store } = this.#deps;
    const provider = open.setup.word;
    const found = await store.read(async (tx) => {
      const order = await findOrder(
        tx,
        said.orderId || (await findByReference(tx, { provider, ...said })) || "",
      );
      return order && { order, session: await findSession(tx, order, provider) };
    });
    const one = { ...taking, notices: [said] };
    // Without an order nothing can be applied, and there is nothing to ask of.
    if (found === undefined) return this.#take(provider, one);
    const asked = await askService(this.#deps, open, { ...found, said: said.state }).catch(toFault);
    if (!(asked instanceof ProviderFault) && asked.kind === "notices") {
      const { order } = found;
      const outcomes = await store.transact((tx) =>
        takeAsked(tx, this.#deps, { provider, order, notices: asked.notices }),
      );
      const isSaid = asked.notices.some((each) => isSamePayment(each, said));
      return isSaid
        ? outcomes
        : this.#take(provider, { ...one, unconfirmed: "The provider reports a different payment" });
    }
    const unconfirmed =
      asked instanceof ProviderFault
        ? `The payment could not be confirmed with the provider: ${asked.message}`
        : "The provider does not know this payment";
    const outcomes = await this.#take(provider, { ...one, unconfirmed });
    // It was confirmed before and is known: once it was given back, no service says that it is paid.
    if (outcomes.every(({ result }) => result === "duplicate")) return outcomes;
    await store.transact((tx) => wakeSession(tx, found, this.#deps.clock.now()));
    throw new AppError(
      "unavailable",
      "The payment notification is stored, but the provider cannot confirm it at the moment",
      {
        retryAfterSeconds: 60,
      },
    );
  }

  /** A right proof is no guess, however many wrong ones came before. */
  async #read({ kind, setup }: OpenProvider, notice: ReceivedNotice): Promise<NoticeReading> {
    if (kind.read === undefined)
      throw new AppError(
        "not_found",
        `The payment provider "${setup.word}" does not accept payment notifications`,
      );
    try {
      return await kind.read(setup, notice, this.#tools);
    } catch (error) {
      if (!(error instanceof WrongProof)) throw error;
      const key = `${setup.word} ${addressKey(notice.address ?? "")}`;
      const { allowed, retryAfterSeconds } = this.#failures.hit(key);
      if (allowed) throw error;
      throw new AppError(
        "too_many_attempts",
        "Too many wrong secrets or signatures from your IP address. Wait, then try again",
        {
          retryAfterSeconds,
        },
      );
    }
  }
}
