/** Which mails have words that an administrator may change, what can be filled into them, and how they are worded at first. */
import { findMailWords } from "./mail-words.ts";
import { findWithdrawalWords } from "./withdrawal-words.ts";

/** The variables in braces of one kind of email. */
interface KindSpec {
  /** Words that are put into a sentence, also of the subject. */
  readonly values: readonly string[];
  /** Parts that are separate paragraphs. */
  readonly blocks: readonly string[];
  /** Blocks that a text must have. */
  readonly needed: readonly string[];
}

const order = { values: ["shopName", "number", "email", "total"] } as const;
const wish = {
  values: ["shopName", "product", "price", "priceBefore"],
  blocks: ["details", "productLink", "unsubscribe"],
  needed: ["unsubscribe"],
} as const;
const withdrawal = {
  values: ["shopName", "number", "name", "refundBy"],
  blocks: ["note", "statement"],
} as const;

const renewal = { values: [...order.values, "product"], needed: ["renewal", "orderLink"] } as const;
const renewalToPay = {
  values: renewal.values,
  blocks: ["note", "renewal", "order", "instructions", "payLink", "invoice", "orderLink", "legal"],
  needed: ["renewal", "order", "instructions", "payLink", "orderLink"],
} as const;

/** The kinds, in the order in which a buyer gets them. Blocks are in the order of the default template. */
export const templateKinds = {
  order_placed: {
    ...order,
    blocks: [
      "note",
      "order",
      "payUntil",
      "instructions",
      "payLink",
      "invoice",
      "orderLink",
      "goods",
      "legal",
    ],
    needed: ["order", "payUntil", "instructions", "payLink", "orderLink", "legal"],
  },
  order_paid: {
    ...order,
    blocks: ["note", "order", "shipment", "invoice", "orderLink", "goods", "legal"],
    needed: ["order", "orderLink", "goods", "legal"],
  },
  order_delivered: {
    ...order,
    blocks: ["note", "order", "shipment", "invoice", "orderLink", "goods", "legal"],
    needed: ["order", "orderLink", "goods", "legal"],
  },
  order_shipped: {
    ...order,
    blocks: ["note", "order", "shipment", "invoice", "orderLink", "goods", "legal"],
    needed: ["order", "shipment", "orderLink", "goods", "legal"],
  },
  order_canceled: { ...order, blocks: ["note", "order", "orderLink"], needed: ["order"] },
  order_expired: { ...order, blocks: ["note", "order", "orderLink"], needed: ["order"] },
  order_refunded: {
    ...order,
    blocks: ["note", "order", "shipment", "invoice", "orderLink"],
    needed: ["order"],
  },
  order_edited: {
    ...order,
    blocks: ["note", "changes", "order", "invoice", "orderLink"],
    needed: ["changes", "orderLink"],
  },
  order_token: { ...order, blocks: ["note", "order", "shipment", "orderLink"], needed: ["orderLink"] },
  order_link: { ...order, blocks: ["note", "order", "shipment", "orderLink"], needed: ["orderLink"] },
  question_reply: {
    values: ["shopName"],
    blocks: ["reply", "question", "conversationLink"],
    needed: ["reply", "conversationLink"],
  },
  draft_link: {
    ...order,
    blocks: ["note", "order", "payUntil", "payLink"],
    needed: ["order", "payLink"],
  },
  gift_card: {
    values: ["shopName", "amount", "name"],
    blocks: ["message", "code", "details", "shopLink"],
    needed: ["code"],
  },
  renewal_price: { ...renewal, blocks: ["renewal", "orderLink"] },
  renewal_invoice: renewalToPay,
  renewal_upcoming: { ...renewal, blocks: ["renewal", "order", "orderLink", "legal"] },
  renewal_paid: {
    ...order,
    blocks: ["note", "order", "invoice", "orderLink"],
    needed: ["order", "orderLink"],
  },
  renewal_unpaid: renewalToPay,
  renewal_failed: renewalToPay,
  renewal_canceled: { ...renewal, blocks: ["renewal", "orderLink"] },
  renewal_resumed: { ...renewal, blocks: ["renewal", "orderLink"] },
  renewal_ended: { ...renewal, blocks: ["renewal", "orderLink"] },
  checkout_reminder: {
    values: ["shopName"],
    blocks: ["items", "checkoutLink", "unsubscribe"],
    needed: ["checkoutLink", "unsubscribe"],
  },
  review_invitation: {
    values: ["shopName", "number"],
    blocks: ["items", "reviewLink", "unsubscribe"],
    needed: ["reviewLink", "unsubscribe"],
  },
  stock_request: { values: ["shopName", "product"], blocks: ["confirmLink"], needed: ["confirmLink"] },
  back_in_stock: {
    values: ["shopName", "product", "price"],
    blocks: ["details", "productLink", "unsubscribe"],
    needed: ["unsubscribe"],
  },
  restock: wish,
  price_drop: wish,
  withdrawal_received: { ...withdrawal, needed: ["statement"] },
  withdrawal_accepted: { ...withdrawal, needed: [] },
  withdrawal_declined: { ...withdrawal, needed: ["note"] },
} as const satisfies Record<string, KindSpec>;

export type TemplateKind = keyof typeof templateKinds;

export const templateKindNames = Object.keys(templateKinds) as TemplateKind[]; // its keys by declaration

/** Languages in which mails are worded. */
export const mailLanguages = ["en", "de", "zh", "fr", "es"] as const;
export type MailLanguage = (typeof mailLanguages)[number];

/** The spec of a kind, without the names that only the table knows. */
export function getKindSpec(kind: TemplateKind): KindSpec {
  return templateKinds[kind];
}

/** The text of an email, with variables in braces. */
export interface MailTemplate {
  readonly subject: string;
  readonly text: string;
  /** The heading of the mail; the subject unless told. */
  readonly title?: string;
}

type WithdrawalKind = Extract<TemplateKind, `withdrawal_${string}`>;

function isWithdrawal(kind: TemplateKind): kind is WithdrawalKind {
  return kind.startsWith("withdrawal_");
}

function findTitleAndIntro(kind: TemplateKind, language: string): readonly [title: string, intro: string] {
  if (isWithdrawal(kind)) {
    const { words } = findWithdrawalWords(language);
    return [words[`${kind}.title`], words[`${kind}.intro`]];
  }
  const { words } = findMailWords(language);
  return [words[`${kind}.title`], words[`${kind}.intro`]];
}

/** The default template of a kind of email. */
export function toDefaultTemplate(kind: TemplateKind, language: string): Required<MailTemplate> {
  const [title, intro] = findTitleAndIntro(kind, language);
  const blocks = getKindSpec(kind).blocks.map((name) => `{${name}}`);
  const isStock = kind === "stock_request" || kind === "back_in_stock";
  const isWish = isStock || kind === "restock" || kind === "price_drop";
  const isPlain = kind === "question_reply" || kind === "gift_card" || kind === "checkout_reminder";
  const about = isWish ? " — {product}" : isPlain ? "" : " ({number})";
  const subject = title + about;
  return { title, subject, text: [intro, ...blocks].join("\n\n") };
}
