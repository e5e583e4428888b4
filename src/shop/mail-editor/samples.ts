/** Sample values for each kind of mail, for administrators who want to see what people get; nothing in them opens anything. */
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { toReplyFilling } from "../chat/mail.ts";
import { findEuWords } from "../eu/words.ts";
import { toGiftFilling } from "../gift-cards/mails.ts";
import { toWishFilling } from "../mails/mails.ts";
import type { MailLanguage, TemplateKind } from "../mails/template-kinds.ts";
import type { MailFilling } from "../mails/templates.ts";
import { toOrderFilling } from "../orders/mails.ts";
import type { OrderMailKind } from "../orders/order.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { type RenewalMailKind, toRenewalFilling } from "../renewals/mails.ts";
import type { SiteSettings } from "../site/schema.ts";
import { addPeriods } from "../subscriptions/periods.ts";
import type { SubscriptionRecord } from "../subscriptions/schema.ts";
import { formatAmount } from "../base/money.ts";
import { toBackFilling } from "../stock-requests/notices.ts";
import { toConfirmFilling } from "../stock-requests/stock-requests.ts";
import { toReminderFilling } from "../reminders/send.ts";
import { toInvitationFilling } from "../reviews/invitations.ts";
import { toWithdrawalFilling } from "../withdrawals/mails.ts";
import { toLinkFilling } from "../draft-orders/link.ts";
import type { WithdrawalRecord } from "../withdrawals/schema.ts";

const DAY_MS = 86_400_000;
const NUMBER = "261121-7KQ4MPXA";
const EMAIL = "ann@example.org";
const NOTE = "…";
const QUESTION = "?";

export interface SampleOptions {
  readonly site: SiteSettings;
  readonly publicUrl: string;
  readonly box: SecretBox;
  readonly language: MailLanguage;
  readonly nowMs: number;
}

const place = { stockMode: "tracked", sku: "", inputs: {}, discount: 0, instructions: "" } as const;

/** A T-shirt in a size, and a licence key. */
function toLines(isHandedOver: boolean, nowMs: number): OrderRecord["lines"] {
  const deliveredAt = isHandedOver ? nowMs : undefined;
  return [
    {
      id: "lin_1",
      productId: "prd_1",
      variantId: "var_1",
      stockId: "var_1",
      title: "T-shirt",
      options: { size: "L" },
      quantity: 2,
      unitPrice: 1_999,
      subtotal: 3_998,
      total: 3_998,
      ...place,
      deliveryType: "shipping",
      secretIds: [],
      withdrawal: "open",
      deliveredAt,
    },
    {
      id: "lin_2",
      productId: "prd_2",
      stockId: "prd_2",
      title: "Software",
      options: {},
      quantity: 1,
      unitPrice: 4_900,
      subtotal: 4_900,
      total: 4_900,
      ...place,
      deliveryType: "auto_secret",
      secretIds: [],
      withdrawal: "waived",
      deliveredAt,
    },
  ];
}

function toOrder(status: OrderRecord["status"], { site, language, nowMs }: SampleOptions): OrderRecord {
  const isPaid = status === "paid" || status === "delivered";
  const total = 8_898 + 490;
  const { digitalContent: wording, orderButton } = findEuWords(language);
  return {
    id: "ord_sample",
    version: 1,
    number: NUMBER,
    email: EMAIL,
    emailLower: EMAIL,
    language,
    status,
    paymentStatus: isPaid ? "paid" : "unpaid",
    attention: [],
    currency: site.currency,
    subtotal: 8_898,
    discount: 0,
    shipping: 490,
    total,
    amountPaid: isPaid ? total : 0,
    amountRefunded: 0,
    history: [],
    note: "",
    createdAt: nowMs,
    updatedAt: nowMs,
    lines: toLines(status === "delivered", nowMs),
    shipment: { carrier: "DHL", trackingNumber: "JD01460003", trackingUrl: "https://example.org/track" },
    consents: { orderButton, digitalContent: { at: nowMs, wording } },
    paymentMethod: site.paymentProviders.find(({ enabled }) => enabled)?.word ?? "none",
    expiresAt: nowMs + DAY_MS,
  };
}

const statuses = {
  order_placed: "pending_payment",
  order_paid: "paid",
  order_shipped: "fulfilling",
  order_delivered: "delivered",
  order_canceled: "canceled",
  order_expired: "expired",
  order_refunded: "delivered",
  order_edited: "paid",
  order_token: "paid",
  order_link: "paid",
} as const satisfies Record<OrderMailKind, OrderRecord["status"]>;

function toOrderSample(kind: OrderMailKind, options: SampleOptions): MailFilling {
  const order = toOrder(statuses[kind], options);
  const isRefund = kind === "order_refunded";
  return toOrderFilling(
    {
      kind,
      order: isRefund ? { ...order, amountRefunded: 1_999 } : order,
      orderToken: "ot_sample",
      payUrl: kind === "order_placed" ? "https://pay.example.org/sample" : undefined,
      handedOver: [{ title: "Software", values: ["AAAA-BBBB-CCCC"], instructions: NOTE }],
      note: NOTE,
      changes: [{ field: "items", from: "1 × T-shirt (L)", to: "2 × T-shirt (L)" }],
    },
    { ...options, isConfirmation: kind === "order_placed" },
  );
}

function toWithdrawalSample({ language, nowMs, ...options }: SampleOptions): MailFilling {
  const record: WithdrawalRecord = {
    id: "wdr_sample",
    version: 1,
    name: "Ann Smith",
    orderNumber: NUMBER,
    email: EMAIL,
    what: "",
    lines: [{ lineId: "lin_1", quantity: 1 }],
    language,
    state: "received",
    marks: [],
    history: [],
    receivedAt: nowMs,
    refundBy: nowMs + 14 * DAY_MS,
  };
  const order = toOrder("delivered", { language, nowMs, ...options });
  return toWithdrawalFilling({ record, order, note: NOTE }, options.site);
}

