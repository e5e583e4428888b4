import { defineCollection } from "../../store/store.ts";
import { productRecordSchema, viewRecordSchema, stockRecordSchema, secretRecordSchema } from "./schema.ts";
import { productFileRecordSchema } from "./file-schema.ts";

export const products = defineCollection({
  name: "products",
  revision: 1,
  schema: productRecordSchema,
  unique: { bySlug: ["slug"] },
  ordered: { byStatus: ["status", "createdAt"], byUpdated: ["updatedAt"], byCategory: ["categoryId"] },
});

export const views = defineCollection({ name: "views", revision: 1, schema: viewRecordSchema });

export const stock = defineCollection({
  name: "stock",
  revision: 1,
  schema: stockRecordSchema,
  ordered: { byProduct: ["productId"] },
  // No store commits a promise of more than there is.
  checks: { neverOversold: { field: "reserved", atMost: { field: "onHand" } } },
});

export const secrets = defineCollection({
  name: "secrets",
  revision: 1,
  schema: secretRecordSchema,
  unique: { byMac: ["stockId", "mac"] },
  ordered: { byState: ["stockId", "state"], byOrder: ["orderId"], byProduct: ["productId", "state"] },
});

export const productFiles = defineCollection({
  name: "productFiles",
  revision: 1,
  schema: productFileRecordSchema,
  ordered: { byProduct: ["productId", "position"] },
});
