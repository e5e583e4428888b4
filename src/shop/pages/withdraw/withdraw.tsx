/** @jsxImportSource hono/jsx */
/** The withdrawal function in two steps: what is stated, and its confirmation (Article 11a of Directive 2011/83/EU). */
import { Field, Form, FormFaults, Tick } from "../../../pages/form.tsx";
import type { FormState } from "../../../pages/faults.ts";
import type { FormStatus } from "../../../pages/page-routes.ts";
import { parseInput } from "../../../pages/sent-form.ts";
import { findEuWords } from "../../eu/words.ts";
import { nameLine } from "../../orders/delivery.ts";
import type { OrderRecord } from "../../orders/schema.ts";
import { statementSchema } from "../../withdrawals/schema.ts";
import type { PreparedStatement, Statements } from "../../withdrawals/statements.ts";
import { type OrderDoor, openByToken } from "../order/open-order.ts";
import type { PageRoutes } from "../page.ts";
import type { Visit } from "../visit.tsx";

interface Parts extends Pick<OrderDoor, "orders" | "orderCookie"> {
  readonly statements: Statements;
}

type Values = Readonly<Record<string, string>>;

const LINE = "line.";

/** The order that is meant, where this browser may open it: then its things can be ticked. */
async function findOrder(parts: Parts, visit: Visit, values: Values): Promise<OrderRecord | undefined> {
  const number = values["orderNumber"] ?? visit.c.req.query("order");
  if (number === undefined) return undefined;
  return (await openByToken(parts, visit, number.trim().toUpperCase()))?.order;
}

/** What is withdrawn from: the ticked lines; none or all of them are the whole order. */
function toLines(values: Values, order: OrderRecord | undefined): { lineId: string; quantity: number }[] {
  const ticked = (order?.lines ?? []).filter(({ id }) => values[LINE + id] !== undefined);
  if (order === undefined || ticked.length === order.lines.length) return [];
  return ticked.map(({ id, quantity }) => ({ lineId: id, quantity }));
}

function Statement({
  visit,
  state,
  order,
}: {
  visit: Visit;
  state: FormState;
  order: OrderRecord | undefined;
}) {
  const { t, formToken, language } = visit;
  const name = order?.billingAddress?.name ?? order?.shippingAddress?.name;
  const words = findEuWords(language);
  return (
    <Form action="/withdraw" token={formToken} class="card is-raised stack">
      <Field
        name="name"
        label={t("withdraw.name")}
        state={state}
        autocomplete="name"
        required
        {...(name === undefined ? {} : { value: name })}
      />
      <Field
        name="orderNumber"
        label={t("find.number")}
        state={state}
        hint={t("find.numberHint")}
        required
        {...(order === undefined ? {} : { value: order.number })}
      />
      <Field
        name="email"
        label={t("checkout.email")}
        state={state}
        type="email"
        inputmode="email"
        autocomplete="email"
        hint={t("withdraw.emailHint")}
        required
        {...(order === undefined ? {} : { value: order.email })}
      />
      {order === undefined || order.lines.length < 2 ? (
        <></>
      ) : (
        <fieldset class="stack is-tight">
          <legend>{t("withdraw.lines")}</legend>
          {order.lines.map((line) => (
            <Tick
              name={LINE + line.id}
              label={`${line.quantity} × ${nameLine(line)}`}
              state={state}
              checked
            />
          ))}
        </fieldset>
      )}
      <Field name="what" label={t("withdraw.what")} state={state} hint={t("withdraw.whatHint")} rows={3} />
      <button class="button primary wide" type="submit">
        {words.withdraw}
      </button>
    </Form>
  );
}

async function showStatement(
  parts: Parts,
  visit: Visit,
  state: FormState & { readonly status: FormStatus },
): Promise<Response> {
  const { t, language } = visit;
  const order = await findOrder(parts, visit, state.values);
  return visit.render({
    title: findEuWords(language).withdraw,
    narrow: true,
    status: state.status,
    body: (
      <>
        <div class="stack is-tight">
          <h1>{findEuWords(language).withdraw}</h1>
          <p class="muted">{t("withdraw.text")}</p>
        </div>
        <FormFaults title={t("form.faults")} faults={state.faults} />
        <Statement visit={visit} state={state} order={order} />
      </>
    ),
  });
}

/** The second step: what was stated, once more, and the button that makes it count. */
function showConfirmation(
  visit: Visit,
  { statement, confirmation }: PreparedStatement,
  order: OrderRecord | undefined,
): Response {
  const { t, language, formToken } = visit;
  const { confirmWithdrawal } = findEuWords(language);
  const { name, orderNumber, email, what, lines } = statement;
  const chosen = lines.flatMap(({ lineId }) => order?.lines.find(({ id }) => id === lineId) ?? []);
  const named = chosen.map((line) => `${line.quantity} × ${nameLine(line)}`).join("\n");
  const about = [named, what].filter((text) => text !== "").join("\n") || t("withdraw.all");
  return visit.render({
    title: confirmWithdrawal,
    narrow: true,
    body: (
      <>
        <div class="stack is-tight">
          <h1>{confirmWithdrawal}</h1>
          <p class="muted">{t("withdraw.confirmText")}</p>
        </div>
        <dl class="facts">
          <dt>{t("withdraw.name")}</dt>
          <dd>{name}</dd>
          <dt>{t("find.number")}</dt>
          <dd>{orderNumber}</dd>
          <dt>{t("checkout.email")}</dt>
          <dd>{email}</dd>
          <dt>{t("withdraw.about")}</dt>
          <dd class="pre-line">{about}</dd>
        </dl>
        <Form action="/withdraw/confirm" token={formToken}>
          <input type="hidden" name="confirmation" value={confirmation} />
          <button class="button primary wide" type="submit">
            {confirmWithdrawal}
          </button>
          <a class="button quiet wide" href="/withdraw">
            {t("withdraw.change")}
          </a>
        </Form>
      </>
    ),
  });
}

function showReceived(visit: Visit, { receivedAt, email }: { receivedAt: number; email: string }): Response {
  const { t, time } = visit;
  return visit.render({
    title: t("withdraw.received"),
    narrow: true,
    body: (
      <>
        <h1>{t("withdraw.received")}</h1>
        <p class="note is-good" role="status">
          {t("withdraw.receivedText", { time: time(receivedAt), email })}
        </p>
        <a class="button wide" href="/">
          {t("checkout.toShop")}
        </a>
      </>
    ),
  });
}

/** Adds /withdraw. */
export function addWithdrawPage(pages: PageRoutes, parts: Parts): void {
  const { statements } = parts;
  pages.addPublic({
    path: "/withdraw",
    show: (visit, state) => showStatement(parts, visit, state),
    actions: {
      "": {
        submit: async (visit, { values }) => {
          const order = await findOrder(parts, visit, values);
          const { name = "", orderNumber = "", email = "", what = "" } = values;
          const lines = toLines(values, order);
          const language = visit.sellersLanguage;
          const stated = parseInput(statementSchema, { name, orderNumber, email, what, lines, language });
          return showConfirmation(visit, statements.prepare(stated, visit.caller.clientAddress), order);
        },
      },
      "/confirm": {
        submit: async (visit, { values }) =>
          showReceived(
            visit,
            await statements.confirm(values["confirmation"] ?? "", visit.caller.clientAddress),
          ),
      },
    },
  });
}
