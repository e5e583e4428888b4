/** Imports from other shops: their API, and names of what they have. */
import type { ImportView } from "../../../../shop/imports/answer-schema.ts";
import type { TextName } from "../../../app/texts.ts";
import { adminRequest } from "../../../ui/console/session.ts";

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

/** What people choose for a column; the file says the rest. */
export const fieldNames = {
  "": "shop.moving.field.none",
  title: "shop.moving.field.title",
  handle: "shop.moving.field.handle",
  summary: "shop.moving.field.summary",
  description: "shop.moving.field.description",
  status: "shop.moving.field.status",
  category: "shop.moving.field.category",
  tags: "shop.moving.field.tags",
  price: "shop.moving.field.price",
  salePrice: "shop.moving.field.salePrice",
  compareAtPrice: "shop.moving.field.compareAtPrice",
  currency: "shop.moving.field.currency",
  sku: "shop.moving.field.sku",
  stock: "shop.moving.field.stock",
  weight: "shop.moving.field.weight",
  weightUnit: "shop.moving.field.weightUnit",
  image: "shop.moving.field.image",
  imageAlt: "shop.moving.field.imageAlt",
  variantImage: "shop.moving.field.variantImage",
  option1Name: "shop.moving.field.option1Name",
  option1Value: "shop.moving.field.option1Value",
  option2Name: "shop.moving.field.option2Name",
  option2Value: "shop.moving.field.option2Value",
  parent: "shop.moving.field.parent",
  url: "shop.moving.field.url",
  foreignId: "shop.moving.field.foreignId",
  kind: "shop.moving.field.kind",
  published: "shop.moving.field.published",
  vendor: "shop.moving.field.vendor",
  inStock: "shop.moving.field.inStock",
  tracker: "shop.moving.field.tracker",
  shipping: "shop.moving.field.shipping",
  taxable: "shop.moving.field.taxable",
  imagePosition: "shop.moving.field.imagePosition",
  option3Name: "shop.moving.field.option3Name",
  option3Value: "shop.moving.field.option3Value",
} as const satisfies Readonly<Record<string, TextName>>;
