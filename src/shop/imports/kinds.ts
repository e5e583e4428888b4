/** The kinds of imports. */
import { undoCoupon } from "./coupons/apply.ts";
import { couponColumns } from "./coupons/columns.ts";
import { readCoupons } from "./coupons/read.ts";
import { undoCustomer } from "./customers/apply.ts";
import { customerColumns } from "./customers/columns.ts";
import { readCustomers } from "./customers/read.ts";
import { undoKey } from "./keys/apply.ts";
import { keyColumns } from "./keys/columns.ts";
import { readKeys } from "./keys/read.ts";
import { undoGiftCard } from "./gift-cards/apply.ts";
import { giftCardColumns } from "./gift-cards/columns.ts";
import { readGiftCards } from "./gift-cards/read.ts";
import type { ImportKind } from "./kind.ts";
import { productColumns } from "./product-columns.ts";
import { readProducts } from "./read-products.ts";
import { type ImportKindName, importKindSchema } from "./schema.ts";
import { undoReview } from "./reviews/apply.ts";
import { reviewColumns } from "./reviews/columns.ts";
import { readReviews } from "./reviews/read.ts";
import { undoProduct } from "./undo-product.ts";

const productsKind: ImportKind = {
  columns: productColumns,
  needed: [{ oneOf: ["title"], missing: "import.needs.title" }],
  read: readProducts,
  undo: undoProduct,
};

const customersKind: ImportKind = {
  columns: customerColumns,
  needed: [{ oneOf: ["email"], missing: "import.needs.email" }],
  read: readCustomers,
  undo: undoCustomer,
};

const couponsKind: ImportKind = {
  columns: couponColumns,
  needed: [
    { oneOf: ["code"], missing: "import.needs.code" },
    { oneOf: ["value", "percent", "amount"], missing: "import.needs.value" },
  ],
  read: readCoupons,
  undo: undoCoupon,
};

const keysKind: ImportKind = {
  columns: keyColumns,
  needed: [
    { oneOf: ["key"], missing: "import.needs.key" },
    { oneOf: ["product", "productName"], missing: "import.needs.product" },
  ],
  isSecret: true,
  read: readKeys,
  undo: undoKey,
};

const giftCardsKind: ImportKind = {
  columns: giftCardColumns,
  needed: [
    // Last characters alone are refused row by row, with the reason.
    { oneOf: ["code", "lastFour"], missing: "import.needs.giftCode" },
    { oneOf: ["balance", "initial"], missing: "import.needs.balance" },
  ],
  isSecret: true,
  read: readGiftCards,
  undo: undoGiftCard,
};

const reviewsKind: ImportKind = {
  columns: reviewColumns,
  needed: [
    { oneOf: ["stars"], missing: "import.needs.stars" },
    { oneOf: ["product", "productId", "productName"], missing: "import.needs.reviewed" },
  ],
  read: readReviews,
  undo: undoReview,
};

export const importKinds: Readonly<Record<ImportKindName, ImportKind>> = {
  products: productsKind,
  customers: customersKind,
  coupons: couponsKind,
  keys: keysKind,
  giftCards: giftCardsKind,
  reviews: reviewsKind,
};

export const importKindNames = importKindSchema.options;

/** Nouns of audit entries. */
export const auditNouns: Readonly<Record<ImportKindName, string>> = {
  products: "product",
  customers: "customer",
  coupons: "coupon",
  keys: "key",
  giftCards: "gift-card",
  reviews: "review",
};
