/** @jsxImportSource hono/jsx */
/** Pages beside that of an order: on the way to the payment, back from it on another device, and for who may not see it. */
import type { Payment } from "../../orders/payment.ts";
import type { OrderRecord } from "../../orders/schema.ts";
import type { Visit } from "../visit.tsx";
import { toMark, toOrderWords } from "./order-words.ts";
import { PayWay } from "./payment-part.tsx";

interface LeavingProps {
  readonly visit: Visit;
  readonly payment: Payment;
  readonly number: string;
}

/** The page that leads to the payment service. */
export function LeavingPage({ visit, payment, number }: LeavingProps) {
  const { t } = visit;
  return (
    <>
      <div class="stack is-tight">
        <h1>{t("pay.continue")}</h1>
        <p class="muted">{t("pay.continueText", { number })}</p>
      </div>
      <PayWay visit={visit} payment={payment} isLeaving />
      <p>
        <a href={`/orders/${number}`}>{t("pay.back")}</a>
      </p>
    </>
  );
}

/** The payment status, for visitors who only have the URL that the payment provider got. */
export function PaymentStatePage({ visit, order }: { readonly visit: Visit; readonly order: OrderRecord }) {
  const { t } = visit;
  const words = toOrderWords(order, visit);
  const { number, status } = order;
  return (
    <div
      class="stack"
      data-wait={status === "pending_payment" ? `/orders/${number}/state` : undefined}
      data-was={toMark(order)}
    >
      <h1>{words.title}</h1>
      <p class="muted">{t("order.number", { number })}</p>
      <p>{t("order.useLink")}</p>
      {status === "pending_payment" ? <a href={`/orders/${number}`}>{t("pay.check")}</a> : <></>}
      <a href="/find-order">{t("order.find")}</a>
    </div>
  );
}

interface ShutProps {
  readonly visit: Visit;
  readonly isAway: boolean;
  readonly hasAccounts: boolean;
}

/** The same for orders of others as for those that there are not. */
export function ShutPage({ visit, isAway, hasAccounts }: ShutProps) {
  const { t, c, keepsCookies } = visit;
  const isRefused = c.req.query("from") === "link" && !keepsCookies;
  return (
    <div class="stack">
      <h1>{t("order.noAccess")}</h1>
      <p>{t(isAway ? "order.noAccessUnavailable" : isRefused ? "error.cookies" : "order.noAccessText")}</p>
      <a class="button primary wide" href="/find-order">
        {t("order.find")}
      </a>
      {hasAccounts ? (
        <a class="button wide" href={`/sign-in?rd=${encodeURIComponent(c.req.path)}`}>
          {t("account.signIn")}
        </a>
      ) : (
        <></>
      )}
    </div>
  );
}
