/** A coupon's fields for administrators. The form in the console follows (src/web/shop/coupons). */
import { z } from "zod";
import { always, filled, maybe, maybeTime } from "../../kit/fields/field-table.ts";
import { line, slug, trimmedLine } from "../../kit/text/schemas.ts";
import { MAX_AMOUNT } from "../base/money.ts";
import { amountSchema } from "../base/money-schema.ts";

const uses = z.number().int().min(1).max(1_000_000_000);

export const couponFields = {
  /** Without one, the shop makes one up. */
  code: always(line(60), { change: trimmedLine(60) }),
  kind: always(z.enum(["percent", "fixed"])),
  /** Percent in hundredths (1000 = 10 %), or minor units. */
  value: always(z.number().int().min(1).max(MAX_AMOUNT)),
  minimum: filled(amountSchema, 0),
  /** The largest discount that it gives; for "percent". */
  cap: maybe(amountSchema),
  startsAt: maybeTime(),
  endsAt: maybeTime(),
  maxUses: maybe(uses),
  maxUsesPerUser: maybe(uses),
  productIds: filled(z.array(z.string().min(1).max(100)).max(1_000), []),
  categoryIds: filled(z.array(slug).max(200), []),
  enabled: filled(z.boolean(), true),
  note: filled(line(300), ""),
};
