/** @jsxImportSource hono/jsx */
/** The order's items and total, with the consents and the order button. */
import { withReturn } from "../../../html/return-path.ts";
import { Field, Tick } from "../../../html/form.tsx";
import { wordsIn } from "../../catalogue/languages.ts";
import type { Preview, PreviewLine } from "../../checkout/preview.ts";
import { asksForReviews, toReminderWording, toReviewWording } from "../../checkout/consents.ts";
import { nameLine } from "../../orders/delivery.ts";
import type { Visit } from "../visit.tsx";
import { toKeepsNote, toRenewalNote } from "../pieces/renewal-note.tsx";
import { Sums } from "../pieces/sums.tsx";
import { type CheckoutView, isSentAny } from "./checkout-view.ts";

type Part = { readonly view: CheckoutView };

/** Whether there is enough of a line, in words. */
export function toShortWords(
  { visit: { t } }: CheckoutView,
  line: PreviewLine | undefined,
): string | undefined {
  if (line === undefined || line.isAvailable) return undefined;
  const { left = 0 } = line;
  return left === 0 ? t("product.out") : t("product.left", { count: left });
}

function Lines({ view }: Part) {
  const { visit, items, found, preview, state } = view;
  const { t, money, sellersLanguage } = visit;
  return (
    <ul class="lines">
      {items.map((item, index) => {
        const line = preview?.lines[index];
        const product = found[index]?.product;
        const title =
          line === undefined
            ? (product && wordsIn(product, sellersLanguage).title) || t("checkout.unavailable")
            : nameLine(line);
        const field = `items.${index}.quantity`;
        const fault = state.faults.find((each) => each.field === field)?.text ?? toShortWords(view, line);
        return (
          <li id={`field-${field}`} tabindex={-1}>
            <span class="stack is-tight">
              <span>{title}</span>
              <span class="small muted num">
                {item.quantity}
                {line === undefined ? "" : ` × ${money(line.unitPrice)}`}
              </span>
              {fault === undefined ? <></> : <span class="field-error">{fault}</span>}
            </span>
            <span class="num push">{line === undefined ? "" : money(line.subtotal)}</span>
          </li>
        );
      })}
    </ul>
  );
}

function Coupon({ view: { visit, state, preview } }: Part) {
  const { t } = visit;
  const code = state.values["couponCode"] ?? "";
  const hasFault = state.faults.some(({ field }) => field === "couponCode");
  const isApplied = preview?.discounts.some((one) => one.code !== undefined) === true;
  return (
    <details class="more" open={code !== "" || hasFault}>
      <summary>{t("checkout.coupon")}</summary>
      <div class="field-button">
        <Field name="couponCode" label={t("checkout.couponCode")} state={state} autocomplete="off" />
        <button class="button" type="submit" name="do" value="update">
          {t("checkout.apply")}
        </button>
      </div>
      {code !== "" && !hasFault && preview !== undefined ? (
        <p class="small muted">{t(isApplied ? "checkout.applied" : "checkout.betterDiscount", { code })}</p>
      ) : (
        <></>
      )}
    </details>
  );
}

function GiftCards({ view: { visit, state, preview } }: Part) {
  const { t, money } = visit;
  const codes = state.values["giftCardCodes"] ?? "";
  const hasFault = state.faults.some(({ field }) => field === "giftCardCodes");
  return (
    <details class="more" open={codes !== "" || hasFault}>
      <summary>{t("checkout.giftCard")}</summary>
      <div class="field-button">
        <Field name="giftCardCodes" label={t("checkout.giftCardCode")} state={state} autocomplete="off" />
        <button class="button" type="submit" name="do" value="update">
          {t("checkout.apply")}
        </button>
      </div>
      <p class="small muted">{t("checkout.giftCardHint")}</p>
      {(preview?.giftCards ?? []).map(({ lastFour, balance, amount }) => (
        <p class="small muted">
          {t("checkout.giftCardLeft", { code: `••••${lastFour}`, left: money(balance - amount) })}
        </p>
      ))}
    </details>
  );
}

