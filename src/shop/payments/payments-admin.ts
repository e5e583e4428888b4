/** Payment notices as administrators see and settle them. */
import { writeAudit } from "../../records/audit.ts";
import { AppError } from "../../kit/errors.ts";
import type { Page, Tx } from "../../store/store.ts";
import type { Actor } from "../users/caller.ts";
import type { ShopDeps } from "../deps.ts";
import { applyNotice } from "./notice-rules.ts";
import { withState } from "./notices.ts";
import type { NoticeRecord, NoticeState, OrderRecord } from "../orders/schema.ts";
import { notices, orders } from "../records.ts";

/** Which notices a list has; at most one of the three. */
export interface NoticeFilter {
  readonly state?: NoticeState | undefined;
  readonly isOpen?: boolean | undefined;
  readonly orderId?: string | undefined;
}

/** What looking again at a notice did, or would do. */
export interface Reviewed {
  readonly notice: NoticeRecord;
  readonly order: OrderRecord | undefined;
}

export interface PaymentsAdmin {
  /** The newest first, with their number. Throws `bad_cursor`. */
  list(
    filter: NoticeFilter,
    options: { limit: number; cursor?: string },
  ): Promise<Page<NoticeRecord> & { readonly total: number }>;
  /** Throws `not_found`. */
  get(id: string): Promise<NoticeRecord>;
  /** Gives an open notice to an order, also after the time for late payments. Throws `not_found`, `conflict`, `out_of_stock`. */
  assign(id: string, orderId: string, by: { actor: Actor; note: string }): Promise<Reviewed>;
  /** Nothing is to be done about an open notice. Throws `not_found`, `conflict`. */
  dismiss(id: string, by: { actor: Actor; note: string }): Promise<NoticeRecord>;
  /** Applies the rules again to a notice that is not applied; with `isTrial` nothing stays changed. Throws `not_found`, `conflict`. */
  replay(id: string, by: { actor: Actor; isTrial: boolean }): Promise<Reviewed>;
}

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl">;

async function getNotice(tx: Tx, id: string): Promise<NoticeRecord> {
  const notice = await tx.get(notices, id);
  if (notice === undefined) throw new AppError("not_found", "There is no such payment notice");
  return notice;
}

function assertOpen(notice: NoticeRecord): void {
  if (notice.open === "yes") return;
  throw new AppError("conflict", `The notice is ${notice.state}; only open ones can be decided about`);
}

/** Looks again at a notice, for an order. */
async function settleNotice(
  tx: Tx,
  deps: Deps,
  one: { notice: NoticeRecord; orderId: string; isForced: boolean },
): Promise<Reviewed> {
  const { notice, orderId, isForced } = one;
  const order = await tx.get(orders, orderId);
  const { open: _open, ...closed } = notice;
  if (order === undefined) return { notice, order: undefined };
  const nowMs = deps.clock.now();
  const verdict = await applyNotice(tx, deps, { order, notice, isForced, nowMs });
  const settled = { ...withState({ ...closed, orderId }, verdict), version: notice.version };
  return { notice: await tx.put(notices, settled), order: await tx.get(orders, orderId) };
}

/** Carries a trial's result out of a transaction that is to leave nothing. */
class TrialOver extends Error {
  readonly reviewed: Reviewed;
  constructor(reviewed: Reviewed) {
    super("The trial is over");
    this.reviewed = reviewed;
  }
}

function createReplay(deps: Deps): PaymentsAdmin["replay"] {
  const { store, clock } = deps;
  return async (id, { actor, isTrial }) => {
    try {
      return await store.transact(async (tx) => {
        const notice = await getNotice(tx, id);
        if (notice.state === "applied")
          throw new AppError("conflict", "The notice is applied; applying it again would count it twice");
        const reviewed = await settleNotice(tx, deps, {
          notice,
          orderId: notice.orderId ?? notice.claimedOrderId,
          isForced: false,
        });
        if (isTrial) throw new TrialOver(reviewed);
        const changes = [`state: ${reviewed.notice.state}`];
        await writeAudit(tx, { actor, action: "payment.replay", target: id, changes }, clock);
        return reviewed;
      });
    } catch (error) {
      if (error instanceof TrialOver) return error.reviewed;
      throw error;
    }
  };
}

function createAssign(deps: Deps): PaymentsAdmin["assign"] {
  const { store, clock } = deps;
  return (id, orderId, { actor, note }) =>
    store.transact(async (tx) => {
      const notice = await getNotice(tx, id);
      assertOpen(notice);
      const reviewed = await settleNotice(tx, deps, { notice, orderId, isForced: true });
      if (reviewed.order === undefined) throw new AppError("not_found", "There is no such order");
      if (reviewed.notice.state !== "applied") throw new AppError("conflict", reviewed.notice.reason);
      const changes = [`order: ${orderId}`, ...(note === "" ? [] : [note])];
      await writeAudit(tx, { actor, action: "payment.assign", target: id, changes }, clock);
      return reviewed;
    });
}

/** Makes the administrators' logic of payment notices. */
export function createPaymentsAdmin(deps: Deps): PaymentsAdmin {
  const { store, clock } = deps;
  return {
    list: ({ state, isOpen = false, orderId }, options) =>
      store.read(async (tx) => {
        const index =
          orderId !== undefined
            ? "byOrder"
            : isOpen
              ? "byOpen"
              : state !== undefined
                ? "byState"
                : "byReceived";
        const prefix =
          orderId !== undefined ? [orderId] : isOpen ? ["yes"] : state !== undefined ? [state] : [];
        const page = await tx.list(notices, index, { ...options, prefix, reverse: true });
        return { ...page, total: await tx.count(notices, index, { prefix }) };
      }),
    get: (id) => store.transact((tx) => getNotice(tx, id)),
    assign: createAssign(deps),
    dismiss: (id, { actor, note }) =>
      store.transact(async (tx) => {
        const notice = await getNotice(tx, id);
        assertOpen(notice);
        const { open: _open, ...closed } = notice;
        await writeAudit(tx, { actor, action: "payment.dismiss", target: id, changes: [note] }, clock);
        return tx.put(notices, { ...closed, state: "dismissed", reason: note });
      }),
    replay: createReplay(deps),
  };
}
