/** The way back from a coupon. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";

/** The way back to the list. */
export function CouponCrumbs(): JSX.Element {
  return (
    <p class="crumbs">
      <a href="/admin/coupons">{text("shop.nav.coupons")}</a>
    </p>
  );
}