function toDraftSample({ site, publicUrl, nowMs, ...options }: SampleOptions): MailFilling {
  const quoted = { ...toOrder("pending_payment", { site, publicUrl, nowMs, ...options }), email: EMAIL };
  const mail = { number: "D-7KQ4MP2X", quoted, expiresAt: nowMs + 14 * DAY_MS, message: NOTE };
  return toLinkFilling({ ...mail, url: `${publicUrl}/pay/D-7KQ4MP2X?token=dt_sample` }, site);
}

/** The subscription of the software, and the order of its next year. */
function toRenewalSample(kind: RenewalMailKind, options: SampleOptions): MailFilling {
  const { site, nowMs } = options;
  const first = toOrder("delivered", options);
  const [, line] = first.lines;
  const terms = { every: "year", count: 1, price: 4_900, graceDays: 7 } as const;
  const until = addPeriods(nowMs, terms, { periods: 1, timeZone: site.timeZone });
  const renewal = { subscriptionId: "sub_sample", number: 1, from: nowMs, until };
  const lines = line === undefined ? [] : [{ ...line, renewal }];
  const sums = { subtotal: 4_900, shipping: 0, total: 4_900, lines, shipment: undefined };
  const subscription: SubscriptionRecord = {
    id: "sub_sample",
    version: 1,
    number: "S-7KQ4MP2X",
    orderId: first.id,
    lineId: "lin_2",
    productId: "prd_2",
    stockId: "prd_2",
    title: "Software",
    sku: "",
    options: {},
    terms,
    currency: site.currency,
    nextPrice: { price: 5_900, from: until, toldAt: nowMs },
    timeZone: site.timeZone,
    anchorAt: nowMs,
    paid: 0,
    paidUntil: nowMs,
    state: "active",
    canceledAt: nowMs,
    endedAt: nowMs,
    renewals: 1,
    reminders: 0,
    way: kind === "renewal_upcoming" || kind === "renewal_failed" ? "automatic" : "invoice",
    events: [],
    createdAt: nowMs,
    updatedAt: nowMs,
  };
  const hasOrder = ["renewal_invoice", "renewal_upcoming", "renewal_unpaid", "renewal_failed"].includes(kind);
  const order = hasOrder ? { ...toOrder("pending_payment", options), ...sums } : undefined;
  const payUrl = kind === "renewal_failed" ? "https://pay.example.org/sample" : undefined;
  return toRenewalFilling({ kind, subscription, first, order, payUrl }, options);
}

/** Sample values for the variables of a kind of email. */
export function toSample(kind: TemplateKind, options: SampleOptions): MailFilling {
  const { site, publicUrl, language } = options;
  switch (kind) {
    case "restock":
    case "price_drop": {
      const sample = { wishId: "wish", to: EMAIL, title: "T-shirt (L)", slug: "t-shirt", language };
      const prices = { price: 1_499, priceBefore: 1_999, currency: site.currency };
      const unsubscribe = `${publicUrl}/api/unsubscribe/sample`;
      return toWishFilling({ kind, ...sample, ...prices }, { site, publicUrl, unsubscribe });
    }
    case "question_reply":
      return toReplyFilling(
        { question: QUESTION, reply: NOTE, url: `${publicUrl}/questions/sample`, language },
        site,
      );
    case "draft_link":
      return toDraftSample(options);
    case "checkout_reminder": {
      const links = {
        restoreUrl: `${publicUrl}/restore-cart`,
        unsubscribe: `${publicUrl}/api/unsubscribe/sample`,
      };
      return toReminderFilling(toOrder("expired", options), { site, ...links });
    }
    case "review_invitation": {
      const order = toOrder("delivered", options);
      const unsubscribe = `${publicUrl}/api/unsubscribe/sample`;
      return toInvitationFilling(order, { ...options, lines: order.lines, unsubscribe });
    }
    case "stock_request":
      return toConfirmFilling(
        { product: "T-shirt (L)", confirmUrl: `${publicUrl}/back-in-stock`, language },
        site,
      );
    case "back_in_stock": {
      const unsubscribe = `${publicUrl}/api/unsubscribe/sample`;
      const price = formatAmount(1_999, site.currency, language);
      const about = { product: "T-shirt (L)", price, slug: "t-shirt", language, unsubscribe };
      return toBackFilling(about, { site, publicUrl });
    }
    case "gift_card": {
      const card = { balance: 5_000, currency: site.currency, message: NOTE, recipientName: "Ann", language };
      return toGiftFilling({ ...card, code: "7KQ4-MPXA-2C8F-3K2N" }, { site, publicUrl });
    }
    case "withdrawal_received":
    case "withdrawal_accepted":
    case "withdrawal_declined":
      return toWithdrawalSample(options);
    case "renewal_price":
    case "renewal_invoice":
    case "renewal_upcoming":
    case "renewal_unpaid":
    case "renewal_failed":
    case "renewal_canceled":
    case "renewal_resumed":
    case "renewal_ended":
      return toRenewalSample(kind, options);
    case "renewal_paid":
      return toOrderSample("order_paid", options);
    case "order_placed":
    case "order_paid":
    case "order_shipped":
    case "order_delivered":
    case "order_canceled":
    case "order_expired":
    case "order_refunded":
    case "order_edited":
    case "order_token":
    case "order_link":
      return toOrderSample(kind, options);
  }
}
