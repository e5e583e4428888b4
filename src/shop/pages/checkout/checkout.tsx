/** @jsxImportSource hono/jsx */
/** The checkout: one page that shows what an order costs, and makes the order. */
import { AppError } from "../../../kit/errors.ts";
import { needsRegion } from "../../base/regions.ts";
import { hashSecret } from "../../../kit/secrets/admin-token.ts";
import { newCodeText } from "../../../kit/secrets/id.ts";
import type { Fault, FormState } from "../../../html/faults.ts";
import type { FormStatus } from "../../../html/form-pages.ts";
import { type SentForm, parseInput } from "../../../html/sent-form.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Checkout } from "../../checkout/checkout.ts";
import { type CheckoutInput, checkoutBodySchema } from "../../checkout/schema.ts";
import { ShopError } from "../../base/errors.ts";
import type { Payment } from "../../orders/payment.ts";
import { listOnPages } from "../../payments/services/offered.ts";
import { getAddresses } from "../../edge/user-guard.ts";
import type { CustomerProfile } from "../../customers/profile-schema.ts";
import type { ProfileJoin } from "../../customers/profiles.ts";
import type { UserCheck } from "../../users/user-check.ts";
import { type Buyer, readBuyer } from "../account/buyers.ts";
import { toFaults } from "../form-faults.ts";
import type { OrderCookie } from "../order/order-cookie.ts";
import type { PageRoutes } from "../page.ts";
import type { Visit, Visits } from "../visit.tsx";
import { CheckoutPage, EmptyCheckout } from "./checkout-page.tsx";
import type { CheckoutView } from "./checkout-view.ts";
import { listDoubts, takeMeant, withAsked } from "./doubts.ts";
import { listSentTo } from "../pieces/countries.ts";
import { toLineFaults } from "./line-faults.ts";
import { listMissing } from "./missing.ts";
import { addressParts, readItems, toOrderInput, toPriceInput } from "./sent-checkout.ts";
import { readPrices } from "./shown-prices.ts";

interface Parts {
  readonly checkout: Checkout;
  readonly catalogue: Pick<Catalogue, "find">;
  readonly userCheck: UserCheck;
  readonly joinProfile: ProfileJoin;
  readonly visits: Pick<Visits, "cart">;
  readonly orderCookie: OrderCookie;
  readonly hasAccounts: boolean;
  readonly buyingHead: string;
}

const KEY_CHARACTERS = 24;
const KEY = /^[0-9a-z]{10,60}$/u;
const UPDATE = "update";
/** Fields for errors that name other members than the form has. */
const fields = {
  ...Object.fromEntries(addressParts.map((part) => [`shippingAddress.${part}`, `shippingAddress.${part}`])),
  ...Object.fromEntries(addressParts.map((part) => [`billingAddress.${part}`, `billingAddress.${part}`])),
  "shippingAddress.country": "country",
  shippingAddress: "shippingAddress.name",
  billingAddress: "billingAddress.company",
  giftCardCodes: "giftCardCodes",
  price_changed: "expectedTotal",
};

/** The address that an import brought for who signed in with its email address. */
function toKnownAddress(
  profile: CustomerProfile | undefined,
  served: readonly { readonly value: string }[],
): Record<string, string> {
  const { country = "", ...address } = profile?.addresses[0] ?? {};
  const named = { name: profile?.name, phone: profile?.phone, ...address };
  const parts = Object.entries(named).flatMap(([part, value]): [string, string][] =>
    value === undefined || value === "" ? [] : [[`shippingAddress.${part}`, value]],
  );
  const isServed = served.some(({ value }) => value === country);
  return Object.fromEntries(isServed ? [...parts, ["country", country]] : parts);
}

/** Values before the buyer types. */
async function readDefaults(
  visit: Visit,
  buyer: Buyer,
  { userCheck, joinProfile }: Parts,
): Promise<Record<string, string>> {
  const { site, language, c } = visit;
  const { country } = site.seller;
  const served = listSentTo(site, language);
  const isServed = served.some(({ value }) => value === country);
  const asked = buyer.user === undefined ? undefined : getAddresses(userCheck, c.req.raw);
  // If the address cannot be looked up, the field stays empty: buyers can type it.
  const addresses = (await asked?.catch(() => [])) ?? [];
  const [email] = addresses;
  const { user } = buyer;
  const isOwn = user !== undefined && user.impersonatedBy === undefined && addresses.length > 0;
  const profile = isOwn ? await joinProfile(user.id, addresses) : undefined;
  const coupon = c.req.query("coupon") ?? "";
  return {
    ...(isServed ? { country } : {}),
    ...(coupon === "" ? {} : { couponCode: coupon.slice(0, 100) }),
    ...(email === undefined ? {} : { "contact.email": email }),
    ...toKnownAddress(profile, served),
  };
}

/** A payment that goes on elsewhere has a page that leads there. */
export function toNext(number: string, payment: Payment | undefined): string {
  const leads = payment?.state === "ready" && (payment.url !== undefined || payment.form !== undefined);
  return leads ? `/orders/${number}/pay` : `/orders/${number}`;
}

