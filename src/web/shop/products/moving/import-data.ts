/** Imports from other shops: their API, and names of what they have. */
import type { ImportView } from "../../../../shop/imports/answer-schema.ts";
import { type TextName, findText } from "../../../app/texts.ts";
import { adminRequest, mayUse } from "../../../ui/console/session.ts";

export type ImportKind = ImportView["kind"];

export const IMPORTS = "/api/admin/imports";

/** The page of one import. */
export function toImportHref(id: string): string {
  return `/admin/products/import?from=shop&import=${id}`;
}

export function sendMove(id: string, move: string, body?: object): Promise<ImportView> {
  return adminRequest<ImportView>(`${IMPORTS}/${id}/${move}`, { method: "POST", ...(body && { body }) });
}

/** Whether the job works on it, so that the page asks again. */
export function isWorking({ state }: Pick<ImportView, "state">): boolean {
  return state === "checking" || state === "running" || state === "undoing";
}

export const stateNames = {
  receiving: "shop.moving.state.receiving",
  checking: "shop.moving.state.checking",
  checked: "shop.moving.state.checked",
  failed: "shop.moving.state.failed",
  running: "shop.moving.state.running",
  stopped: "shop.moving.state.stopped",
  done: "shop.moving.state.done",
  undoing: "shop.moving.state.undoing",
  undone: "shop.moving.state.undone",
} as const satisfies Record<ImportView["state"], TextName>;

/** Names of programs are the same in all languages. */
export const sourceNames: Readonly<Partial<Record<NonNullable<ImportView["source"]>, string>>> = {
  shopify: "Shopify",
  woocommerce: "WooCommerce",
  gumroad: "Gumroad",
  lemonsqueezy: "Lemon Squeezy",
};

/** The names of what is imported are those of its sections. */
export const kindNames = {
  products: "shop.nav.products",
  customers: "shop.nav.customers",
  coupons: "shop.nav.coupons",
  keys: "shop.moving.kind.keys",
  giftCards: "shop.nav.giftCards",
  reviews: "shop.nav.reviews",
} as const satisfies Record<ImportKind, TextName>;

/** What one record is called at the head of a column. */
export const recordNames = {
  products: "shop.moving.column.product",
  customers: "shop.moving.column.customer",
  coupons: "shop.moving.column.coupon",
  keys: "shop.moving.field.key",
  giftCards: "shop.giftCards.code",
  reviews: "shop.moving.column.product",
} as const satisfies Record<ImportKind, TextName>;

/** The list of what was imported; license keys are found by their products. */
export function toListHref(kind: ImportKind): string {
  if (kind === "giftCards") return "/admin/gift-cards";
  return `/admin/${kind === "keys" ? "products" : kind}`;
}

/** The page of a record. */
export function toRecordHref(kind: ImportKind, id: string): string {
  return kind === "keys" ? toListHref(kind) : `${toListHref(kind)}/${encodeURIComponent(id)}`;
}

/** Customers are personal data, and gift cards are money: both have rights of their own. */
export function mayImport(kind: ImportKind): boolean {
  if (kind === "customers" && !mayUse("customers:write")) return false;
  if (kind === "giftCards" && !mayUse("orders:write")) return false;
  return mayUse("products:write");
}

/** A sentence of the service in the reader's language. */
export function toSentence(message: string | undefined, said: ImportView["failureText"]): string {
  return (said && findText(said.key, said.values)) ?? message ?? "";
}