/** The consents, in the words of the law, with links to the pages that they mean. */
export function Consents({
  view: { visit, state, preview },
}: {
  readonly view: Pick<CheckoutView, "visit" | "state" | "preview">;
}) {
  const { t, site } = visit;
  const pages = site.pages.filter(({ slug }) => ["terms", "withdrawal", "privacy"].includes(slug));
  return (
    <>
      {(preview?.consents ?? []).map(({ name, wording }) => (
        <Tick name={`consents.${name}`} label={wording} state={state} />
      ))}
      {pages.length === 0 ? (
        <></>
      ) : (
        <p class="small muted">
          {t("checkout.legalPages")}{" "}
          {pages.map(({ slug, title, translations = {} }, index) => (
            <>
              {index === 0 ? "" : ", "}
              <a href={`/legal/${slug}`} target="_blank">
                {translations[visit.sellersLanguage]?.title ?? title}
              </a>
            </>
          ))}
        </p>
      )}
    </>
  );
}

/** Where to sign in, and come back with the coupon. */
function toSignIn({ state }: CheckoutView): string {
  const code = state.values["couponCode"] ?? "";
  return withReturn("/sign-in", code === "" ? "/checkout" : `/checkout?coupon=${encodeURIComponent(code)}`);
}

/** The button that orders; a free order that waits for a sign-in leads there instead. */
function OrderButton({ view }: Part) {
  const { visit, preview, buyer, hasAccounts } = view;
  const { t } = visit;
  if (preview?.needsAccount === true && hasAccounts)
    return (
      <a class="button primary wide" href={buyer.isAway ? "/checkout" : toSignIn(view)}>
        {t(buyer.isAway ? "account.again" : "account.signIn")}
      </a>
    );
  return (
    <button class="button primary wide" type="submit" name="do" value="order">
      {preview?.orderButton ?? t(preview?.total === 0 ? "checkout.freeButton" : "checkout.button")}
    </button>
  );
}

/** What the check of the VAT ID means for the buyer, where it has no result yet. */
function VatNote({ preview: { vatCheck }, t }: { readonly preview: Preview } & Pick<Visit, "t">) {
  if (vatCheck === undefined || vatCheck.state === "valid") return <></>;
  return <p class="small muted">{t(vatCheck.isHeld === true ? "checkout.vatHeld" : "checkout.vatAway")}</p>;
}

/** What renews after this order, and who is charged for it: above the button that agrees to it. */
function Renewals({ view: { visit, preview, providers } }: Part) {
  const renewing = (preview?.lines ?? []).filter(({ license }) => license?.renewal !== undefined);
  if (renewing.length === 0) return <></>;
  return (
    <div class="stack is-tight">
      {renewing.map(({ license, quantity, ...line }) =>
        license?.renewal === undefined ? (
          <></>
        ) : (
          <p class="small">
            {nameLine(line)}: {toRenewalNote(license.renewal, { visit, quantity })}
          </p>
        ),
      )}
      <p class="small muted">{toKeepsNote(providers, visit)}</p>
    </div>
  );
}

export function CheckoutSummary({ view }: Part) {
  const { visit, preview, state } = view;
  const { t } = visit;
  const isFree = preview?.amountDue === 0;
  const method = preview?.shippingMethods.find(({ id }) => id === preview.shippingMethodId);
  return (
    <section class="checkout-summary card is-raised stack" aria-labelledby="checkout-order">
      <div class="row">
        <h2 id="checkout-order">{t("checkout.order")}</h2>
        <a class="push small" href="/cart">
          {t("checkout.change")}
        </a>
      </div>
      <div id="checkout-sums" class="stack" aria-live="polite">
        <Lines view={view} />
        {preview === undefined ? (
          <></>
        ) : (
          <>
            <Sums
              sums={preview}
              visit={visit}
              isSent={isSentAny(view)}
              shippingTitle={method?.title}
              discounts={preview.discounts}
              giftCards={preview.giftCards}
            />
            <VatNote preview={preview} t={t} />
            {preview.isEstimate ? <p class="small muted">{t("checkout.estimate")}</p> : <></>}
            <input type="hidden" name="expectedTotal" value={String(preview.total)} />
          </>
        )}
      </div>
      <Coupon view={view} />
      <GiftCards view={view} />
      <Consents view={view} />
      {visit.site.checkoutReminders.enabled && !isFree ? (
        <Tick name="consents.reminder" label={toReminderWording(visit.sellersLanguage)} state={state} />
      ) : (
        <></>
      )}
      {asksForReviews(visit.site) ? (
        <Tick name="consents.review" label={toReviewWording(visit.sellersLanguage)} state={state} />
      ) : (
        <></>
      )}
      <Renewals view={view} />
      <OrderButton view={view} />
      {isFree ? <></> : <p class="small muted">{t("checkout.next")}</p>}
    </section>
  );
}
