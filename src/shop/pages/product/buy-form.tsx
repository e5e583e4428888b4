/** @jsxImportSource hono/jsx */
/** Choosing a variant and a quantity of a product, and putting it into the cart. */
import type { CatalogueItem } from "../../catalogue/item.ts";
import { type FormState, openedForm } from "../../../html/faults.ts";
import type { Visit } from "../visit.tsx";
import type { Offer } from "../pieces/offer.tsx";
import { formatNumber } from "../../base/money.ts";
import { toOpenPriceWords } from "../pieces/product-card.tsx";
import { Swatch } from "../pieces/swatch.tsx";
import type { ChoiceGroup } from "./choice.ts";
import { StockForm } from "../back-in-stock/back-in-stock.tsx";
import { findSwatches } from "./swatches.ts";
import { toProductPath } from "../../products/slug.ts";

/** The options of a product: each value leads to the page of what has it. */
export function Choices({
  groups,
  slug,
  visit: { t },
}: {
  readonly groups: readonly ChoiceGroup[];
  readonly slug: string;
  readonly visit: Pick<Visit, "t">;
}) {
  return (
    <>
      {groups.map(({ name, values }, at) => {
        const swatches = findSwatches(
          name,
          values.map(({ label }) => label),
        );
        return (
          <div class="stack is-tight" role="group" aria-labelledby={`choice-${at}`}>
            <p class="field-label" id={`choice-${at}`}>
              {name === "" ? t("product.variant") : name}
            </p>
            <ul class="choices">
              {values.map(({ label, variantId, isChosen, isAvailable }, index) => (
                <li>
                  <a
                    class={isAvailable ? "choice" : "choice is-out"}
                    href={`${toProductPath(slug)}?v=${encodeURIComponent(variantId)}`}
                    rel="nofollow"
                    data-choice
                    aria-current={isChosen ? "true" : undefined}
                  >
                    {swatches === undefined ? <></> : <Swatch color={swatches[index] ?? ""} />}
                    {label}
                    {isChosen ? <span class="for-readers"> ({t("product.chosen")})</span> : <></>}
                    {isAvailable ? <></> : <span class="for-readers"> ({t("product.notAvailable")})</span>}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </>
  );
}

function toQuantityHint(
  { minQuantity: min, maxQuantity: max }: CatalogueItem["product"],
  { t }: Pick<Visit, "t">,
) {
  if (min > 1) return t("product.quantityHint", { min, max });
  return max < 100 ? t("product.quantityMax", { max }) : undefined;
}

function findFault({ faults }: FormState, name: string): string | undefined {
  return faults.find(({ field }) => field === name)?.text;
}

/** What the buyer pays for a unit, the suggested price at first. */
function PriceField({
  product: { payWhatYouWant: { minimum, maximum } = { minimum: 0 }, currency },
  offer,
  visit: { t, money, language },
  state,
}: {
  readonly product: CatalogueItem["product"];
  readonly offer: Offer;
  readonly visit: Visit;
  readonly state: FormState;
}) {
  const fault = findFault(state, "price");
  const hint =
    maximum === undefined
      ? t("product.priceMin", { min: money(minimum, currency) })
      : t("product.priceRange", { min: money(minimum, currency), max: money(maximum, currency) });
  return (
    <div class="field price-field">
      <label class="field-label" for="field-price">
        {t("product.yourPrice", { currency })}
      </label>
      <input
        id="field-price"
        type="text"
        name="price"
        value={state.values["price"] ?? formatNumber(offer.price, currency, language)}
        inputmode="decimal"
        autocomplete="off"
        required
        aria-invalid={fault === undefined ? undefined : "true"}
        aria-describedby={fault === undefined ? "price-hint" : "price-hint price-fault"}
      />
      {fault === undefined ? (
        <></>
      ) : (
        <p class="field-error" id="price-fault">
          {fault}
        </p>
      )}
      <p class="field-hint" id="price-hint">
        {minimum === 0 && maximum === undefined ? t("product.priceFree") : hint}
      </p>
    </div>
  );
}

/** The form; words in its place where nothing can be ordered. */
export function BuyForm({
  item: { product },
  offer,
  visit,
  state = openedForm,
}: {
  readonly item: CatalogueItem;
  readonly offer: Offer;
  readonly visit: Visit;
  /** Of an addition that was refused. */
  readonly state?: FormState;
}) {
  const { t, site, formToken, publicUrl } = visit;
  if (site.maintenance || !site.checkoutOpen) return <p class="note">{t("product.closed")}</p>;
  if (offer.available < product.minQuantity)
    return (
      <>
        <p class="note">{t("product.outHint")}</p>
        {site.stockRequests.enabled && publicUrl !== "" && offer.available === 0 ? (
          <StockForm
            visit={visit}
            state={{ values: {}, faults: [] }}
            productId={product.id}
            variantId={offer.variant?.id}
          />
        ) : (
          <></>
        )}
      </>
    );
  const hint = toQuantityHint(product, visit);
  const isOne = product.maxQuantity === 1;
  return (
    <form class="buy" id="buy" method="post" action="/cart" data-close={t("product.zoomClose")}>
      <input type="hidden" name="form" value={formToken} />
      <input type="hidden" name="productId" value={product.id} />
      {offer.variant === undefined ? (
        <></>
      ) : (
        <input type="hidden" name="variantId" value={offer.variant.id} />
      )}
      {product.payWhatYouWant === undefined ? (
        <></>
      ) : (
        <PriceField product={product} offer={offer} visit={visit} state={state} />
      )}
      {isOne ? (
        <input type="hidden" name="quantity" value="1" />
      ) : (
        <div class="field">
          <label class="field-label" for="field-quantity">
            {t("product.quantity")}
          </label>
          <input
            id="field-quantity"
            type="number"
            name="quantity"
            value={state.values["quantity"] ?? product.minQuantity}
            min={product.minQuantity}
            max={product.maxQuantity}
            inputmode="numeric"
            required
            aria-invalid={findFault(state, "quantity") === undefined ? undefined : "true"}
            aria-describedby={hint === undefined ? undefined : "quantity-hint"}
          />
        </div>
      )}
      <button class="button primary buy-button" type="submit">
        {t("product.add")}
      </button>
      {hint === undefined || isOne ? (
        <></>
      ) : (
        <p class="field-hint" id="quantity-hint">
          {hint}
        </p>
      )}
    </form>
  );
}

/** On phones: what the product costs, and the button, always in sight; nothing where it cannot be ordered. */
export function BuyBar({ item: { product }, offer, visit }: Omit<Parameters<typeof BuyForm>[0], "state">) {
  const { t, site, money } = visit;
  if (site.maintenance || !site.checkoutOpen || offer.available < product.minQuantity) return <></>;
  return (
    <div class="buy-bar">
      <span class="price num">{toOpenPriceWords(product, visit) ?? money(offer.price, offer.currency)}</span>
      <button class="button primary" type="submit" form="buy">
        {t("product.add")}
      </button>
    </div>
  );
}
