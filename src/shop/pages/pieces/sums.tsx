/** @jsxImportSource hono/jsx */
/** The totals of an order, with its tax. */
import type { Totals } from "../../checkout/pricing.ts";
import { listTaxNotes } from "../../tax/notes.ts";
import { type OrderDiscount, nameDiscounts } from "../../coupons/order-discounts.ts";
import type { Visit } from "../visit.tsx";

type Html = ReturnType<typeof Row>;

interface SumsProps {
  readonly sums: Pick<Totals, "subtotal" | "discount" | "shipping" | "total" | "tax" | "pricesIncludeTax"> & {
    readonly currency: string;
  };
  readonly visit: Pick<Visit, "t" | "money" | "site" | "language">;
  /** Whether anything is sent: then shipping is named also where it is free. */
  readonly isSent: boolean;
  readonly shippingTitle?: string | undefined;
  readonly discounts?: readonly OrderDiscount[] | undefined;
  /** Of an order from before discounts were stored by name. */
  readonly couponCode?: string | undefined;
  /** Gift cards that pay: below the total, which they do not change. */
  readonly giftCards?: readonly { readonly lastFour: string; readonly amount: number }[] | undefined;
}

function Row({
  label,
  value,
  id,
  isTotal = false,
}: {
  label: string;
  value: string;
  id?: string;
  isTotal?: boolean;
}) {
  return (
    <div class={isTotal ? "sum is-total" : "sum"} id={id}>
      <dt>{label}</dt>
      <dd class="num">{value}</dd>
    </div>
  );
}

/** "19 %", "5.5 %". */
function toRateWords(basisPoints: number, language: string): string {
  const format = { style: "percent", maximumFractionDigits: 2 } as const;
  return new Intl.NumberFormat(language, format).format(basisPoints / 10_000);
}

function TaxRows({ sums, visit }: Pick<SumsProps, "sums" | "visit">): Html {
  const { t, money, language } = visit;
  const { tax, pricesIncludeTax, currency } = sums;
  if (tax === undefined) return <></>;
  const label = pricesIncludeTax === true ? "sums.taxIn" : "sums.taxOn";
  return (
    <>
      {tax.rates
        .filter(({ kind }) => kind === "taxed")
        .map((row) => (
          <Row label={t(label, { rate: toRateWords(row.rate, language) })} value={money(row.tax, currency)} />
        ))}
    </>
  );
}

/** The rows, the total last. */
export function Sums({
  sums,
  visit,
  isSent,
  shippingTitle,
  couponCode,
  discounts,
  giftCards = [],
}: SumsProps): Html {
  const { t, money, site, language } = visit;
  const { subtotal, discount, shipping, total, tax, pricesIncludeTax, currency } = sums;
  const isOnTop = tax !== undefined && pricesIncludeTax !== true;
  const isPlain = discount === 0 && shipping === 0 && !isSent && !isOnTop;
  const { seller, tax: settings } = site;
  const notes = listTaxNotes(
    (tax?.rates ?? []).map(({ kind }) => kind),
    { language, seller: seller.country, smallBusinessNote: settings.smallBusinessNote },
  );
  const name = nameDiscounts({ discounts, couponCode });
  const discountLabel = name === undefined ? t("sums.discount") : t("sums.coupon", { code: name });
  return (
    <>
      <dl class="sums">
        {isPlain ? <></> : <Row label={t("sums.subtotal")} value={money(subtotal, currency)} />}
        {discount === 0 ? <></> : <Row label={discountLabel} value={money(-discount, currency)} />}
        {shipping === 0 && !isSent ? (
          <></>
        ) : (
          <Row
            label={
              shippingTitle === undefined
                ? t("sums.shipping")
                : t("sums.shippingBy", { title: shippingTitle })
            }
            value={shipping === 0 ? t("sums.free") : money(shipping, currency)}
          />
        )}
        {isOnTop ? <TaxRows sums={sums} visit={visit} /> : <></>}
        <Row label={t("sums.total")} value={money(total, currency)} id="field-expectedTotal" isTotal />
        {isOnTop ? <></> : <TaxRows sums={sums} visit={visit} />}
        {giftCards.map(({ lastFour, amount }) => (
          <Row label={t("sums.giftCard", { code: `••••${lastFour}` })} value={money(-amount, currency)} />
        ))}
        {giftCards.length === 0 ? (
          <></>
        ) : (
          <Row
            label={t("sums.rest")}
            value={money(
              giftCards.reduce((rest, { amount }) => rest - amount, total),
              currency,
            )}
            isTotal
          />
        )}
      </dl>
      {notes.map((note) => (
        <p class="small muted">{note}</p>
      ))}
    </>
  );
}
