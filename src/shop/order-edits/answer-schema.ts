/** Responses about edits of orders. */
import { z } from "@hono/zod-openapi";
import { orderChangeSchema } from "../orders/schema.ts";
import { orderTaxSchema } from "../tax/schema.ts";

const lineSchema = z.object({
  id: z.string(),
  productId: z.string(),
  variantId: z.string().optional(),
  title: z.string(),
  options: z.record(z.string(), z.string()),
  quantity: z.int(),
  unitPrice: z.int(),
  subtotal: z.int(),
  discount: z.int(),
  total: z.int(),
  isNew: z.boolean(),
});

/** What an edit would do to an order. */
export const editPreviewSchema = z
  .object({
    version: z.int().openapi({ description: "Version of the order that the preview is for" }),
    currency: z.string(),
    lines: z.array(lineSchema),
    subtotal: z.int(),
    discount: z.int(),
    shipping: z.int(),
    total: z.int().openapi({ description: "Send it as expectedTotal with the edit" }),
    tax: orderTaxSchema.optional(),
    pricesIncludeTax: z.boolean().optional(),
    difference: z.int().openapi({ description: "The new total minus the present one" }),
    amountDue: z.int().openapi({ description: "Left to pay after the edit" }),
    overpaid: z.int().openapi({ description: "To refund after the edit" }),
    isCouponLost: z.boolean().openapi({ description: "The coupon of the order no longer applies" }),
    shippingMethods: z.array(z.object({ id: z.string(), title: z.string(), price: z.int() })),
    changes: z.array(orderChangeSchema),
  })
  .openapi("OrderEditPreview");
export type EditPreviewView = z.infer<typeof editPreviewSchema>;
