/** Checks of VAT IDs at VIES for buyers: limited by address, one request a day for each ID. */
import { type RateLimit, addressKey } from "../../kit/limits/rate-limit.ts";
import { AppError } from "../../kit/errors.ts";
import type { ShopDeps } from "../base/deps.ts";
import type { TaxSettings } from "../site/selling-schema.ts";
import { type ViesAnswer, askVies } from "./vies.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long answers count: a number may be registered at any time, and a country may come back. */
const AGES_MS = { valid: 24 * HOUR_MS, invalid: 10 * MINUTE_MS, away: MINUTE_MS } as const;
/** Answers that are kept. */
const KEPT = 1_000;
/** Numbers that one address may have checked in an hour. */
const CHECKS_AN_HOUR = 30;

/** An answer with its time. */
export type VatVerdict = ViesAnswer & { readonly atMs: number };

type Deps = Pick<ShopDeps, "clock" | "limits" | "paymentOutbound">;

/** A question about a buyer's VAT ID. */
export interface VatQuestion {
  /** Compact. */
  readonly vatId: string;
  /** The seller's own, or "". */
  readonly requester: string;
  /** Who wants to know; absent: the shop itself, which is not limited and gets a fresh answer. */
  readonly clientAddress?: string | undefined;
}

/** Asks VIES. */
export class VatChecks {
  readonly #deps: Deps;
  readonly #limit: RateLimit;
  readonly #answers = new Map<string, Promise<VatVerdict>>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#limit = deps.limits.create("vat-checks", { limit: CHECKS_AN_HOUR, windowMs: HOUR_MS });
  }

  /** @throws AppError `rate_limited` for an address that tries many numbers */
  async check({ clientAddress, ...question }: VatQuestion): Promise<VatVerdict> {
    const key = `${question.requester} ${question.vatId}`;
    const known = clientAddress === undefined ? undefined : await this.#answers.get(key);
    if (known !== undefined && this.#deps.clock.now() - known.atMs < AGES_MS[known.state]) return known;
    if (clientAddress !== undefined) this.#count(clientAddress);
    const asked = askVies(this.#deps.paymentOutbound, question).then((answer): VatVerdict => {
      return { ...answer, atMs: this.#deps.clock.now() };
    });
    this.#answers.delete(key);
    this.#answers.set(key, asked);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= KEPT) break;
      this.#answers.delete(oldest);
    }
    return asked;
  }

  #count(clientAddress: string): void {
    const { allowed, retryAfterSeconds } = this.#limit.hit(addressKey(clientAddress));
    if (allowed) return;
    throw new AppError("rate_limited", "Too many VAT IDs were checked. Try again later", {
      retryAfterSeconds,
    });
  }
}

/** Whether a shop asks VIES. */
export function asksVies({ enabled, smallBusiness, vatIds }: TaxSettings): boolean {
  return enabled && !smallBusiness && vatIds === "vies";
}
