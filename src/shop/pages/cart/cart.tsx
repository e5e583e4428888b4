/** @jsxImportSource hono/jsx */
/** The cart: what is in it, what it costs, and the way to the checkout. */
import { formatNumber } from "../../base/money.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { wordsIn } from "../../catalogue/languages.ts";
import type { Checkout } from "../../checkout/checkout.ts";
import { nameLine } from "../../orders/delivery.ts";
import { imageWidths, toImageAddress, toPlate } from "../../products/image-url.ts";
import { Form, FormFaults } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import type { FormStatus } from "../../../html/form-pages.ts";
import type { SentForm } from "../../../html/sent-form.ts";
import type { PageRoutes } from "../page.ts";
import type { Visit, Visits } from "../visit.tsx";
import { addToCart, changeCart, toLineKey } from "./cart-changes.ts";
import type { CartLine } from "../cart-cookie.ts";
import { findOffer, findPicture } from "../pieces/offer.tsx";
import { toRenewalNote } from "../pieces/renewal-note.tsx";
import { toRenewalTerms } from "../../products/license-schema.ts";
import { BuyForm } from "../product/buy-form.tsx";
import { CartSums } from "./cart-sums.tsx";
import { type KnownLine, isKnown, viewCart } from "./cart-view.ts";
import { toProductPath } from "../../products/slug.ts";

const doneWords = ["added", "addedMost", "changed"] as const;

function Thumb({ line }: { readonly line: KnownLine }) {
  const image = findPicture(line.item.product, line.offer.variant);
  if (image === undefined)
    return (
      <span class="thumb picture is-empty" aria-hidden="true">
        {/./u.exec(line.title)?.[0]}
      </span>
    );
  return (
    <img
      class={`thumb${toPlate(image)}`}
      src={`${toImageAddress(image.hash)}?w=${imageWidths[0]}`}
      width={image.width}
      height={image.height}
      alt=""
      loading="lazy"
    />
  );
}

function RemoveButton({
  line,
  title,
  visit: { t },
}: {
  readonly line: CartLine;
  readonly title: string;
  readonly visit: Visit;
}) {
  return (
    <button
      class="button quiet"
      type="submit"
      name="remove"
      value={toLineKey(line)}
      aria-label={t("cart.removeOf", { title })}
    >
      {t("cart.remove")}
    </button>
  );
}

function GoneLine({ line, visit }: { readonly line: CartLine; readonly visit: Visit }) {
  const { t } = visit;
  return (
    <li class="cart-line">
      <span class="thumb is-empty"></span>
      <div class="cart-what">
        <strong>{t("cart.unavailableTitle")}</strong>
        <p class="field-error">{t("cart.unavailable")}</p>
      </div>
      <div class="cart-do">
        <RemoveButton line={line} title={t("cart.unavailableTitle")} visit={visit} />
      </div>
    </li>
  );
}

/** The price that the buyer chose, to change it. */
function ChosenPrice({
  line,
  title,
  visit: { t, language },
  state,
}: {
  readonly line: KnownLine;
  readonly title: string;
  readonly visit: Visit;
  readonly state: FormState;
}) {
  const { currency } = line.item.product;
  const name = `p-${toLineKey(line)}`;
  const fault = state.faults.find(({ field }) => field === name)?.text;
  return (
    <>
      <span class="row cart-own-price">
        <input
          id={`field-${name}`}
          class="cart-quantity"
          type="text"
          name={name}
          value={state.values[name] ?? formatNumber(line.unitPrice, currency, language)}
          inputmode="decimal"
          autocomplete="off"
          aria-label={t("cart.priceOf", { title })}
          aria-invalid={fault === undefined ? undefined : "true"}
          aria-describedby={fault === undefined ? undefined : `field-${name}-fault`}
        />
        <span class="small muted">{currency}</span>
      </span>
      {fault === undefined ? (
        <></>
      ) : (
        <p class="field-error" id={`field-${name}-fault`}>
          {fault}
        </p>
      )}
    </>
  );
}

function Line({
  line,
  visit,
  state,
}: {
  readonly line: KnownLine;
  readonly visit: Visit;
  readonly state: FormState;
}) {
  const { t, money } = visit;
  const { item, title, options, unitPrice, quantity, fault } = line;
  const { product } = item;
  const renewal = toRenewalTerms(product, line.offer.variant);
  const name = `q-${toLineKey(line)}`;
  const id = `field-${name}`;
  const typed = state.faults.find(({ field }) => field === name)?.text;
  const told = typed ?? fault;
  const address = toProductPath(product.slug) + (line.variantId === undefined ? "" : `?v=${line.variantId}`);
  const full = options === "" ? title : `${title}, ${options}`;
  return (
    <li class="cart-line">
      <Thumb line={line} />
      <div class="cart-what">
        <a href={address}>
          <strong>{title}</strong>
        </a>
        {options === "" ? <></> : <p class="small muted">{options}</p>}
        {renewal === undefined ? <></> : <p class="small">{toRenewalNote(renewal, { visit, quantity })}</p>}
        {product.payWhatYouWant === undefined ? (
          <p class="small muted num">{t("cart.unitPrice", { price: money(unitPrice, product.currency) })}</p>
        ) : (
          <ChosenPrice line={line} title={full} visit={visit} state={state} />
        )}
        {told === undefined ? (
          <></>
        ) : (
          <p class="field-error" id={`${id}-fault`}>
            {told}
          </p>
        )}
      </div>
      <div class="cart-do">
        <input
          id={id}
          class="cart-quantity"
          type="number"
          name={name}
          value={state.values[name] ?? quantity}
          min={0}
          max={product.maxQuantity}
          inputmode="numeric"
          aria-label={t("cart.quantityOf", { title: full })}
          aria-invalid={told === undefined ? undefined : "true"}
          aria-describedby={told === undefined ? undefined : `${id}-fault`}
        />
        <RemoveButton line={line} title={full} visit={visit} />
      </div>
      <span class="cart-price num">{money(unitPrice * quantity, product.currency)}</span>
    </li>
  );
}

