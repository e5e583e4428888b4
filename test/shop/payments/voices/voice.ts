/**
 * What a payment service says in a random history: each service can say what its documentation has, about a payment
 * that was begun there, by the ids that its stand-in gave. What it means for the books is written here once more, and
 * nothing of the shop's adapters is used.
 */
import type { PlainShop } from "../../plain-shop.ts";
import type { Gateway, GatewayNotice, GatewayPayment, NoticeChange } from "../gateways/gateway.ts";
import type { Facts, ModelOrder } from "../notices-model-records.ts";

/** Events at a provider with a notification; "silent" and "silentRefund" have none. */
export const happenings = [
  ...([
    "paid",
    "twice",
    "silent",
    "less",
    "more",
    "otherCurrency",
    "otherOrder",
    "nobody",
    "approved",
  ] as const),
  ...(["waiting", "failed", "ended", "lie", "otherAmount"] as const),
  ...(["refund", "refundPart", "silentRefund", "refundAgain", "allRefunds", "refundFailed"] as const),
  ...(["dispute", "disputeWon"] as const),
] as const;
export type Happening = (typeof happenings)[number];

/** One thing that a notice says; without an `event` the service names none that is not its reference. */
export interface Told extends Omit<Facts, "provider"> {
  readonly event?: string;
}

/** A notice with what it says. */
export interface Said {
  /** As it is sent now: signatures have a time. Undefined: the service says nothing. */
  readonly send?: () => GatewayNotice;
  /** What it says once it was sent: some notices have the shop ask for the rest. */
  readonly told: () => readonly Told[];
  /** The code that every such notice is refused with. */
  readonly refusal?: string;
}

/** The orders that a happening is about. */
export interface Scene {
  readonly payment: GatewayPayment;
  readonly order: ModelOrder;
  /** Another order's payment, for a service that mixes them up. */
  readonly other: { readonly payment: GatewayPayment; readonly order: ModelOrder };
  /** Different in each step of a history. */
  readonly at: number;
}

/** Undefined where it cannot happen now. */
export type Say = (scene: Scene) => Answered | Promise<Answered>;
type Answered = Said | readonly Said[] | undefined;

/** What the shop has to know of a service; those whose payments begin elsewhere answer nothing. */
export type Place = Pick<Gateway, "kind" | "options" | "credentials" | "currency" | "forge" | "expects"> &
  Partial<Pick<Gateway, "answer">>;

export interface Voice {
  readonly gateway: Place;
  /** Called once with the shop that hears it. */
  connect?(app: PlainShop): void;
  readonly says: Partial<Record<Happening, Say>>;
  /** The payment of an order, where it was begun or, without a beginning, is paid. */
  find(order: ModelOrder): GatewayPayment | undefined;
  /** The answers to a query about a payment; none: unpaid. Absent: it has no queries. */
  asked?(payment: GatewayPayment, order: ModelOrder): readonly Told[];
  /** Whether a notice counts only when the service says the same. */
  readonly mustAsk?: boolean;
  /** How the shop has the service give money back; absent: it cannot. */
  readonly refunds?: ServiceRefunds;
}

export interface ServiceRefunds {
  /** The service finds the payment by what the shop called it, and not by its own reference. */
  readonly isByOrder?: boolean;
  /** Whether it is done; `paid`: what the shop knows to have been paid. */
  takes(payment: GatewayPayment, amount: number, paid: number): boolean;
  /** What the service calls it once it was done; `id`: what the shop called it. */
  nameOf(payment: GatewayPayment, id: string): string;
}

/** A fake provider's payment of an order; providers get its ID, some with the attempt. */
export function findBegun({ payments }: Gateway, { id }: ModelOrder): GatewayPayment | undefined {
  const bare = id.replace("ord_", "");
  return payments.find(({ orderId }) => orderId === id || orderId === `${bare}_1`);
}

/** Half of what could still be given back, or all of it; undefined for nothing. */
export function toReturn({ isPaid, amount, refunded }: GatewayPayment, share: number): number | undefined {
  const most = isPaid ? amount - refunded : 0;
  return most < 2 ? undefined : Math.floor(most * share);
}

