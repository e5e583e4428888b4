/** @jsxImportSource hono/jsx */
/** What the page of a payment link shows. */
import { FormFaults } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import type { PreviewLine } from "../../checkout/preview.ts";
import type { BuyersDraft } from "../../draft-orders/placing.ts";
import { findMailWords } from "../../mails/mail-words.ts";
import { nameLine } from "../../orders/delivery.ts";
import type { Address, OrderChange } from "../../orders/schema.ts";
import type { Provider } from "../../site/schema.ts";
import { PaymentPart } from "../checkout/checkout-parts.tsx";
import { Consents } from "../checkout/checkout-summary.tsx";
import { nameCountry } from "../pieces/countries.ts";
import { Sums } from "../pieces/sums.tsx";
import type { Visit } from "../visit.tsx";

export interface PayView {
  readonly visit: Visit;
  readonly state: FormState;
  readonly found: BuyersDraft;
  readonly providers: readonly Provider[];
  /** Since the buyer opened the page. */
  readonly changes: readonly OrderChange[];
}

type Part = { readonly view: PayView };
type Html = ReturnType<typeof Lines>;

function Lines({
  lines,
  visit: { t, money },
}: {
  readonly lines: readonly PreviewLine[];
  readonly visit: Visit;
}) {
  return (
    <ul class="lines">
      {lines.map((line) => (
        <li>
          <span class="stack is-tight">
            <span>{nameLine(line)}</span>
            <span class="small muted num">
              {line.quantity} × {money(line.unitPrice)}
            </span>
            {line.isAvailable ? (
              <></>
            ) : (
              <span class="field-error">
                {(line.left ?? 0) === 0 ? t("product.out") : t("product.left", { count: line.left ?? 0 })}
              </span>
            )}
          </span>
          <span class="num push">{money(line.subtotal)}</span>
        </li>
      ))}
    </ul>
  );
}

function Changes({
  title,
  changes,
  visit: { language },
}: {
  title: string;
  changes: readonly OrderChange[];
  visit: Visit;
}): Html {
  if (changes.length === 0) return <></>;
  const words = findMailWords(language);
  return (
    <div class="note stack is-tight" role="status">
      <strong>{title}</strong>
      <dl class="facts">
        {changes.map(({ field, from, to }) => (
          <>
            <dt>{words(`changed.${field}`)}</dt>
            <dd>{from === "" ? to : words(to === "" ? "changed.removed" : "changed.from", { from, to })}</dd>
          </>
        ))}
      </dl>
    </div>
  );
}

function AddressLines({ address, language }: { readonly address: Address } & Pick<Visit, "language">): Html {
  const { name, company = "", line1, line2 = "", postalCode = "", city, region = "", country } = address;
  const lines = [
    name,
    company,
    line1,
    line2,
    `${postalCode} ${city}`.trim(),
    region,
    nameCountry(country, language),
  ];
  return <p class="pre-line">{lines.filter((line) => line !== "").join("\n")}</p>;
}

/** Who buys, and where it goes. */
function Details({ view: { visit, found } }: Part): Html {
  const { t, language } = visit;
  const { email = "", shippingAddress, billingAddress, vatId = "", note } = found.draft;
  return (
    <section class="stack" aria-labelledby="pay-details">
      <h2 id="pay-details">{t("offer.contact")}</h2>
      <dl class="facts">
        <dt>{t("checkout.email")}</dt>
        <dd>{email}</dd>
        {shippingAddress === undefined ? (
          <></>
        ) : (
          <>
            <dt>{t("checkout.address")}</dt>
            <dd>
              <AddressLines address={shippingAddress} language={language} />
            </dd>
          </>
        )}
        {billingAddress === undefined ? (
          <></>
        ) : (
          <>
            <dt>{t("offer.billTo")}</dt>
            <dd>
              <AddressLines address={billingAddress} language={language} />
            </dd>
          </>
        )}
        {vatId === "" ? (
          <></>
        ) : (
          <>
            <dt>{t("checkout.vatId")}</dt>
            <dd>{vatId}</dd>
          </>
        )}
      </dl>
      {note === "" ? <></> : <p class="pre-line">{note}</p>}
      <p class="small muted">{t("offer.wrong")}</p>
    </section>
  );
}

export function PayPage({ view }: Part): Html {
  const { visit, state, found, providers, changes } = view;
  const { t, time, formToken } = visit;
  const { draft, preview } = found;
  if (preview === undefined) return <></>;
  const { lines, total, currency, shippingMethodId, shippingMethods } = preview;
  const method = shippingMethods.find(({ id }) => id === shippingMethodId);
  const isSent = lines.some(({ deliveryType }) => deliveryType === "shipping");
  const isBlocked = lines.some(({ isAvailable }) => !isAvailable);
  const button = preview.orderButton ?? t(total === 0 ? "checkout.freeButton" : "checkout.button");
  return (
    <>
      <div class="stack is-tight">
        <h1>{t("offer.title")}</h1>
        <p>{t("offer.text", { time: time(draft.link?.expiresAt ?? 0) })}</p>
      </div>
      <FormFaults title={t("form.faults")} faults={state.faults} />
      <Changes title={t("offer.changed")} changes={changes} visit={visit} />
      {changes.length > 0 ? (
        <></>
      ) : (
        <Changes title={t("offer.prices")} changes={found.changes} visit={visit} />
      )}
      <form method="post" action={`/pay/${draft.number}`} class="checkout" novalidate>
        <input type="hidden" name="form" value={formToken} />
        <input type="hidden" name="version" value={String(draft.version)} />
        <input type="hidden" name="expectedTotal" value={String(total)} />
        <div class="checkout-fields">
          <Details view={view} />
          {total === 0 ? <></> : <PaymentPart view={{ visit, state, providers }} />}
        </div>
        <section class="checkout-summary card is-raised stack" aria-labelledby="checkout-order">
          <h2 id="checkout-order">{t("checkout.order")}</h2>
          <Lines lines={lines} visit={visit} />
          <Sums
            sums={{ ...preview, currency }}
            visit={visit}
            isSent={isSent}
            shippingTitle={method?.title ?? draft.shipping?.title}
            discounts={preview.discounts}
          />
          {isBlocked ? <p class="note">{t("offer.unavailableText")}</p> : <></>}
          <Consents view={{ visit, state, preview }} />
          <button class="button primary wide" type="submit" disabled={isBlocked}>
            {button}
          </button>
        </section>
      </form>
    </>
  );
}

/** A link that opens nothing. */
export function ShutPayPage({
  visit: { t },
  reason,
}: {
  readonly visit: Visit;
  readonly reason: "none" | "expired" | "unavailable";
}): Html {
  return (
    <div class="stack">
      <h1>{t(`offer.${reason}`)}</h1>
      <p>{t(`offer.${reason}Text`)}</p>
      <a class="button wide" href="/">
        {t("checkout.toShop")}
      </a>
    </div>
  );
}
