/** A coupon's fields for administrators. The form in the console follows (src/web/shop/coupons). */
import { z } from "zod";
import { always, filled, maybe, maybeTime } from "../../kit/fields/field-table.ts";
import { line, slug, trimmedLine } from "../../kit/text/schemas.ts";
import { MAX_AMOUNT } from "../base/money.ts";
import { countrySchema } from "../base/postal-address.ts";
import { MAX_QUANTITY } from "../products/schema.ts";
import { amountSchema } from "../base/money-schema.ts";

const uses = z.number().int().min(1).max(1_000_000_000);

export const couponFields = {
  /** Every order gets it that meets its conditions; it has no code. */
  automatic: maybe(z.boolean()),
  /** Without one, the shop makes one up; "" of automatic discounts. */
  code: always(line(60), { change: trimmedLine(60) }),
  /** For buyers, in place of a code. */
  title: maybe(trimmedLine(80)),
  /** "buy_get": units that are cheaper, or free, for others that are bought. */
  kind: always(z.enum(["percent", "fixed", "shipping", "buy_get"])),
  /** Percent in hundredths (1000 = 10 %; of "buy_get" off each unit that is given), or minor units; 0 for "shipping". */
  value: always(z.number().int().min(0).max(MAX_AMOUNT)),
  minimum: filled(amountSchema, 0),
  minimumQuantity: maybe(z.number().int().min(1).max(MAX_QUANTITY)),
  /** The largest discount that it gives; for "percent" and "shipping". */
  cap: maybe(amountSchema),
  /** Of "buy_get": for so many units of the products that it is for… */
  buyQuantity: maybe(z.number().int().min(1).max(MAX_QUANTITY)),
  /** …so many others are given. */
  getQuantity: maybe(z.number().int().min(1).max(MAX_QUANTITY)),
  /** Products that are given; none: those that are bought. */
  getProductIds: maybe(z.array(z.string().min(1).max(100)).max(1_000)),
  /** Whether it is given together with others that stack. */
  stacks: maybe(z.boolean()),
  /** Where orders are sent, or buyers live; none: everywhere. */
  countries: maybe(z.array(countrySchema).max(250)),
  startsAt: maybeTime(),
  endsAt: maybeTime(),
  maxUses: maybe(uses),
  maxUsesPerUser: maybe(uses),
  productIds: filled(z.array(z.string().min(1).max(100)).max(1_000), []),
  categoryIds: filled(z.array(slug).max(200), []),
  enabled: filled(z.boolean(), true),
  note: filled(line(300), ""),
};
