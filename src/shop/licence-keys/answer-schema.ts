/** Responses about license keys and shared secrets. */
import { z } from "@hono/zod-openapi";
import { pageSchema } from "../../kit/http/paging.ts";
import { viewOf } from "../../kit/http/view.ts";
import { secretRecordSchema } from "../products/schema.ts";

export const keysAddedSchema = z
  .object({
    added: z.int(),
    duplicates: z.array(z.int()).openapi({ description: "Positions of skipped duplicates, starting at 1" }),
  })
  .openapi("KeysAdded");
export type KeysAdded = z.infer<typeof keysAddedSchema>;

export const keysReadSchema = z.object({ keys: z.array(z.string()) }).openapi("KeysRead");
export type KeysRead = z.infer<typeof keysReadSchema>;

export const keyView = viewOf(
  secretRecordSchema,
  ["id", "stockId", "state", "orderId"],
  ["addedAt", "givenAt"],
);
export const productKeySchema = z
  .object({
    ...keyView.shape,
    stockId: z.string().openapi({ description: "ID of the variant, or of the product without variants" }),
    value: z.string().openapi({ description: "The key, masked unless reveal is true" }),
  })
  .openapi("ProductKey");
export type ProductKeyView = z.infer<typeof productKeySchema>;
export const productKeyPageSchema = pageSchema(productKeySchema).openapi("ProductKeyPage");

export const sharedSecretSchema = z
  .object({ sharedSecretSet: z.boolean(), value: z.string().optional() })
  .openapi("SharedSecret");
export type SharedSecretView = z.infer<typeof sharedSecretSchema>;
