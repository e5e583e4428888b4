/** @jsxImportSource hono/jsx */
/** The withdrawal function in two steps: what is stated, and its confirmation (Article 11a of Directive 2011/83/EU). */
import { AppError } from "../../../kit/errors.ts";
import { withQuery } from "../../../kit/text/with-query.ts";
import { Field, Form, FormFaults, Tick } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import type { FormStatus } from "../../../html/form-pages.ts";
import { parseInput } from "../../../html/sent-form.ts";
import { findEuWords } from "../../eu/words.ts";
import { nameLine } from "../../orders/delivery.ts";
import type { BuyersOrder } from "../../orders/orders.ts";
import { statementSchema } from "../../withdrawals/schema.ts";
import type { PreparedStatement, Statements } from "../../withdrawals/statements.ts";
import { type OrderDoor, openByToken } from "../order/open-order.ts";
import { toWithdrawnWords } from "../order/order-words.ts";
import type { PageRoutes } from "../page.ts";
import { EmailField } from "../pieces/email-field.tsx";
import type { Visit } from "../visit.tsx";

interface Parts extends Pick<OrderDoor, "orders" | "orderCookie"> {
  readonly statements: Statements;
}

type Values = Readonly<Record<string, string>>;

const LINE = "line.";
/** Sent by forms with checkboxes: without them, the withdrawal covers everything that is left. */
const CHOICE = "choice";

/** The order that is meant, where this browser may open it: then its things can be ticked. */
async function findOrder(parts: Parts, visit: Visit, values: Values): Promise<BuyersOrder | undefined> {
  const number = values["orderNumber"] ?? visit.c.req.query("order");
  if (number === undefined) return undefined;
  return openByToken(parts, visit, number.trim().toUpperCase());
}

function refuse(pointer: string, code: string): never {
  throw new AppError("invalid", "This withdrawal adds nothing", {
    errors: [{ pointer, code, message: code }],
  });
}

/**
 * The withdrawn lines: the ticked ones, or all that are left where none could be ticked.
 * @throws AppError `invalid` where nothing is left of the order, or nothing is ticked
 */
function toLines(values: Values, left: BuyersOrder["left"]): { lineId: string; quantity: number }[] {
  if (left.length === 0) refuse("/orderNumber", "nothing_left");
  const isChosen = values[CHOICE] !== undefined && left.length > 1;
  const ticked = isChosen ? left.filter(({ line }) => values[LINE + line.id] !== undefined) : left;
  if (ticked.length === 0) refuse("/lines", "none");
  return ticked.map(({ line, quantity }) => ({ lineId: line.id, quantity }));
}

function Statement({
  visit,
  state,
  found,
}: {
  visit: Visit;
  state: FormState;
  found: BuyersOrder | undefined;
}) {
  const { t, formToken, language } = visit;
  const { order, left = [] } = found ?? {};
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
      <EmailField visit={visit} state={state} hint={t("withdraw.emailHint")} value={order?.email} />
      {left.length < 2 ? (
        <></>
      ) : (
        <fieldset class="stack is-tight" id="field-lines" tabindex={-1}>
          <legend>{t("withdraw.lines")}</legend>
          <input type="hidden" name={CHOICE} value="1" />
          {left.map(({ line, quantity }) => (
            <Tick name={LINE + line.id} label={`${quantity} × ${nameLine(line)}`} state={state} checked />
          ))}
        </fieldset>
      )}
      <Field
        name="what"
        label={t("withdraw.what")}
        state={state}
        rows={3}
        {...(order === undefined ? { hint: t("withdraw.whatHint") } : {})}
      />
      <button class="button primary wide" type="submit">
        {words.withdraw}
      </button>
    </Form>
  );
}

/** For who withdrew from all of an order, or got all of its money back. */
function NothingLeft({ visit: { t }, order }: { visit: Visit; order: BuyersOrder["order"] }) {
  return (
    <>
      <p class="note">{t("fault.orderNumber.nothing_left")}</p>
      <a class="button wide" href={`/orders/${order.number}`}>
        {t("pay.back")}
      </a>
    </>
  );
}

async function showStatement(
  parts: Parts,
  visit: Visit,
  state: FormState & { readonly status: FormStatus },
): Promise<Response> {
  const { t, language } = visit;
  const found = await findOrder(parts, visit, state.values);
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
        {found?.left.length === 0 && state.faults.length === 0 ? (
          <NothingLeft visit={visit} order={found.order} />
        ) : (
          <Statement visit={visit} state={state} found={found} />
        )}
      </>
    ),
  });
}

/** The second step: what was stated, once more, and the button that makes it count. */
function showConfirmation(
  visit: Visit,
  { statement, confirmation }: PreparedStatement,
  order: BuyersOrder["order"] | undefined,
): Response {
  const { t, language, formToken } = visit;
  const { confirmWithdrawal } = findEuWords(language);
  const { name, orderNumber, email } = statement;
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
          <dt>{t("withdraw.items")}</dt>
          <dd class="pre-line">{toWithdrawnWords(statement, order, visit)}</dd>
        </dl>
        <Form action="/withdraw/confirm" token={formToken}>
          <input type="hidden" name="confirmation" value={confirmation} />
          <button class="button primary wide" type="submit">
            {confirmWithdrawal}
          </button>
          <a class="button quiet wide" href={`/withdraw?order=${encodeURIComponent(orderNumber)}`}>
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

export function addWithdrawPage(pages: PageRoutes, parts: Parts): void {
  const { statements } = parts;
  pages.addPublic({
    path: "/withdraw",
    // With the order there are its things to tick again.
    toAddress: ({ orderNumber = "" }) =>
      orderNumber === "" ? "/withdraw" : withQuery("/withdraw", { order: orderNumber }),
    show: (visit, state) => showStatement(parts, visit, state),
    actions: {
      "": {
        submit: async (visit, { values }) => {
          const found = await findOrder(parts, visit, values);
          const { name = "", orderNumber = "", email = "", what = "" } = values;
          const lines = found === undefined ? [] : toLines(values, found.left);
          const language = visit.sellersLanguage;
          const stated = parseInput(statementSchema, { name, orderNumber, email, what, lines, language });
          return showConfirmation(
            visit,
            statements.prepare(stated, visit.caller.clientAddress),
            found?.order,
          );
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
