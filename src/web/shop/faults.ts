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
    [/^is no category of the site/u, "shop.fault.noCategory"],
    [/small letters, digits/u, "shop.fault.slug"],
    [/^is needed without variants/u, "shop.fault.needsPrice"],
    [/^is needed for a new product/u, "shop.fault.needsTitle"],
    [/is on line \d+ already$/u, "shop.fault.twin"],
    [/is no column; there are/u, "shop.fault.column"],
    [/belongs to another product$/u, "shop.fault.taken"],
    [/belongs to another coupon$/u, "shop.fault.codeTaken"],
    [/^comes from the keys/u, "shop.fault.keyStock"],
    [/^must not be less than minQuantity$/u, "shop.fault.least"],
    [/^is there twice$/u, "shop.fault.twice"],
    [/^Orders in the former currency wait for payment/u, "shop.refusal.currencyOrders"],
    [/^Products have prices in another currency, such as "([^"]+)"/u, "shop.refusal.currencyProducts"],
    [/^(\d+) categories stand below it/u, "shop.refusal.categoriesBelow"],
    [/^(\d+) products are in it/u, "shop.refusal.productsInside"],
    [/^(\d+) orders use the coupon/u, "shop.refusal.couponUsed"],
    [/^It has files; remove them first/u, "shop.refusal.productFiles"],
    [/^It was sold (\d+) times/u, "shop.refusal.productSold"],
    [/^(\d+) of it are reserved/u, "shop.refusal.productReserved"],
    [/^It has (\d+) keys/u, "shop.refusal.productKeys"],
  ],
  fields: {},
};
