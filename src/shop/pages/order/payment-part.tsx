/** @jsxImportSource hono/jsx */
/** Paying an order that waits: where, how much, until when, and in which other way. */
import { Form } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import { QrCode } from "../../../html/qr-code.tsx";
import type { Payment } from "../../orders/payment.ts";
import { formatNumber } from "../../base/money.ts";
import type { Provider } from "../../site/schema.ts";
import { findProvider } from "../../site/settings.ts";
import { wordsOfProvider } from "../../site/site.ts";
import { Copyable } from "../pieces/copyable.tsx";
import { Options } from "../pieces/options.tsx";
import type { Visit } from "../visit.tsx";

interface PaymentProps {
  readonly visit: Visit;
  readonly state: FormState;
  readonly payment: Payment;
  /** Ways to pay that are offered now. */
  readonly providers: readonly Provider[];
  readonly path: string;
  /** It is the rest of an order that was paid before an edit. */
  readonly isBalance?: boolean;
  /** The payment service charges it by itself then. */
  readonly chargedAt?: number | undefined;
}

type Html = ReturnType<typeof Transfer>;

/** Details of a bank transfer: the shop's instructions, the amount, and the reference. */
function Transfer({ visit: { t, language }, payment }: Pick<PaymentProps, "visit" | "payment">) {
  const { amount, currency, reference, instructions = "" } = payment;
  return (
    <>
      {instructions === "" ? <></> : <p class="pre-line">{instructions}</p>}
      <dl class="facts">
        <dt>{t("pay.amount")}</dt>
        <dd>
          <Copyable text={formatNumber(amount, currency, language)} t={t} label={t("pay.amount")} />{" "}
          {currency}
        </dd>
        <dt>{t("pay.reference")}</dt>
        <dd>
          <Copyable text={reference} t={t} label={t("pay.reference")} />
        </dd>
      </dl>
    </>
  );
}

/** The way on, as the payment service wants it. */
export function PayWay({
  visit,
  payment,
  isLeaving = false,
}: Pick<PaymentProps, "visit" | "payment"> & { readonly isLeaving?: boolean }): Html {
  const { t, money } = visit;
  const { url, form, qr, amount, currency } = payment;
  const label = t("pay.now", { amount: money(amount, currency) });
  if (form !== undefined)
    return (
      <form method="post" action={form.url} data-send={isLeaving ? "" : undefined}>
        {Object.entries(form.fields).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <button class="button primary" type="submit">
          {label}
        </button>
      </form>
    );
  return (
    <>
      {qr === undefined ? (
        <></>
      ) : (
        <>
          <p>{t("pay.scan")}</p>
          <QrCode text={qr} label={t("pay.scan")} />
          <Copyable text={qr} t={t} label={t("pay.scan")} />
        </>
      )}
      {url === undefined ? (
        <></>
      ) : (
        <p>
          <a class="button primary" href={url} rel="noreferrer">
            {label}
          </a>
        </p>
      )}
    </>
  );
}

function Other({ visit, state, payment, providers, path, isOnly }: PaymentProps & { isOnly: boolean }): Html {
  const { t, language, formToken } = visit;
  const others = providers.filter(({ word }) => word !== payment.method);
  if (others.length === 0) return <></>;
  const options = others.map((provider) => ({
    value: provider.word,
    title: wordsOfProvider(provider, language).title,
  }));
  return (
    <details class="more no-print" open={isOnly || state.action === "/payment"}>
      <summary>{t("pay.other")}</summary>
      <Form action={`${path}/payment`} token={formToken}>
        <Options
          name="method"
          label={t("pay.otherLabel")}
          state={state}
          options={options}
          value={options[0]?.value}
        />
        <button class="button" type="submit">
          {t("pay.use")}
        </button>
      </Form>
    </details>
  );
}

/** A renewal that its service charges by itself: there is nothing to do, and another way to pay. */
function ChargedPart({ visit, payment, path, chargedAt }: PaymentProps & { chargedAt: number }): Html {
  const { t, time, formToken } = visit;
  return (
    <section class="card is-raised stack">
      <h2>{t("pay.title")}</h2>
      <p>{t("subscription.charged", { time: time(chargedAt) })}</p>
      <Form action={`${path}/payment`} token={formToken}>
        <input type="hidden" name="method" value={payment.method} />
        <button class="button" type="submit">
          {t("subscription.payNow")}
        </button>
      </Form>
    </section>
  );
}

/** The card that says how to pay. */
export function PaymentPart(props: PaymentProps): Html {
  const { chargedAt } = props;
  if (chargedAt !== undefined) return <ChargedPart {...props} chargedAt={chargedAt} />;
  const { visit, payment, path, isBalance = false } = props;
  const { t, time, formToken } = visit;
  const { state, url, form, qr, expiresAt } = payment;
  const isGone = findProvider(visit.site, payment.method) === undefined;
  const isByHand = state === "ready" && url === undefined && form === undefined && qr === undefined;
  return (
    <section class="card is-raised stack">
      <h2>{t(isByHand ? "pay.instructions" : "pay.title")}</h2>
      {isBalance ? <p>{t("pay.balance")}</p> : <></>}
      {state === "beginning" ? <p>{t("pay.connecting")}</p> : <></>}
      {isGone ? <p class="note">{t("pay.methodUnavailable")}</p> : <></>}
      {state === "failed" && !isGone ? (
        <>
          <p class="note">{t("pay.failed")}</p>
          <Form action={`${path}/payment`} token={formToken}>
            <input type="hidden" name="method" value={payment.method} />
            <button class="button primary" type="submit">
              {t("pay.again")}
            </button>
          </Form>
        </>
      ) : (
        <></>
      )}
      {state === "ready" ? <PayWay visit={visit} payment={payment} /> : <></>}
      {isByHand || (payment.instructions ?? "") !== "" ? <Transfer visit={visit} payment={payment} /> : <></>}
      {isBalance ? <></> : <p class="muted">{t("pay.until", { time: time(expiresAt) })}</p>}
      {isByHand ? (
        <Form action={`${path}/claim`} token={formToken}>
          <button class="button" type="submit">
            {t("pay.claim")}
          </button>
        </Form>
      ) : (
        <></>
      )}
      <p class="no-print">
        <a href={`${path}?wait=1`}>{t("pay.check")}</a>
      </p>
      <Other {...props} isOnly={isGone} />
    </section>
  );
}
