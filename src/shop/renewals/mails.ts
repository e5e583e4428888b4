/** Emails about subscriptions, written in the transaction of what they are about. */
import type { ReadTx, Tx } from "../../store/store.ts";
import { formatDay, formatTime } from "../base/formats.ts";
import { formatAmount } from "../base/money.ts";
import type { ShopDeps } from "../base/deps.ts";
import type { MailPart } from "../mails/mail-layout.ts";
import { findMailWords } from "../mails/mail-words.ts";
import { enqueueTemplate, toAddress, toLink } from "../mails/mails.ts";
import type { TemplateKind } from "../mails/template-kinds.ts";
import type { MailFilling } from "../mails/templates.ts";
import { nameLine } from "../orders/delivery.ts";
import { toOrderAccess, toOrderFilling } from "../orders/mails.ts";
import { toPayment } from "../orders/payment.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { toOrderToken } from "../orders/token.ts";
import type { SiteSettings } from "../site/schema.ts";
import { readSite } from "../site/settings.ts";
import type { SubscriptionRecord } from "../subscriptions/schema.ts";
import { listLicenses } from "../subscriptions/settle.ts";

const DAY_MS = 86_400_000;

export type RenewalMailKind = Exclude<Extract<TemplateKind, `renewal_${string}`>, "renewal_paid">;

export interface RenewalMail {
  readonly kind: RenewalMailKind;
  readonly subscription: SubscriptionRecord;
  /** The order that the subscription began with. */
  readonly first: OrderRecord;
  /** The order of the renewal, where there is one. */
  readonly order?: OrderRecord | undefined;
  /** The service's page where a failed payment is made good. */
  readonly payUrl?: string | undefined;
  /** Licenses of the subscription; 1 if absent. */
  readonly quantity?: number | undefined;
}

/** The licenses that a period is paid for; all of them once none is left. */
export async function countRenewing(
  tx: ReadTx,
  subscription: Pick<SubscriptionRecord, "orderId" | "lineId">,
): Promise<number> {
  const all = await listLicenses(tx, subscription);
  const renewing = all.filter(({ disabledAt }) => disabledAt === undefined).length;
  return Math.max(1, renewing || all.length);
}

type Deps = Pick<ShopDeps, "box" | "publicUrl">;

/** What the email says of the subscription. */
function toRows(mail: RenewalMail, site: SiteSettings): MailPart[] {
  const { kind, subscription, first, order, quantity = 1 } = mail;
  const { words, language } = findMailWords(first.language);
  const t = findMailWords(first.language);
  const { terms, currency, nextPrice, paidUntil, way } = subscription;
  const amount = (price: number): string => formatAmount(price, currency, language);
  const time = (ms: number): string => formatTime(ms, { language, timeZone: site.timeZone });
  const say = (price: number): string =>
    t("renewal.every", { every: terms.every, count: terms.count, price: amount(price * quantity) });
  const rows: (readonly [string, string])[] = [
    [words["renewal.subscription"], subscription.number],
    [words.product, (quantity === 1 ? "" : `${quantity} × `) + nameLine(subscription)],
    [words["renewal.price"], say(terms.price)],
  ];
  if (kind === "renewal_price" && nextPrice !== undefined)
    rows.push([words["renewal.priceNew"], say(nextPrice.price)]);
  rows.push([words["renewal.paidUntil"], time(paidUntil)]);
  const period = order?.lines[0]?.renewal;
  if (period !== undefined) {
    const day = (ms: number): string => formatDay(ms, site.timeZone);
    rows.push([words["renewal.period"], `${day(period.from)} – ${day(period.until)}`]);
    if (kind === "renewal_upcoming" && way === "automatic")
      rows.push([words["renewal.chargedAt"], time(period.from)]);
    else
      rows.push([
        words["renewal.validUntil"],
        time(Math.max(order?.expiresAt ?? 0, paidUntil + terms.graceDays * DAY_MS)),
      ]);
  }
  if (kind === "renewal_canceled" && subscription.canceledAt !== undefined)
    rows.push([words["renewal.canceledAt"], time(subscription.canceledAt)]);
  if (kind === "renewal_ended" && subscription.endedAt !== undefined)
    rows.push([words["renewal.endedAt"], time(subscription.endedAt)]);
  return [{ kind: "facts", rows }];
}

/** Values for the variables of an email about a subscription. */
export function toRenewalFilling(mail: RenewalMail, options: Deps & { site: SiteSettings }): MailFilling {
  const { first, order = first, subscription, payUrl } = mail;
  const { site, publicUrl, box } = options;
  const { words } = findMailWords(first.language);
  const isToPay = mail.kind !== "renewal_upcoming" && mail.order !== undefined;
  const orderToken = toOrderToken(box, order);
  const url = isToPay ? toPayment(options, order, site)?.url : undefined;
  const { values, blocks } = toOrderFilling(
    { kind: "order_placed", order, orderToken, payUrl: url },
    { site, publicUrl, box, isConfirmation: mail.kind === "renewal_invoice" },
  );
  const manage = toOrderAccess({ order: first, orderToken: toOrderToken(box, first) }, words, options).map(
    (part) => (part.kind === "link" ? { ...part, label: words["renewal.cancel"] } : part),
  );
  const open = mail.order === undefined ? [] : (blocks["orderLink"] ?? []);
  return {
    values: { ...values, number: mail.order?.number ?? subscription.number, product: nameLine(subscription) },
    blocks: {
      ...blocks,
      note: [],
      renewal: toRows(mail, site),
      payLink: [
        ...toLink(words["renewal.payAtService"], payUrl),
        ...(url === undefined ? [] : toLink(words.pay, toAddress(publicUrl, url))),
      ],
      orderLink: [...open, ...manage],
    },
  };
}

/** Queues an email to the buyer of a subscription. These cannot be switched off: law or the contract wants them. */
export async function mailRenewal(
  tx: Tx,
  deps: Deps & Pick<ShopDeps, "outbox" | "clock">,
  mail: RenewalMail,
): Promise<void> {
  const site = await readSite(tx);
  const { outbox, clock } = deps;
  const { kind, first, subscription, order } = mail;
  const quantity = order?.lines[0]?.quantity ?? (await countRenewing(tx, subscription));
  const invoiceId = kind === "renewal_invoice" ? order?.invoiceId : undefined;
  await enqueueTemplate(
    tx,
    { outbox, clock, site },
    {
      documents: site.invoices.attachEInvoices && invoiceId !== undefined ? [invoiceId] : undefined,
      kind,
      language: first.language,
      thread: subscription.id,
      to: first.email,
      filling: toRenewalFilling({ ...mail, quantity }, { ...deps, site }),
    },
  );
}