function Empty({ visit: { t } }: { readonly visit: Visit }) {
  return (
    <div class="stack nothing" id="field-cart">
      <p>{t("cart.empty")}</p>
      <p>
        <a class="button primary" href="/">
          {t("cart.continue")}
        </a>
      </p>
    </div>
  );
}

/** A product whose price or quantity was refused, with what was typed. */
function Refused({
  state,
  visit,
  catalogue,
}: {
  readonly state: FormState;
  readonly visit: Visit;
  readonly catalogue: Pick<Catalogue, "find">;
}) {
  const item = catalogue.find(state.values["productId"] ?? "");
  if (item === undefined) return <></>;
  const { variants, slug } = item.product;
  const index = variants.findIndex(({ id }) => id === state.values["variantId"]);
  const offer = findOffer(item, Math.max(0, index));
  const { title } = wordsIn(item.product, visit.sellersLanguage);
  const name = nameLine({ title, options: offer.variant?.options ?? {} });
  const query = offer.variant === undefined ? "" : `?v=${offer.variant.id}`;
  return (
    <section class="card stack" aria-labelledby="refused">
      <h2 id="refused">
        <a href={toProductPath(slug) + query}>{name}</a>
      </h2>
      <BuyForm item={item} offer={offer} visit={visit} state={state} />
    </section>
  );
}

interface CartParts {
  readonly catalogue: Catalogue;
  readonly checkout: Checkout;
  readonly visits: Visits;
}

async function showCart(
  visit: Visit,
  {
    state,
    status,
    parts,
  }: {
    readonly state: FormState;
    readonly status: FormStatus;
    readonly parts: CartParts;
  },
): Promise<Response> {
  const { c, t, cart, formToken } = visit;
  const view = await viewCart(visit, parts);
  const done = doneWords.find((each) => each === c.req.query("done"));
  const isRefused = state.faults.some(({ field }) => field === "price" || field === "quantity");
  return visit.render({
    title: t("cart.title"),
    place: "/cart",
    status,
    body: (
      <>
        <h1>{t("cart.title")}</h1>
        {done === undefined ? (
          <></>
        ) : (
          <p class="note is-good" role="status">
            {t(`cart.${done}`)}
          </p>
        )}
        <FormFaults title={t("form.faults")} faults={state.faults} />
        {isRefused ? <Refused state={state} visit={visit} catalogue={parts.catalogue} /> : <></>}
        {cart.length === 0 ? (
          isRefused ? (
            <></>
          ) : (
            <Empty visit={visit} />
          )
        ) : (
          <div class="cart-page" id="field-cart">
            <Form action="/cart/change" token={formToken} label={t("cart.items")} class="stack">
              {/* The Enter key in a field presses the first button; otherwise the line above would be removed. */}
              <button class="for-readers" type="submit" tabindex={-1}>
                {t("cart.update")}
              </button>
              <ul class="cart-lines">
                {view.lines.map((line) =>
                  isKnown(line) ? (
                    <Line line={line} visit={visit} state={state} />
                  ) : (
                    <GoneLine line={line} visit={visit} />
                  ),
                )}
              </ul>
              <div class="row">
                <a href="/">{t("cart.continue")}</a>
                <button class="button push cart-update" type="submit">
                  {t("cart.update")}
                </button>
              </div>
            </Form>
            <CartSums view={view} visit={visit} />
          </div>
        )}
      </>
    ),
  });
}

/** Adds /cart with what is done there. */
export function addCartPage(pages: PageRoutes, parts: CartParts): void {
  const { catalogue, visits } = parts;
  const keep = ({ c }: Visit, lines: readonly CartLine[], done: string): Response => {
    visits.cart.write(c, lines);
    return c.redirect(`/cart?done=${done}`, 303);
  };
  const add = async (visit: Visit, { values }: SentForm): Promise<Response> => {
    const { variantId, quantity, price } = values;
    const item = catalogue.find(values["productId"] ?? "");
    const { language } = visit;
    const { lines, isAll } = addToCart(visit.cart, { item, variantId, quantity, price, language });
    return keep(visit, lines, isAll ? "added" : "addedMost");
  };
  pages.addPublic({
    path: "/cart",
    show: (visit, { status, ...state }) => showCart(visit, { state, status, parts }),
    actions: {
      // A double click puts it in once.
      "": { submit: add, isOnce: true },
      "/change": {
        submit: async (visit, { values }) =>
          keep(visit, changeCart(visit.cart, values, { catalogue, language: visit.language }), "changed"),
      },
    },
  });
}