/** The errors to show: those of the prices, and those of the form, each field once. */
function mergeFaults(first: readonly Fault[], second: readonly Fault[]): Fault[] {
  const named = new Set(first.map(({ field, text }) => field ?? text));
  return [...first, ...second.filter(({ field, text }) => !named.has(field ?? text))];
}

async function showCheckout(
  visit: Visit,
  state: FormState & { readonly status: FormStatus },
  parts: Parts,
): Promise<Response> {
  const { t, site, sellersLanguage } = visit;
  const items = readItems(state.values, visit, parts.catalogue);
  const title = t("checkout.title");
  if (items.length === 0) return visit.render({ title, narrow: true, body: <EmptyCheckout t={t} /> });
  const buyer = await readBuyer(parts.userCheck, visit);
  const isOpened = state.action === undefined;
  const values = isOpened ? await readDefaults(visit, buyer, parts) : state.values;
  const wanted = toPriceInput(values, { items, language: sellersLanguage });
  const { preview, errors } = await readPrices(parts.checkout, wanted, buyer.caller);
  const away = errors.find(({ code }) => code === "store_unavailable");
  // Nothing was typed yet that could be lost.
  if (away !== undefined && isOpened) throw away;
  const told = errors.flatMap((error: AppError) => toFaults(error, { t, fields }));
  const found = items.map(({ productId }) => parts.catalogue.find(productId));
  const about = { visit, items, found, preview, values };
  const missing = state.faults.length === 0 ? [] : listMissing({ ...about, state: { ...state, values } });
  const sure = state.faults.filter((fault) => !("typed" in fault));
  const doubts = state.faults.length === 0 ? [] : listDoubts(about);
  const placed = toLineFaults(mergeFaults(mergeFaults(sure, told), missing), about);
  const faults = mergeFaults(placed, doubts);
  const sentKey = state.values["key"] ?? "";
  const view: CheckoutView = {
    visit,
    buyer,
    items,
    found,
    preview,
    state: { ...state, values: withAsked(values, doubts), faults },
    hasAccounts: parts.hasAccounts,
    providers: listOnPages(site, preview?.currency ?? site.currency, preview?.amountDue),
    formKey: KEY.test(sentKey) ? sentKey : newCodeText(KEY_CHARACTERS),
  };
  return visit.render({
    title,
    status: state.status,
    head: parts.buyingHead,
    body: <CheckoutPage view={view} faults={faults} />,
  });
}

/** The page offers a list: programs may know better. Throws `invalid`. */
function assertRegion({ shippingAddress }: CheckoutInput): void {
  const { country = "", region = "" } = shippingAddress ?? {};
  if (region.trim() !== "" || !needsRegion(country)) return;
  throw new AppError("invalid", "The state or province of the address is missing", {
    errors: [{ pointer: "/shippingAddress/region", code: "required", message: `is required in ${country}` }],
  });
}

async function submitOrder(visit: Visit, { values }: SentForm, parts: Parts): Promise<Response> {
  const { c, sellersLanguage } = visit;
  const items = readItems(values, visit, parts.catalogue);
  if (items.length === 0) return c.redirect("/checkout", 303);
  const buyer = await readBuyer(parts.userCheck, visit);
  const input: CheckoutInput = parseInput(
    checkoutBodySchema,
    toOrderInput(values, { items, language: sellersLanguage }),
  );
  const found = items.map(({ productId }) => parts.catalogue.find(productId));
  assertRegion(input);
  const doubts = listDoubts({ visit, found, values });
  if (doubts.length > 0)
    return showCheckout(visit, { action: "", values, faults: doubts, status: 422 }, parts);
  const key = KEY.test(values["key"] ?? "") ? values["key"] : undefined;
  const repeatable = key === undefined ? undefined : { key, requestHash: hashSecret(JSON.stringify(input)) };
  const { order, orderToken, payment } = await parts.checkout.order(input, buyer.caller, repeatable);
  parts.visits.cart.write(c, []);
  parts.orderCookie.keep(c, order.number, orderToken);
  return c.redirect(toNext(order.number, payment), 303);
}

export function addCheckoutPage(pages: PageRoutes, parts: Parts): void {
  pages.addPublic({
    path: "/checkout",
    show: (visit, state) => showCheckout(visit, state, parts),
    actions: {
      "": {
        isOnce: true,
        fields,
        submit: async (visit, form) => {
          const { values } = form;
          if (values["do"] === UPDATE)
            return showCheckout(visit, { action: "", values, faults: [], status: 200 }, parts);
          const meant = takeMeant(values);
          if (meant !== undefined)
            return showCheckout(visit, { action: "", values: meant, faults: [], status: 200 }, parts);
          // Nothing is charged that was not shown.
          if (values["expectedTotal"] === undefined)
            throw new ShopError("price_changed", "The page showed no price. Review the order and try again");
          try {
            return await submitOrder(visit, form, parts);
          } catch (error) {
            if (!(error instanceof ShopError) || error.code !== "idempotency_key_reused") throw error;
            // The form has made an order already: what is sent now is another one, and has to be meant.
            const { key: _key, ...others } = values;
            const faults = [{ text: visit.t("error.idempotency_key_reused") }];
            return showCheckout(visit, { action: "", values: others, faults, status: 422 }, parts);
          }
        },
      },
    },
  });
}
