/** Orders as administrators move them. */
import { writeAudit } from "../../records/audit.ts";
import { AppError } from "../../kit/errors.ts";
import { ShopError } from "../errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { Tx } from "../../store/store.ts";
import { amountDueOf } from "../payments/ledger.ts";
import type { Actor } from "../users/caller.ts";
import { giveCouponBack } from "../coupons/coupons.ts";
import { CONTENT_PURPOSE, deliverAutomatic, isAutomatic } from "../orders/delivery.ts";
import type { ShopDeps } from "../deps.ts";
import { mailOrder } from "../mails/mails.ts";
import { type NoticeOutcome, takeNotice } from "../payments/notices.ts";
import { allowedFrom, moveOrder, withHistory } from "../orders/moves.ts";
import type { NoticeType, OrderLine, OrderRecord } from "../orders/schema.ts";
import { toOrderToken } from "../orders/token.ts";
import { orders } from "../records.ts";
import { endUnpaid, mailHandedOver, toDelivered, withoutAttention } from "../payments/settlement.ts";
import { putBack } from "../stock/stock.ts";
import { renewToken } from "../orders/token-renewal.ts";

/** One move by an administrator. */
export interface AdminMove {
  readonly id: string;
  readonly actor: Actor;
  readonly note: string;
  /** The version that the administrator looked at. */
  readonly version?: number | undefined;
}

/** What is handed over by a person. */
export interface DeliveryInput {
  /** All lines that wait, when absent. */
  readonly lines?: readonly { readonly lineId: string; readonly content?: string | undefined }[] | undefined;
  readonly shipment?: OrderRecord["shipment"];
}

export interface OrderAdmin {
  /** Records a payment that came in another way. Throws `not_found`, `illegal_transition`, `out_of_stock`, `version_conflict`. */
  markPaid(
    move: AdminMove & { amount?: number | undefined; reference?: string | undefined },
  ): Promise<OrderRecord>;
  /** Hands over lines; keys that were missing are looked for again. Throws `not_found`, `illegal_transition`, `invalid`, `version_conflict`. */
  deliver(move: AdminMove & DeliveryInput): Promise<OrderRecord>;
  /** Cancels; a paid order only after all its money was given back. Throws `not_found`, `illegal_transition`, `version_conflict`. */
  cancel(move: AdminMove): Promise<OrderRecord>;
  /** Records money that was given back (all of it unless told). Throws `not_found`, `invalid`, `version_conflict`. */
  refund(
    move: AdminMove & { amount?: number | undefined; reference?: string | undefined },
  ): Promise<OrderRecord>;
  /** Replaces the order's token and mails the new one to the buyer. Throws `not_found`, `conflict` (nothing is mailed), `version_conflict`. */
  renewToken(move: AdminMove): Promise<OrderRecord>;
  /** Takes flags off an order that a person has looked at. Throws `not_found`, `version_conflict`. */
  resolve(move: AdminMove & { flags: readonly OrderRecord["attention"][number][] }): Promise<OrderRecord>;
}

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl">;

async function getAt(tx: Tx, { id, version }: Pick<AdminMove, "id" | "version">): Promise<OrderRecord> {
  const order = await tx.get(orders, id);
  if (order === undefined) throw new AppError("not_found", "There is no such order");
  if (version !== undefined && version !== order.version) {
    throw new AppError("version_conflict", "The order was changed in the meantime; read it again", {
      details: { currentVersion: order.version },
    });
  }
  return order;
}

function illegal(order: OrderRecord, message: string, to: string): AppError {
  return new ShopError("illegal_transition", message, {
    details: { from: order.status, to, allowed: allowedFrom(order.status) },
  });
}

