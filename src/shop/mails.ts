/** Mails of the shop: written in the transaction of what they tell of. Hidden here: words, and which kinds are switched off. */
import type { Tx } from "../store/store.ts";
import type { ShopDeps } from "./deps.ts";
import { formatAmount } from "./money.ts";
import type { OrderRecord } from "./order-schema.ts";
import { readSite, readSmtp } from "./settings.ts";
import type { MailKind } from "./site-schema.ts";

export type OrderMailKind = Extract<MailKind, `order_${string}`>;

/** What a buyer got: licence keys, a shared secret, or what an administrator wrote. */
export interface HandedOver {
  readonly title: string;
  readonly values: readonly string[];
  readonly instructions: string;
}

export interface OrderMail {
  readonly kind: OrderMailKind;
  readonly order: OrderRecord;
  /** Opens this one order without a sign-in. */
  readonly orderToken: string;
  readonly handedOver?: readonly HandedOver[];
  readonly payUrl?: string | undefined;
  readonly note?: string | undefined;
}

type MailDeps = Pick<ShopDeps, "outbox" | "publicUrl">;

const subjects: Readonly<Record<OrderMailKind, string>> = {
  order_placed: "we have your order",
  order_paid: "we have your payment",
  order_delivered: "here is what you ordered",
  order_canceled: "your order was canceled",
  order_refunded: "we gave you your money back",
};

/** Tells a buyer of an order, unless mails of this kind are switched off. */
export async function mailOrder(tx: Tx, { outbox }: MailDeps, mail: OrderMail): Promise<void> {
  const { notify } = await readSmtp(tx);
  if (!notify[mail.kind]) return;
  const site = await readSite(tx);
  const { order } = mail;
  const lines = order.lines.map(({ title, quantity }) => `${quantity} × ${title}`);
  const goods = (mail.handedOver ?? []).flatMap(({ title, values, instructions }) => [
    `${title}:`,
    ...values.map((value) => `    ${value}`),
    instructions,
  ]);
  const text = [
    `${site.name}: ${subjects[mail.kind]}`,
    `Order ${order.number}, ${formatAmount(order.total, order.currency, order.language)}`,
    ...lines,
    ...goods,
    ...(mail.payUrl === undefined ? [] : [`Pay here: ${mail.payUrl}`]),
    ...(mail.note === undefined ? [] : [mail.note]),
    `Order token: ${mail.orderToken}`,
  ].join("\n\n");
  await outbox.enqueue(tx, {
    kind: mail.kind,
    to: order.email,
    subject: `${site.name}: ${subjects[mail.kind]} (${order.number})`,
    text,
  });
}

/** Tells the administrator what needs a look, when there is an address for it. */
export async function mailAdmin(
  tx: Tx,
  { outbox }: MailDeps,
  { subject, lines }: { subject: string; lines: readonly string[] },
): Promise<void> {
  const { adminAddress, notify } = await readSmtp(tx);
  if (adminAddress === "" || !notify.admin_attention) return;
  const site = await readSite(tx);
  await outbox.enqueue(tx, {
    kind: "admin_attention",
    to: adminAddress,
    subject: `${site.name}: ${subject}`,
    text: lines.join("\n"),
  });
}
