/** Payment notices as administrators see and settle them. */
import { writeAudit } from "../../records/audit.ts";
import { AppError } from "../../kit/errors.ts";
import { scanMatches } from "../../store/matching-page.ts";
import type { Page, PageOptions, ReadTx, Tx } from "../../store/store.ts";
import type { Actor } from "../users/caller.ts";
import type { ShopDeps } from "../base/deps.ts";
import { applyNotice } from "./notice-rules.ts";
import { withState } from "./notices.ts";
import type { OrderRecord } from "../orders/schema.ts";
import type { NoticeRecord, NoticeState } from "./schema.ts";
import { notices } from "./records.ts";
import { CARD_PROVIDER } from "../orders/card-payments.ts";
import { orders } from "../orders/records.ts";

/** Which notices a list has; at most one of the three. */
export interface NoticeFilter {
  readonly state?: NoticeState | undefined;
  readonly isOpen?: boolean | undefined;
  readonly orderId?: string | undefined;
}

/** The result of a review, or its preview. */
export interface Reviewed {
  readonly notice: NoticeRecord;
  readonly order: OrderRecord | undefined;
}

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl">;

async function getNotice(tx: ReadTx, id: string): Promise<NoticeRecord> {
  const notice = await tx.get(notices, id);
  if (notice === undefined) throw new AppError("not_found", "This payment notification does not exist");
  return notice;
}

function assertOpen(notice: NoticeRecord): void {
  if (notice.open === "yes") return;
  throw new AppError(
    "conflict",
    `The payment notification is ${notice.state}. Only open ones can be resolved`,
  );
}

/** Carries a trial's result out of a transaction that is to leave nothing. */
class TrialOver extends Error {
  readonly reviewed: Reviewed;
  constructor(reviewed: Reviewed) {
    super("The dry run is complete");
    this.reviewed = reviewed;
  }
}

/** The index that leaves the fewest of those that a filter means, and its range. */
function toRange({ state, isOpen = false, orderId }: NoticeFilter): {
  index: keyof typeof notices.ordered;
  prefix: string[];
} {
  if (orderId !== undefined) return { index: "byOrder", prefix: [orderId] };
  if (isOpen) return { index: "byOpen", prefix: ["yes"] };
  if (state !== undefined) return { index: "byState", prefix: [state] };
  return { index: "byReceived", prefix: [] };
}

/** The administrators' logic of payment notices. */
export class PaymentsAdmin {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The newest first; a page may be short and still have a cursor. Throws `bad_cursor`. */
  list({ limit, cursor, ...filter }: NoticeFilter & PageOptions): Promise<Page<NoticeRecord>> {
    const { index, prefix } = toRange(filter);
    const { state, isOpen = false } = filter;
    const isWanted = (notice: NoticeRecord): boolean =>
      (state === undefined || notice.state === state) && (!isOpen || notice.open === "yes");
    return this.#deps.store.read((tx) =>
      scanMatches({
        read: (page) => tx.list(notices, index, { ...page, prefix, reverse: true }),
        isWanted,
        limit,
        cursor,
      }),
    );
  }

  /** Throws `not_found`. */
  get(id: string): Promise<NoticeRecord> {
    return this.#deps.store.read((tx) => getNotice(tx, id));
  }

  /**
   * Assigns an open notification to an order, also after the time for late payments. Throws `not_found`, `conflict`,
   * `out_of_stock`.
   */
  assign(id: string, orderId: string, { actor, note }: { actor: Actor; note: string }): Promise<Reviewed> {
    return this.#deps.store.transact(async (tx) => {
      const notice = await getNotice(tx, id);
      assertOpen(notice);
      const reviewed = await this.#review(tx, notice, { orderId, isForced: true });
      if (reviewed.order === undefined) throw new AppError("not_found", "There is no such order");
      if (reviewed.notice.state !== "applied") throw new AppError("conflict", reviewed.notice.reason);
      const changes = [`order: ${orderId}`, ...(note === "" ? [] : [note])];
      await writeAudit(tx, { actor, action: "payment.assign", target: id, changes }, this.#deps.clock);
      return reviewed;
    });
  }

  /** Nothing is to be done about an open notice. Throws `not_found`, `conflict`. */
  dismiss(id: string, { actor, note }: { actor: Actor; note: string }): Promise<NoticeRecord> {
    return this.#deps.store.transact(async (tx) => {
      const notice = await getNotice(tx, id);
      assertOpen(notice);
      const entry = { actor, action: "payment.dismiss", target: id, changes: [note] };
      await writeAudit(tx, entry, this.#deps.clock);
      return tx.put(notices, withState(notice, { state: "dismissed", reason: note }));
    });
  }

  /** Applies the rules again to a notice that is not applied; with `isTrial` nothing stays changed. Throws `not_found`, `conflict`. */
  async replay(id: string, { actor, isTrial }: { actor: Actor; isTrial: boolean }): Promise<Reviewed> {
    try {
      return await this.#deps.store.transact(async (tx) => {
        const notice = await getNotice(tx, id);
        if (notice.state === "applied")
          throw new AppError(
            "conflict",
            "The payment notification is already applied. Applying it again would count the payment twice",
          );
        if (notice.provider === CARD_PROVIDER)
          throw new AppError(
            "conflict",
            "The order was not paid, and the gift card has the amount again. Gift cards pay at checkout only",
          );
        if (notice.unconfirmed !== undefined)
          throw new AppError(
            "conflict",
            "The payment provider has not confirmed the notification. The shop asks again automatically; you can also assign it to the order",
          );
        const orderId = notice.orderId ?? notice.claimedOrderId;
        const reviewed = await this.#review(tx, notice, { orderId, isForced: false });
        if (isTrial) throw new TrialOver(reviewed);
        const changes = [`state: ${reviewed.notice.state}`];
        await writeAudit(tx, { actor, action: "payment.replay", target: id, changes }, this.#deps.clock);
        return reviewed;
      });
    } catch (error) {
      if (error instanceof TrialOver) return error.reviewed;
      throw error;
    }
  }

  /** Applies the rules to a kept notice, for an order. */
  async #review(
    tx: Tx,
    notice: NoticeRecord,
    { orderId, isForced }: { orderId: string; isForced: boolean },
  ): Promise<Reviewed> {
    const order = await tx.get(orders, orderId);
    if (order === undefined) return { notice, order };
    const nowMs = this.#deps.clock.now();
    const verdict = await applyNotice(tx, this.#deps, { order, notice, isForced, nowMs });
    return {
      notice: await tx.put(notices, withState({ ...notice, orderId, unconfirmed: undefined }, verdict)),
      order: await tx.get(orders, orderId),
    };
  }
}