/** Adds an entry of an administrator to the ledger, and lets the rules for notices do the rest. */
async function record(
  tx: Tx,
  deps: Deps,
  entry: { order: OrderRecord; type: NoticeType; amount: number; reference: string; note: string },
): Promise<NoticeOutcome> {
  const { order, type, amount, reference, note } = entry;
  const input = {
    eventId: undefined,
    providerRef: reference,
    claimedOrderId: order.id,
    type,
    amount,
    currency: order.currency,
    paidAt: undefined,
    timestamp: undefined,
  };
  const arrived = {
    word: "manual",
    eventId: `${type}:${reference}`,
    input,
    verified: "admin",
    raw: note,
  } as const;
  const outcome = await takeNotice(tx, deps, arrived, true);
  if (outcome.result === "duplicate")
    throw new AppError("already_exists", `A ${type} with the reference "${reference}" was recorded before`);
  if (outcome.result !== "applied") throw new AppError("conflict", outcome.reason);
  return outcome;
}

function createMarkPaid(deps: Deps): OrderAdmin["markPaid"] {
  return (move) =>
    deps.store.transact(async (tx) => {
      const order = await getAt(tx, move);
      if (order.status !== "pending_payment" && order.status !== "expired")
        throw illegal(order, `An order that is ${order.status} waits for no payment`, "paid");
      const amount = move.amount ?? amountDueOf(order);
      const reference = move.reference ?? newId("man", deps.clock.now());
      await record(tx, deps, { order, type: "payment", amount, reference, note: move.note });
      await audit(tx, deps, {
        move,
        action: "order.mark-paid",
        changes: [`amount: ${amount}`, `reference: ${reference}`],
      });
      return getAt(tx, { id: move.id });
    });
}

async function audit(
  tx: Tx,
  { clock }: Deps,
  { move, action, changes }: { move: AdminMove; action: string; changes: readonly string[] },
): Promise<void> {
  await writeAudit(tx, { actor: move.actor, action, target: move.id, changes }, clock);
}

/** Lines as handed over by a person. Throws `invalid` for lines that are not there or were handed over. */
function handOver(
  deps: Deps,
  order: OrderRecord,
  { input, atMs }: { input: DeliveryInput; atMs: number },
): OrderLine[] {
  const asked = input.lines;
  const wrong = (asked ?? []).flatMap(({ lineId }, index) =>
    order.lines.some(({ id, deliveredAt }) => id === lineId && deliveredAt === undefined)
      ? []
      : [
          {
            pointer: `/lines/${index}/lineId`,
            code: "invalid",
            message: "is no line of the order that waits",
          },
        ],
  );
  if (wrong.length > 0) throw new AppError("invalid", "Some lines cannot be handed over", { errors: wrong });
  return order.lines.map((line) => {
    const given = asked?.find(({ lineId }) => lineId === line.id);
    const isMeant = asked === undefined ? !isAutomatic(line) : given !== undefined;
    if (!isMeant || line.deliveredAt !== undefined) return line;
    const { content } = given ?? {};
    return {
      ...line,
      deliveredAt: atMs,
      ...(content === undefined ? {} : { sealedContent: deps.box.seal(content, CONTENT_PURPOSE) }),
    };
  });
}

function createDeliver(deps: Deps): OrderAdmin["deliver"] {
  return (move) =>
    deps.store.transact(async (tx) => {
      const order = await getAt(tx, move);
      if (order.status !== "paid" && order.status !== "fulfilling")
        throw illegal(order, `Nothing of an order that is ${order.status} is to be handed over`, "delivered");
      const atMs = deps.clock.now();
      const note = { by: "admin", atMs, ...(move.note === "" ? {} : { note: move.note }) };
      const byHand = handOver(deps, order, { input: move, atMs });
      const { lines, isComplete } = await deliverAutomatic(tx, { id: order.id, lines: byHand }, atMs);
      const { shipment = order.shipment } = move;
      let moved: OrderRecord = { ...order, lines, ...(shipment === undefined ? {} : { shipment }) };
      if (lines.every(({ deliveredAt }) => deliveredAt !== undefined))
        moved = await toDelivered(tx, moved, note);
      else if (moved.status === "paid") moved = moveOrder(moved, "start_fulfilling", note);
      else moved = withHistory(moved, { at: atMs, by: "admin", event: "delivered_in_part" });
      if (isComplete) moved = withoutAttention(moved, "stock_shortfall");
      const stored = await tx.put(orders, moved);
      await audit(tx, deps, { move, action: "order.deliver", changes: [`status: ${stored.status}`] });
      if (stored.status === "delivered") {
        const mail = {
          order: stored,
          kind: "order_delivered",
          ...(move.note === "" ? {} : { note: move.note }),
        } as const;
        await mailHandedOver(tx, deps, mail);
      }
      return stored;
    });
}

