/** Opens an order for a visitor of its page: with the token that the browser keeps, or with an account. */
import { AppError } from "../../../kit/errors.ts";
import { toAppError } from "../../../kit/http/problem.ts";
import type { BuyersOrder, OrderAccess, Orders } from "../../orders/orders.ts";
import type { UserCheck } from "../../users/user-check.ts";
import { type Buyer, readBuyer } from "../account/buyers.ts";
import type { Visit } from "../visit.tsx";
import type { OrderCookie } from "./order-cookie.ts";

export interface OrderDoor {
  readonly orders: Pick<Orders, "getByNumber">;
  readonly userCheck: UserCheck;
  readonly orderCookie: OrderCookie;
}

export interface OpenOrder {
  readonly found: BuyersOrder;
  /** For the logic of orders. */
  readonly access: OrderAccess;
  /** Only the payment status may be shown: the buyer came back from a payment provider on another device. */
  readonly isForPayment: boolean;
  readonly buyer: Buyer | undefined;
}

/** An order that cannot be opened, and whether that may be because the session cannot be checked. */
export interface ShutOrder {
  readonly found: undefined;
  readonly isAway: boolean;
}

const NUMBER = /^[0-9A-Za-z-]{1,60}$/u;

/** The order's number in the address. */
export function readNumber({ c }: Pick<Visit, "c">): string {
  const number = c.req.param("number") ?? "";
  if (!NUMBER.test(number)) throw new AppError("not_found", "There is no such order");
  return number.toUpperCase();
}

/** Undefined in place of `not_found`. */
async function orNone(reading: Promise<BuyersOrder>): Promise<BuyersOrder | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (toAppError(error).code === "not_found") return undefined;
    throw error;
  }
}

/** The order whose own token the browser keeps. */
export async function openByToken(
  { orders, orderCookie }: Pick<OrderDoor, "orders" | "orderCookie">,
  { c }: Pick<Visit, "c">,
  number: string,
): Promise<BuyersOrder | undefined> {
  const orderToken = orderCookie.find(c, number);
  return orderToken === undefined ? undefined : orNone(orders.getByNumber(number, { orderToken }));
}

async function openByAccount(door: OrderDoor, visit: Visit, number: string): Promise<OpenOrder | ShutOrder> {
  const buyer = await readBuyer(door.userCheck, visit);
  const { user, isAway } = buyer;
  if (user === undefined) return { found: undefined, isAway };
  const access = { userId: user.id, isOwner: user.impersonatedBy === undefined };
  const found = await orNone(door.orders.getByNumber(number, access));
  return found === undefined ? { found, isAway } : { found, access, isForPayment: false, buyer };
}

/** Opens the order of the URL. Makes no request to the auth center if the browser has the order's own token. */
export async function openOrder(door: OrderDoor, visit: Visit): Promise<OpenOrder | ShutOrder> {
  const number = readNumber(visit);
  const orderToken = door.orderCookie.find(visit.c, number);
  const known = { isForPayment: false, buyer: undefined };
  const kept = await openByToken(door, visit, number);
  if (kept !== undefined) return { found: kept, access: { orderToken }, ...known };
  const own = await openByAccount(door, visit, number);
  if (own.found !== undefined || orderToken === undefined) return own;
  const access = { orderToken, isForPayment: true };
  const found = await orNone(door.orders.getByNumber(number, access));
  return found === undefined ? own : { found, access, ...known, isForPayment: true };
}
