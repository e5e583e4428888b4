/** @jsxImportSource hono/jsx */
/** Ending a subscription in two clicks, with and without its order's page (§ 312k BGB), and undoing that. */
import { z } from "zod";
import { AppError } from "../../../kit/errors.ts";
import { Field, Form, FormFaults } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import type { FormStatus } from "../../../html/form-pages.ts";
import { parseInput } from "../../../html/sent-form.ts";
import { line } from "../../../kit/text/schemas.ts";
import { emailSchema } from "../../orders/schema.ts";
import { toOrderToken } from "../../orders/token.ts";
import type { ShopDeps } from "../../base/deps.ts";
import type { Cancellations } from "../../renewals/cancellations.ts";
import type { ShownSubscription, Subscriptions } from "../../renewals/subscriptions.ts";
import type { PageRoutes } from "../page.ts";
import { EmailField } from "../pieces/email-field.tsx";
import type { Visit } from "../visit.tsx";
import { type OpenOrder, type OrderDoor, openOrder, readNumber } from "./open-order.ts";
import { nameSubscription, toSubscriptionPath } from "./subscription-part.tsx";

interface Parts extends OrderDoor, Pick<ShopDeps, "box" | "publicUrl"> {
  readonly subscriptions: Subscriptions;
  readonly cancellations: Cancellations;
}

const statementSchema = z.object({ number: line(40).trim().min(1), email: emailSchema });

async function getOwn(
  parts: Parts,
  visit: Visit,
): Promise<{ found: OpenOrder["found"]; shown: ShownSubscription }> {
  const opened = await openOrder(parts, visit);
  const id = visit.c.req.param("subscription") ?? "";
  if (opened.found === undefined || opened.isForPayment)
    throw new AppError("not_found", "This order does not exist or is not yours");
  const own = await parts.subscriptions.ofOrder(opened.found.order);
  const shown = own.find(({ subscription }) => subscription.id === id);
  if (shown === undefined) throw new AppError("not_found", "This subscription does not exist");
  return { found: opened.found, shown };
}

async function showConfirm(
  parts: Parts,
  visit: Visit,
  state: FormState & { readonly status: FormStatus },
): Promise<Response> {
  const { t, time, formToken } = visit;
  const { shown } = await getOwn(parts, visit);
  const { subscription } = shown;
  const number = readNumber(visit);
  const path = toSubscriptionPath(number, subscription.id);
  const endsAt = time(subscription.paidUntil);
  return visit.render({
    title: t("subscription.cancelTitle"),
    narrow: true,
    status: state.status,
    body: (
      <>
        <div class="stack is-tight">
          <h1>{t("subscription.cancelTitle")}</h1>
          <p>{t("subscription.cancelText", { time: endsAt })}</p>
        </div>
        <FormFaults title={t("form.faults")} faults={state.faults} />
        <dl class="facts">
          <dt>{t("subscription.title", { number: "" }).trim()}</dt>
          <dd>{subscription.number}</dd>
          <dt>{t("subscription.product")}</dt>
          <dd>{nameSubscription(shown)}</dd>
          <dt>{t("subscription.kind")}</dt>
          <dd>{t("subscription.ordinary")}</dd>
          <dt>{t("subscription.endsAt")}</dt>
          <dd>{endsAt}</dd>
          <dt>{t("checkout.email")}</dt>
          <dd>{shown.first?.email ?? ""}</dd>
        </dl>
        <Form action={`${path}/cancel`} token={formToken}>
          <button class="button primary wide" type="submit">
            {t("subscription.confirm")}
          </button>
          <a class="button quiet wide" href={`/orders/${number}`}>
            {t("subscription.keep")}
          </a>
        </Form>
      </>
    ),
  });
}

function showStatement(visit: Visit, state: FormState & { readonly status: FormStatus }): Response {
  const { t, formToken } = visit;
  return visit.render({
    title: t("subscription.statementTitle"),
    narrow: true,
    status: state.status,
    body: (
      <>
        <div class="stack is-tight">
          <h1>{t("subscription.statementTitle")}</h1>
          <p class="muted">{t("subscription.statementText")}</p>
        </div>
        <FormFaults title={t("form.faults")} faults={state.faults} />
        <Form action="/cancel-contract" token={formToken} class="card is-raised stack">
          <Field name="number" label={t("subscription.number")} state={state} required />
          <EmailField visit={visit} state={state} />
          <p class="small muted">
            {t("subscription.kind")}: {t("subscription.ordinary")}
          </p>
          <button class="button primary wide" type="submit">
            {t("subscription.confirm")}
          </button>
        </Form>
      </>
    ),
  });
}

export function addSubscriptionPages(pages: PageRoutes, parts: Parts): void {
  const { subscriptions, cancellations, box, publicUrl } = parts;
  const toDone = (visit: Visit, done: string): Response =>
    visit.c.redirect(`/orders/${readNumber(visit)}?done=${done}`, 303);
  pages.addPublic({
    path: "/orders/:number/subscriptions/:subscription",
    toAddress: (_values, c) =>
      toSubscriptionPath(c.req.param("number") ?? "", c.req.param("subscription") ?? ""),
    show: (visit, state) => showConfirm(parts, visit, state),
    actions: {
      "/cancel": {
        submit: async (visit) => {
          const { found, shown } = await getOwn(parts, visit);
          if (found !== undefined) await subscriptions.cancelOfOrder(found.order, shown.subscription.id);
          return toDone(visit, "subscription_canceled");
        },
      },
      "/resume": {
        submit: async (visit) => {
          const { found, shown } = await getOwn(parts, visit);
          if (found !== undefined) await subscriptions.resumeOfOrder(found.order, shown.subscription.id);
          return toDone(visit, "subscription_resumed");
        },
      },
      "/card": {
        submit: async (visit) => {
          const { found, shown } = await getOwn(parts, visit);
          const { id } = shown.subscription;
          const returnUrl = `${publicUrl}/orders/${readNumber(visit)}`;
          if (found === undefined) return toDone(visit, "");
          return visit.c.redirect(await subscriptions.manageOfOrder(found.order, { id, returnUrl }), 303);
        },
      },
      // The order of the renewal has a token of its own.
      "/renewal": {
        submit: async (visit) => {
          const { shown } = await getOwn(parts, visit);
          const renewal = shown.renewals.find(({ number }) => number === shown.subscription.open);
          if (renewal === undefined) return toDone(visit, "");
          const order = await subscriptions.orderOf(renewal);
          parts.orderCookie.keep(visit.c, order.number, toOrderToken(box, order));
          return visit.c.redirect(`/orders/${order.number}`, 303);
        },
      },
    },
  });
  pages.addPublic({
    path: "/cancel-contract",
    show: (visit, state) => showStatement(visit, state),
    actions: {
      "": {
        submit: async (visit, { values }) => {
          const { number = "", email = "" } = values;
          const typed = parseInput(statementSchema, { number, email });
          const { t, time } = visit;
          const receivedAt = await cancellations.receive(typed, visit.caller.clientAddress);
          return visit.render({
            title: t("subscription.received"),
            narrow: true,
            body: (
              <>
                <h1>{t("subscription.received")}</h1>
                <p class="note is-good" role="status">
                  {t("subscription.receivedText", { time: time(receivedAt), email: typed.email })}
                </p>
                <a class="button wide" href="/">
                  {t("checkout.toShop")}
                </a>
              </>
            ),
          });
        },
      },
    },
  });
}
