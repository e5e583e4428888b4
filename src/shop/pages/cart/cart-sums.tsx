/** @jsxImportSource hono/jsx */
/** The total of a cart, and the link to the checkout. */
import type { Preview } from "../../checkout/preview.ts";
import { nameDiscounts } from "../../coupons/order-discounts.ts";
import type { Visit } from "../visit.tsx";
import type { CartView } from "./cart-view.ts";

function SumLine({
  label,
  value,
  isTotal = false,
}: {
  readonly label: string;
  readonly value: string;
  readonly isTotal?: boolean;
}) {
  return (
    <div class={isTotal ? "sum is-total" : "sum"}>
      <dt>{label}</dt>
      <dd class="num">{value}</dd>
    </div>
  );
}

function toShippingWords({ shipping, lines, isEstimate }: Preview, { t, money }: Visit): string | undefined {
  if (!lines.some(({ deliveryType }) => deliveryType === "shipping")) return undefined;
  if (shipping === 0) return isEstimate ? t("cart.shippingLater") : t("cart.shippingFree");
  return money(shipping);
}

/** The sums beside the lines. */
export function CartSums({ view, visit }: { readonly view: CartView; readonly visit: Visit }) {
  const { t, money } = visit;
  const { sums, subtotal, note, canOrder } = view;
  const shipping = sums && toShippingWords(sums, visit);
  const tax = sums?.tax === undefined || sums.tax.amount === 0 ? undefined : sums.tax.amount;
  return (
    <section class="card cart-sums stack" aria-label={t("cart.total")}>
      <dl class="sums">
        <SumLine label={t("cart.subtotal")} value={money(sums?.subtotal ?? subtotal)} />
        {sums === undefined || sums.discount === 0 ? (
          <></>
        ) : (
          <SumLine
            label={t("sums.coupon", { code: nameDiscounts(sums) ?? "" })}
            value={money(-sums.discount)}
          />
        )}
        {shipping === undefined ? <></> : <SumLine label={t("cart.shipping")} value={shipping} />}
        {tax === undefined || sums?.pricesIncludeTax === true ? (
          <></>
        ) : (
          <SumLine label={t("cart.taxOnTop")} value={money(tax)} />
        )}
        {sums === undefined ? <></> : <SumLine label={t("cart.total")} value={money(sums.total)} isTotal />}
        {tax !== undefined && sums?.pricesIncludeTax === true ? (
          <SumLine label={t("cart.tax")} value={money(tax)} />
        ) : (
          <></>
        )}
      </dl>
      {sums?.isEstimate === true ? <p class="small muted">{t("cart.estimate")}</p> : <></>}
      {note === undefined ? <></> : <p class="note">{note}</p>}
      {canOrder ? (
        <a class="button primary wide" href="/checkout">
          {t("cart.checkout")}
        </a>
      ) : note === undefined ? (
        <p class="note">{t("cart.fixIssues")}</p>
      ) : (
        <></>
      )}
      <p class="small muted">{t("cart.coupon")}</p>
    </section>
  );
}
