/** Fields of the console of the shop whose faults are worded alike, and refusals that are about one field. */
import type { FieldKinds } from "../ui/forms/fault-words.ts";

export const fieldKinds: FieldKinds = {
  kinds: {
    to: "email",
    from: "email",
    contactEmail: "email",
    url: "url",
    termsUrl: "url",
    privacyUrl: "url",
    imprintUrl: "url",
  },
  sentences: [
    [/smallest unit/u, "shop.fault.minor"],
    [/^is not a category of the shop/u, "shop.fault.noCategory"],
    [/lowercase letters, digits/u, "shop.fault.slug"],
    [/^is required without variants/u, "shop.fault.needsPrice"],
    [/^is required for a new product/u, "shop.fault.needsTitle"],
    [/is already on line \d+$/u, "shop.fault.twin"],
    [/is not a known column/u, "shop.fault.column"],
    [/(?:belongs to|is used by) another product/u, "shop.fault.taken"],
    [/belongs to another coupon$/u, "shop.fault.codeTaken"],
    [/^is the number of license keys/u, "shop.fault.keyStock"],
    [/^must not be less than minQuantity$/u, "shop.fault.least"],
    [/^must not be repeated$/u, "shop.fault.twice"],
    [/^The currency cannot change while orders/u, "shop.refusal.currencyOrders"],
    [/^Some products have prices in another currency, such as "([^"]+)"/u, "shop.refusal.currencyProducts"],
    [/^The category has (\d+) subcategories/u, "shop.refusal.categoriesBelow"],
    [/^The category has (\d+) products/u, "shop.refusal.productsInside"],
    [/^(\d+) orders use this coupon/u, "shop.refusal.couponUsed"],
    [/^This product has files attached/u, "shop.refusal.productFiles"],
    [/^This product was sold (\d+) times/u, "shop.refusal.productSold"],
    [/^(\d+) units of this product are reserved/u, "shop.refusal.productReserved"],
    [/^This product has (\d+) license keys/u, "shop.refusal.productKeys"],
  ],
  fields: {},
};
