/** Mails about an order, written in the transaction of its move. */
import { nameDiscounts } from "../coupons/order-discounts.ts";
import { fillTemplate } from "../../kit/text/placeholders.ts";
import type { Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { toDocumentUrl } from "../invoices/invoices.ts";
import { formatTime } from "../base/formats.ts";
import type { MailPart } from "../mails/mail-layout.ts";
import { type MailWords, findMailWords } from "../mails/mail-words.ts";
import { type MailDeps, enqueueTemplate, mailAdmin, paragraph, toAddress, toLink } from "../mails/mails.ts";
import type { TemplateKind } from "../mails/template-kinds.ts";
import type { MailFilling } from "../mails/templates.ts";
import { formatAmount } from "../base/money.ts";
import type { SiteSettings, SmtpSettings } from "../site/schema.ts";
import { toMailedAddresses } from "../site/page-urls.ts";
import { readSite, readSmtp } from "../site/settings.ts";
import { wordsOfProvider } from "../site/site.ts";
import { type HandedOver, nameLine } from "./delivery.ts";
import { toLegalParts } from "./legal-parts.ts";
import { type OrderMailKind, isQuiet, isRenewal } from "./order.ts";
import type { OrderChange, OrderLine, OrderRecord } from "./schema.ts";

export interface OrderMail {
  readonly kind: OrderMailKind;
  readonly order: OrderRecord;
  /** Opens this one order without a sign-in. */
  readonly orderToken: string;
  readonly handedOver?: readonly Omit<HandedOver, "lineId">[];
  /** Where the caller has read it already. */
  readonly site?: SiteSettings | undefined;
  readonly payUrl?: string | undefined;
  readonly note?: string | undefined;
  /** Of an edited order. */
  readonly changes?: readonly OrderChange[] | undefined;
}

/** "Discount (Summer sale)". */
function toDiscountWords(order: OrderRecord, word: string): string {
  const name = nameDiscounts(order);
  return name === undefined ? word : `${word} (${name})`;
}

function toRows(order: OrderRecord, words: MailWords, language: string): (readonly [string, string])[] {
  const amount = (value: number): string => formatAmount(value, order.currency, language);
  const t = findMailWords(language);
  const lines = order.lines.flatMap((line): (readonly [string, string])[] => {
    const row = [`${line.quantity} × ${nameLine(line)}`, amount(line.subtotal)] as const;
    const terms = line.license?.renewal;
    if (terms === undefined) return [row];
    const { every, count, price } = terms;
    const said = t("renewal.terms", { every, count, price: amount(price * line.quantity) });
    return [row, [words["renewal.label"], said]];
  });
  const { tax, pricesIncludeTax } = order;
  const onTop = tax !== undefined && pricesIncludeTax !== true ? tax.amount : 0;
  const isPlain = order.discount === 0 && order.shipping === 0 && onTop === 0;
  return [
    [words.order, order.number],
    ...lines,
    ...(isPlain ? [] : [[words.subtotal, amount(order.subtotal)] as const]),
    ...(order.discount === 0
      ? []
      : [[toDiscountWords(order, words.discount), amount(-order.discount)] as const]),
    ...(order.shipping === 0 ? [] : [[words.shipping, amount(order.shipping)] as const]),
    ...(onTop === 0 ? [] : [[words.tax, amount(onTop)] as const]),
    [words.total, amount(order.total)],
    ...(order.giftCards ?? [])
      .filter(({ isReleased }) => isReleased !== true)
      .map((card): [string, string] => [`${words.giftCard} ••••${card.lastFour}`, amount(-card.amount)]),
    ...(tax === undefined || tax.amount === onTop ? [] : [[words.taxIncluded, amount(tax.amount)] as const]),
    ...(order.balanceDue === undefined ? [] : [[words.balanceDue, amount(order.balanceDue)] as const]),
    ...(order.amountRefunded === 0 ? [] : [[words.refunded, amount(order.amountRefunded)] as const]),
  ];
}

/** What an edit changed, each with its value before. */
function toChanges(changes: readonly OrderChange[], language: string): MailPart[] {
  const t = findMailWords(language);
  const rows = changes.map(({ field, from, to }): readonly [string, string] => [
    t(`changed.${field}`),
    from === "" ? to : t(to === "" ? "changed.removed" : "changed.from", { from, to }),
  ]);
  return rows.length === 0 ? [] : [{ kind: "facts", rows }];
}

function toGoods(handedOver: NonNullable<OrderMail["handedOver"]>): MailPart[] {
  return handedOver.flatMap(({ title, values, fileNames = [], instructions }): MailPart[] => [
    ...(values.length === 0 ? [] : [{ kind: "goods", title, values } as const]),
    // No links: a mail is read by more programs than a person, and each would count.
    ...(fileNames.length === 0 ? [] : [{ kind: "goods", title, values: fileNames } as const]),
    ...(instructions === "" ? [] : [paragraph(instructions)]),
  ]);
}

function toShipment({ shipment }: OrderRecord, words: MailWords): MailPart[] {
  if (shipment === undefined) return [];
  const { carrier, trackingNumber, trackingUrl } = shipment;
  const what = [carrier, trackingNumber].filter((part) => part !== "").join(" ");
  return [
    ...(what === "" ? [] : [{ kind: "facts", rows: [[words.shipment, what]] } as const]),
    ...toLink(words.track, trackingUrl),
  ];
}

/** The id of the document that the mail is about, where there is one. */
function findDocument({ kind, order }: OrderMail): string | undefined {
  if (kind === "order_refunded") return order.creditNoteId;
  const hasInvoice =
    kind === "order_placed" || kind === "order_paid" || kind === "order_delivered" || kind === "order_edited";
  return hasInvoice ? order.invoiceId : undefined;
}

function toDocument(
  mail: OrderMail,
  { words, box, publicUrl }: Pick<ShopDeps, "publicUrl" | "box"> & { words: MailWords },
): MailPart[] {
  const invoiceId = findDocument(mail);
  if (invoiceId === undefined || publicUrl === "") return [];
  const { tokenRenewals } = mail.order;
  const label = mail.kind === "order_refunded" ? words.creditNote : words.invoice;
  return toLink(label, toDocumentUrl({ box, publicUrl }, { invoiceId, tokenRenewals }, "pdf"));
}

/** Where the buyer finds the order again: the page of the settings, or else the token that opens it. */
export function toOrderAccess(
  mail: Pick<OrderMail, "order" | "orderToken">,
  words: MailWords,
  options: { site: SiteSettings; publicUrl: string },
): MailPart[] {
  const { order, orderToken } = mail;
  const template = toMailedAddresses(options.site, options.publicUrl).order;
  if (template === "") {
    const address = toAddress(options.publicUrl, `/api/orders/${order.id}/payment-status`);
    return [
      { kind: "goods", title: words.orderToken, values: [orderToken] },
      paragraph(`${words.orderTokenUse} ${address}`),
    ];
  }
  const filled = fillTemplate(template, { orderId: order.id, number: order.number, token: orderToken });
  return toLink(words.openOrder, toAddress(options.publicUrl, filled));
}

/** How to pay, in the words of the provider's settings. */
function toInstructions({ order }: OrderMail, site: SiteSettings): MailPart[] {
  const provider = site.paymentProviders.find(({ word }) => word === order.paymentMethod);
  const instructions = provider === undefined ? "" : wordsOfProvider(provider, order.language).instructions;
  return instructions === "" ? [] : [paragraph(instructions)];
}

/** Whether the mail is the one that confirms the contract: the first one that its buyer gets. */
function isConfirmation({ kind, order }: OrderMail, { notify }: SmtpSettings): boolean {
  if (kind === "order_placed") return true;
  const isFirst = order.total === 0 || order.isQuiet === true || !notify.order_placed;
  return isFirst && (kind === "order_paid" || kind === "order_delivered");
}

/** Values for the variables of an email about an order. */
export function toOrderFilling(
  mail: OrderMail,
  options: Pick<ShopDeps, "publicUrl" | "box"> & {
    readonly site: SiteSettings;
    readonly isConfirmation: boolean;
  },
): MailFilling {
  const { site, publicUrl } = options;
  const { order, payUrl, note = "" } = mail;
  const { words, language } = findMailWords(order.language);
  const isOpen = mail.kind === "order_placed" && order.status === "pending_payment";
  const until = formatTime(order.dueAt ?? order.expiresAt, { language, timeZone: site.timeZone });
  const { email, number, currency, total } = order;
  return {
    values: { shopName: site.name, number, email, total: formatAmount(total, currency, language) },
    blocks: {
      note: note === "" ? [] : [paragraph(note)],
      order: [{ kind: "facts", rows: toRows(order, words, language) }],
      changes: toChanges(mail.changes ?? [], language),
      payUntil: isOpen ? [{ kind: "facts", rows: [[words.payUntil, until]] }] : [],
      instructions: isOpen ? toInstructions(mail, site) : [],
      payLink: toLink(words.pay, payUrl && toAddress(publicUrl, payUrl)),
      shipment: toShipment(order, words),
      invoice: toDocument(mail, { words, ...options }),
      orderLink: toOrderAccess(mail, words, options),
      goods: toGoods(mail.handedOver ?? []),
      // Last, behind the goods: what is too long for a mail is cut at its end.
      legal: options.isConfirmation ? toLegalParts(order, { site, publicUrl }) : [],
    },
  };
}

/** The kind of words of a mail: what is sent is on its way, and not there yet, when the buyer gets it. */
export function toTemplateKind({ kind, order }: Pick<OrderMail, "kind" | "order">): TemplateKind {
  if (isRenewal(order) && (kind === "order_paid" || kind === "order_delivered")) return "renewal_paid";
  const isSent = order.lines.some(({ deliveryType }) => deliveryType === "shipping");
  return kind === "order_delivered" && isSent ? "order_shipped" : kind;
}

/** Mails a buyer about an order, unless mails of this kind are switched off. */
export async function mailOrder(
  tx: Tx,
  { outbox, publicUrl, clock, box }: MailDeps & Pick<ShopDeps, "box">,
  { isDecoy = false, ...mail }: OrderMail & { readonly isDecoy?: boolean },
): Promise<void> {
  const smtp = await readSmtp(tx);
  const { order, kind } = mail;
  const isAsked = kind === "order_token" || kind === "order_link";
  if ((!isAsked && !smtp.notify[kind]) || isQuiet(order)) return;
  const site = mail.site ?? (await readSite(tx));
  const filling = toOrderFilling(mail, {
    site,
    publicUrl,
    box,
    isConfirmation: isConfirmation(mail, smtp),
  });
  const document = site.invoices.attachEInvoices ? findDocument(mail) : undefined;
  await enqueueTemplate(
    tx,
    { outbox, clock, site },
    {
      documents: document === undefined ? undefined : [document],
      kind: toTemplateKind(mail),
      sentAs: kind,
      language: order.language,
      isDecoy,
      thread: order.id,
      to: order.email,
      filling,
    },
  );
}

/** Lines of an order for the owner: what, in which form, and by which number it is found on the shelf. */
export function toItemList(
  lines: readonly Pick<OrderLine, "quantity" | "title" | "options" | "sku">[],
): string {
  return lines
    .map(({ quantity, title, options, sku }) => {
      const chosen = [...Object.values(options), sku].filter((part) => part !== "").join(", ");
      return `${quantity} × ${title}${chosen === "" ? "" : ` (${chosen})`}`;
    })
    .join("\n");
}

/** Mails the administrator about a paid order that waits for a person. */
export async function mailNewOrder(
  tx: Tx,
  deps: Pick<MailDeps, "outbox" | "clock">,
  order: OrderRecord,
): Promise<void> {
  const amount = formatAmount(order.total, order.currency, "en");
  const open = order.lines.filter(({ deliveredAt }) => deliveredAt === undefined);
  await mailAdmin(tx, deps, {
    kind: "new_order",
    subject: `new order ${order.number} (${amount})`,
    lines: [
      `Order ${order.number} of ${order.email} is paid and ready for fulfillment.`,
      toItemList(open),
      order.note,
    ],
  });
}

/** Mails that can be sent to a buyer once more. */
export const repeatedMails = [
  ...(["order_placed", "order_paid", "order_delivered", "order_shipped"] as const),
  ...(["order_canceled", "order_expired", "order_refunded"] as const),
] as const satisfies readonly OrderMailKind[];
export type RepeatedMail = (typeof repeatedMails)[number];

/** Which of the mails say what is so now. */
export function listRepeatable(order: OrderRecord): readonly RepeatedMail[] {
  const { status, amountRefunded, shipment } = order;
  const money = amountRefunded > 0 ? (["order_refunded"] as const) : [];
  switch (status) {
    case "pending_payment":
      return ["order_placed", ...money];
    case "paid":
    case "fulfilling":
      return ["order_paid", ...money];
    case "delivered":
    case "completed":
      return ["order_delivered", ...(shipment === undefined ? [] : (["order_shipped"] as const)), ...money];
    case "canceled":
      return ["order_canceled", ...money];
    case "expired":
      return ["order_expired", ...money];
  }
}
