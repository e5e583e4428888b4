/** What gift cards pay of an order, as pure functions of its record. */
import { type Books, toPaymentStatus } from "./payment-status.ts";
import type { CardPayment, OrderRecord } from "./schema.ts";

type Paid = Pick<OrderRecord, "total" | "amountPaid" | "amountRefunded" | "paymentStatus" | "giftCards">;

const sumOf = (cards: readonly CardPayment[]): number => cards.reduce((sum, { amount }) => sum + amount, 0);

function withPaid<T extends Paid>(order: T, by: number, giftCards: CardPayment[]): T {
  const amountPaid = order.amountPaid + by;
  const books: Books = { received: amountPaid + order.amountRefunded, refunded: order.amountRefunded };
  const paymentStatus = toPaymentStatus({ total: order.total, ...books });
  return { ...order, amountPaid, paymentStatus, giftCards };
}

/** A new order that cards pay, in full or in part. */
export function payWithCards<T extends Paid>(order: T, giftCards: CardPayment[]): T {
  return giftCards.length === 0 ? order : withPaid(order, sumOf(giftCards), giftCards);
}

/** An order that will not be paid, without what its cards paid; the same one where none did. */
export function releaseCards(order: OrderRecord): OrderRecord {
  const { giftCards = [] } = order;
  const held = giftCards.filter(({ isReleased }) => isReleased !== true);
  if (held.length === 0) return order;
  const released = giftCards.map((card) => ({ ...card, isReleased: true as const }));
  return withPaid(order, -sumOf(held), released);
}

/** An expired order that is paid after all, with what its cards pay again. */
export function retakeCards(order: OrderRecord): OrderRecord {
  const { giftCards = [] } = order;
  const released = giftCards.filter(({ isReleased }) => isReleased === true);
  const held = giftCards.map((card) => ({ ...card, isReleased: undefined }));
  return withPaid(order, sumOf(released), held);
}

/** What buyers paid without gift cards: the money of a card came in when it was sold. */
export function toReceived({
  giftCards = [],
  amountPaid,
}: Pick<OrderRecord, "giftCards" | "amountPaid">): number {
  return giftCards.reduce(
    (left, { amount, returned = 0, isReleased }) => left - (isReleased === true ? 0 : amount - returned),
    amountPaid,
  );
}

/** What a refund can give back to the cards of an order. */
export function toReturnable({ giftCards = [], amountPaid, paidAt }: OrderRecord): number {
  if (paidAt === undefined) return 0;
  const left = giftCards.reduce(
    (sum, { amount, returned = 0, isReleased }) => sum + (isReleased === true ? 0 : amount - returned),
    0,
  );
  return Math.max(0, Math.min(left, amountPaid));
}