function createCancel(deps: Deps): OrderAdmin["cancel"] {
  return (move) =>
    deps.store.transact(async (tx) => {
      const order = await getAt(tx, move);
      const note = { by: "admin", atMs: deps.clock.now(), ...(move.note === "" ? {} : { note: move.note }) };
      await audit(tx, deps, { move, action: "order.cancel", changes: [`from: ${order.status}`] });
      if (order.status === "pending_payment") {
        if (order.amountPaid > 0)
          throw illegal(
            order,
            "Give back first what was paid of the order (refund), then cancel it",
            "canceled",
          );
        return endUnpaid(tx, deps, { order, event: "cancel", note });
      }
      const moved = moveOrder(order, "cancel_refunded", note);
      if (order.amountPaid > 0)
        throw illegal(order, "Give all money back first (refund), then cancel the order", "canceled");
      await putBack(
        tx,
        order.lines.filter(({ deliveredAt }) => deliveredAt === undefined),
      );
      await giveCouponBack(tx, deps, order);
      const stored = await tx.put(orders, withoutAttention(moved, "stock_shortfall"));
      await mailOrder(tx, deps, {
        kind: "order_canceled",
        order: stored,
        orderToken: toOrderToken(deps.box, order),
        ...(move.note === "" ? {} : { note: move.note }),
      });
      return stored;
    });
}

function createRefund(deps: Deps): OrderAdmin["refund"] {
  return (move) =>
    deps.store.transact(async (tx) => {
      const order = await getAt(tx, move);
      const amount = move.amount ?? order.amountPaid;
      if (amount < 1 || amount > order.amountPaid) {
        throw new AppError("invalid", `Of this order ${order.amountPaid} can be given back`, {
          errors: [{ pointer: "/amount", code: "invalid", message: `must be 1 to ${order.amountPaid}` }],
        });
      }
      const reference = move.reference ?? newId("man", deps.clock.now());
      await record(tx, deps, { order, type: "refund", amount, reference, note: move.note });
      await audit(tx, deps, {
        move,
        action: "order.refund",
        changes: [`amount: ${amount}`, `reference: ${reference}`],
      });
      return getAt(tx, { id: move.id });
    });
}

/** Makes the administrators' logic of orders. */
export function createOrderAdmin(deps: Deps): OrderAdmin {
  return {
    markPaid: createMarkPaid(deps),
    deliver: createDeliver(deps),
    cancel: createCancel(deps),
    refund: createRefund(deps),
    renewToken: (move) =>
      deps.store.transact(async (tx) => {
        const order = await getAt(tx, move);
        await audit(tx, deps, { move, action: "order.renew-token", changes: [] });
        const note = move.note === "" ? {} : { note: move.note };
        return renewToken(tx, deps, { order, note: { by: "admin", atMs: deps.clock.now(), ...note } });
      }),
    resolve: (move) =>
      deps.store.transact(async (tx) => {
        const order = await getAt(tx, move);
        await audit(tx, deps, { move, action: "order.resolve", changes: [...move.flags] });
        const entry = {
          at: deps.clock.now(),
          by: "admin",
          event: "attention_resolved",
          note: [...move.flags, move.note].join(" "),
        };
        return tx.put(orders, withHistory(withoutAttention(order, ...move.flags), entry));
      }),
  };
}
