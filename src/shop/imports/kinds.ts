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
import type { ImportKind } from "./kind.ts";
import { productColumns } from "./product-columns.ts";
import { readProducts } from "./read-products.ts";
import { type ImportKindName, importKindSchema } from "./schema.ts";
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

export const importKinds: Readonly<Record<ImportKindName, ImportKind>> = {
  products: productsKind,
  customers: customersKind,
  coupons: couponsKind,
  keys: keysKind,
};

export const importKindNames = importKindSchema.options;

/** Nouns of audit entries. */
export const auditNouns: Readonly<Record<ImportKindName, string>> = {
  products: "product",
  customers: "customer",
  coupons: "coupon",
  keys: "key",
};