/** What a payment of a service that names it by its reference says. */
export function toPaid({ payment, order }: Scene, change: Partial<Told> = {}): Told {
  const { reference: ref, amount, currency } = payment;
  return { ref, type: "payment", claimed: order.id, amount, currency, ...change };
}

interface Paying {
  readonly gateway: Gateway;
  /** What a payment is known by once it is paid. */
  readonly toTold?: (notice: GatewayNotice, told: Told, payment: GatewayPayment) => Told;
  /** The same notice with a signature of now. */
  readonly resign?: (notice: GatewayNotice) => GatewayNotice;
  /** An order that there is not, as the service names it and as the shop understands it. */
  readonly nobody: readonly [named: string, claimed: string];
}

type PaymentWord = "paid" | "silent" | "less" | "more" | "otherOrder" | "nobody" | "otherCurrency";

/** What every service says of a payment that was made: rightly, wrongly, or not at all. */
export function sayPaid({
  gateway,
  toTold = (_notice, told) => told,
  resign = (notice) => notice,
  nobody: [named, claimed],
}: Paying): Record<PaymentWord, Say> {
  const say =
    (toChange: (scene: Scene) => readonly [NoticeChange, Partial<Told>]): Say =>
    async (scene) => {
      const { payment } = scene;
      if (payment.isCanceled) return undefined;
      const [change, difference] = toChange(scene);
      const isTrue = Object.keys(change).length === 0;
      const notice = await gateway.pay(payment, isTrue ? undefined : change);
      const told = toTold(notice, toPaid(scene, difference), payment);
      return { send: () => resign(notice), told: () => [told] };
    };
  const changeAmount = (amount: number) => [{ amount }, { amount }] as const;
  return {
    paid: say(() => [{}, {}]),
    silent: async ({ payment }) => {
      if (payment.isCanceled) return undefined;
      await gateway.pay(payment);
      return { told: () => [] };
    },
    less: say(({ payment }) => changeAmount(Math.floor(payment.amount / 2))),
    more: say(({ payment }) => changeAmount(payment.amount + 100)),
    otherOrder: say(({ other }) => [{ orderId: other.payment.orderId }, { claimed: other.order.id }]),
    nobody: say(() => [{ orderId: named }, { claimed }]),
    otherCurrency: say(() => [{ currency: "USD" }, { currency: "USD" }]),
  };
}

interface Returning {
  readonly gateway: Gateway;
  /** What the shop knows a refund by, where that is not the service's own name alone. */
  readonly toRef?: (reference: string, payment: GatewayPayment) => string;
  /** The order that the notice itself names: a refund that the shop asked for, where services had mixed up orders. */
  readonly toClaimed?: (notice: GatewayNotice) => string;
  /** The id of the event, where the service names it. */
  readonly toEvent?: (notice: GatewayNotice) => string;
  readonly resign?: (notice: GatewayNotice) => GatewayNotice;
}

/** What a service with notices of refunds says of them. */
export function sayRefunds({
  gateway,
  toRef = (reference) => reference,
  toClaimed,
  toEvent,
  resign = (notice) => notice,
}: Returning): Record<"refund" | "refundPart" | "refundAgain", Say> {
  const toSaid = ({ payment, order }: Scene, notice: GatewayNotice | undefined): Said | undefined => {
    const newest = gateway.newestRefund?.(payment);
    if (newest === undefined || notice === undefined) return undefined;
    const { amount, reference } = newest;
    const { currency } = payment;
    const claimed = toClaimed?.(notice) || order.id;
    const told: Told = { ref: toRef(reference, payment), type: "refund", claimed, amount, currency };
    const event = toEvent?.(notice);
    return { send: () => resign(notice), told: () => [event === undefined ? told : { ...told, event }] };
  };
  const give =
    (share: number): Say =>
    async (scene) => {
      const amount = toReturn(scene.payment, share);
      if (amount === undefined) return undefined;
      return toSaid(scene, await gateway.refund?.(scene.payment, amount));
    };
  return {
    refund: give(1),
    refundPart: give(0.5),
    refundAgain: (scene) => {
      const isThere = gateway.newestRefund?.(scene.payment) !== undefined;
      return isThere ? toSaid(scene, gateway.tellRefund?.(scene.payment)) : undefined;
    },
  };
}
