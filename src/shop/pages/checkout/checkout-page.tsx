/** @jsxImportSource hono/jsx */
/** The page of the checkout: who buys, where to, how it is paid, and what it costs. */
import { FormFaults } from "../../../html/form.tsx";
import type { Fault } from "../../../html/faults.ts";
import { toCartText } from "../cart-cookie.ts";
import type { Visit } from "../visit.tsx";
import type { CheckoutView } from "./checkout-view.ts";
import { ASKED } from "./doubts.ts";
import { CheckoutSummary } from "./checkout-summary.tsx";
import { BuyerPart, NotePart, PlacePart, PaymentPart, ShippingPart } from "./checkout-parts.tsx";

function Account({ view }: { readonly view: CheckoutView }) {
  const { visit, buyer, hasAccounts, preview } = view;
  const { t } = visit;
  const needsAccount = preview?.needsAccount === true;
  if (buyer.isAway)
    return (
      <p class="note">{t(needsAccount ? "checkout.freeSignInUnavailable" : "checkout.signInUnavailable")}</p>
    );
  if (needsAccount) return <p class="note">{t("checkout.freeSignIn")}</p>;
  if (buyer.user !== undefined)
    return <p class="muted">{t("checkout.signedIn", { name: buyer.user.displayName })}</p>;
  if (!hasAccounts) return <></>;
  return (
    <p class="muted">
      {t("checkout.haveAccount")} <a href="/sign-in?rd=/checkout">{t("account.signIn")}</a>
    </p>
  );
}

/** The page of who has nothing in the cart. */
export function EmptyCheckout({ t }: Pick<Visit, "t">) {
  return (
    <div class="empty">
      <h1>{t("checkout.empty")}</h1>
      <p>{t("checkout.emptyHint")}</p>
      <a class="button primary" href="/">
        {t("checkout.toShop")}
      </a>
    </div>
  );
}

export function CheckoutPage({
  view,
  faults,
}: {
  readonly view: CheckoutView;
  readonly faults: readonly Fault[];
}) {
  const { visit, items, formKey, preview } = view;
  const { t, formToken } = visit;
  const isFree = preview?.amountDue === 0;
  const asked = view.state.values[ASKED];
  return (
    <>
      <div class="stack is-tight">
        <h1>{t("checkout.title")}</h1>
        <Account view={view} />
      </div>
      <FormFaults title={t("form.faults")} faults={faults} />
      <form method="post" action="/checkout" class="checkout" novalidate>
        <input type="hidden" name="form" value={formToken} />
        <input type="hidden" name="key" value={formKey} />
        {asked === undefined ? <></> : <input type="hidden" name={ASKED} value={asked} />}
        <input type="hidden" name="items" value={toCartText(items)} />
        <div class="checkout-fields">
          <BuyerPart view={view} />
          <PlacePart view={view} />
          <ShippingPart view={view} />
          {isFree ? <></> : <PaymentPart view={view} />}
          <NotePart view={view} />
        </div>
        <CheckoutSummary view={view} />
      </form>
    </>
  );
}
