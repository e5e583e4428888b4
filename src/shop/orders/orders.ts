/** Orders as their buyers see and move them. */
import { AppError } from "../../kit/errors.ts";
import { ShopError } from "../errors.ts";
import type { Page, ReadTx, Tx } from "../../store/store.ts";
import { readHandedOver } from "./delivery.ts";
import type { ShopDeps } from "../deps.ts";
import { type HandedOver, mailAdmin } from "../mails/mails.ts";
import { moveOrder, withHistory } from "./moves.ts";
import type { OrderRecord } from "./schema.ts";
import { isOrderToken, mayShowPayment } from "./token.ts";
import { type Payment, toPayment } from "../payments/payment.ts";
import { orders } from "../records.ts";
import { readSite } from "../site/settings.ts";
import { endUnpaid, withAttention } from "../payments/settlement.ts";
import { renewToken } from "./token-renewal.ts";

const DAY_MS = 86_400_000;
/** New tokens of one order in a day. */
const RENEWALS_A_DAY = 3;

/** Who asks for an order: a user, the holder of its token, or an administrator. */
export interface OrderAccess {
  readonly userId?: string | undefined;
  readonly orderToken?: string | undefined;
  readonly isAdmin?: boolean;
  /** False: an administrator of the auth center in the user's place, who sees no delivered goods; true unless told. */
  readonly isOwner?: boolean;
  /** Only the state of the payment is asked for, which the token of payment addresses shows, too. */
  readonly isForPayment?: boolean;
}

/** An order with what its buyer got and still has to pay. */
export interface BuyersOrder {
  readonly order: OrderRecord;
  readonly handedOver: readonly (HandedOver & { readonly lineId: string })[];
  readonly payment: Payment | undefined;
}

export interface Orders {
  /** A user's orders, the newest first, with their number. Throws `bad_cursor`. */
  listOwn(
    userId: string,
    options: { limit: number; cursor?: string },
  ): Promise<Page<OrderRecord> & { readonly total: number }>;
  /** Throws `not_found` also for another's order. */
  get(id: string, access: OrderAccess): Promise<BuyersOrder>;
  /** Cancels an order that waits for payment; once more changes nothing. Throws `not_found`, `illegal_transition`. */
  cancel(id: string, access: OrderAccess): Promise<BuyersOrder>;
  /** The buyer has what was ordered: delivered becomes completed; once more changes nothing. Throws `not_found`, `illegal_transition`. */
  confirm(id: string, access: OrderAccess): Promise<OrderRecord>;
  /** The buyer says that the payment was made; an administrator is told, nothing else changes. Throws `not_found`, `illegal_transition`. */
  claimPayment(id: string, access: OrderAccess, note: string): Promise<OrderRecord>;
  /** Replaces the order's token and mails the new one to the buyer. Throws `not_found`, `conflict` (nothing is mailed), `rate_limited`. */
  renewToken(id: string, access: OrderAccess): Promise<OrderRecord>;
}

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl" | "limits">;

/** Whether somebody may see an order. */
export function maySee(deps: Pick<ShopDeps, "box">, order: OrderRecord, access: OrderAccess): boolean {
  if (access.isAdmin === true) return true;
  const { orderToken, isForPayment = false } = access;
  const isRight = isForPayment ? mayShowPayment : isOrderToken;
  if (orderToken !== undefined && isRight(deps.box, order, orderToken)) return true;
  return order.userId !== undefined && order.userId === access.userId;
}

/** An order that somebody may see. Throws `not_found`. */
export async function getOrder(
  tx: ReadTx,
  deps: Pick<ShopDeps, "box">,
  { id, access }: { id: string; access: OrderAccess },
): Promise<OrderRecord> {
  const order = await tx.get(orders, id);
  if (order === undefined || !maySee(deps, order, access))
    throw new AppError(
      "not_found",
      access.isAdmin === true ? `There is no order "${id}"` : "There is no such order among yours",
    );
  return order;
}

/** An order with all that its buyer may know. */
export async function toBuyersOrder(tx: ReadTx, deps: Deps, order: OrderRecord): Promise<BuyersOrder> {
  return {
    order,
    handedOver: await readHandedOver(tx, deps.box, order.lines),
    payment: toPayment(deps, order, await readSite(tx)),
  };
}

async function claim(
  tx: Tx,
  deps: Deps,
  { order, note }: { order: OrderRecord; note: string },
): Promise<OrderRecord> {
  if (order.status !== "pending_payment" && order.status !== "expired") {
    throw new ShopError("illegal_transition", `An order that is ${order.status} waits for no payment`, {
      details: { from: order.status, allowed: [] },
    });
  }
  if (order.attention.includes("payment_claim")) return order;
  const entry = {
    at: deps.clock.now(),
    by: "buyer",
    event: "payment_claim",
    ...(note === "" ? {} : { note }),
  };
  await mailAdmin(tx, deps, {
    subject: `the buyer of order ${order.number} says that it is paid`,
    lines: ["Look for the payment, and mark the order as paid when it is there.", note],
  });
  return tx.put(orders, withAttention(withHistory(order, entry), "payment_claim"));
}

/** Makes the buyers' logic of orders. */
export function createOrders(deps: Deps): Orders {
  const { store, clock } = deps;
  const renewals = deps.limits.create("order-tokens", { limit: RENEWALS_A_DAY, windowMs: DAY_MS });
  return {
    listOwn: (userId, options) =>
      store.read(async (tx) => ({
        ...(await tx.list(orders, "byUser", { ...options, prefix: [userId], reverse: true })),
        total: await tx.count(orders, "byUser", { prefix: [userId] }),
      })),
    get: (id, access) =>
      store.read(async (tx) => {
        const found = await toBuyersOrder(tx, deps, await getOrder(tx, deps, { id, access }));
        return access.isOwner === false ? { ...found, handedOver: [] } : found;
      }),
    cancel: (id, access) =>
      store.transact(async (tx) => {
        const order = await getOrder(tx, deps, { id, access });
        if (order.status === "canceled") return toBuyersOrder(tx, deps, order);
        if (order.status === "pending_payment" && order.amountPaid > 0) {
          throw new ShopError(
            "illegal_transition",
            "A part of this order was paid; write to the shop to cancel it and to get the money back",
            { details: { from: order.status, to: "canceled", allowed: [] } },
          );
        }
        const note = { by: "buyer", atMs: clock.now() };
        return toBuyersOrder(tx, deps, await endUnpaid(tx, deps, { order, event: "cancel", note }));
      }),
    confirm: (id, access) =>
      store.transact(async (tx) => {
        const order = await getOrder(tx, deps, { id, access });
        if (order.status === "completed") return order;
        return tx.put(orders, moveOrder(order, "complete", { by: "buyer", atMs: clock.now() }));
      }),
    claimPayment: (id, access, note) =>
      store.transact(async (tx) =>
        claim(tx, deps, { order: await getOrder(tx, deps, { id, access }), note }),
      ),
    renewToken: async (id, access) => {
      await store.read((tx) => getOrder(tx, deps, { id, access }));
      const { allowed, retryAfterSeconds } = renewals.hit(id);
      if (!allowed) {
        const message = "This order got several new tokens today; try again later, or ask the shop";
        throw new AppError("rate_limited", message, { retryAfterSeconds });
      }
      const note = { by: "buyer", atMs: clock.now() };
      return store.transact(async (tx) =>
        renewToken(tx, deps, { order: await getOrder(tx, deps, { id, access }), note }),
      );
    },
  };
}
