/** @jsxImportSource hono/jsx */
/** The page of the built-in demo provider: a form for trying a sale. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../../kit/http/app.ts";
import { readFields } from "../../../kit/http/request-body.ts";
import { AppError } from "../../../kit/errors.ts";
import { createRoute } from "../../edge/create-route.ts";
import type { OrderRecord } from "../../orders/schema.ts";
import { type DemoAction, type DemoPayments, demoActions } from "../../payments/services/demo-payment.ts";
import { toOrderWords } from "../order/order-words.ts";
import type { Visit, Visits } from "../visit.tsx";

interface PageProps {
  readonly visit: Visit;
  readonly order: OrderRecord;
  readonly token: string;
  readonly returnUrl: string;
}

const [first, ...others] = demoActions;

function DemoPage({ visit, order, token, returnUrl }: PageProps) {
  const { t, money } = visit;
  const { id, number, total, amountPaid, currency } = order;
  const amount = money(total, currency);
  const button = (action: DemoAction) => (
    <button
      class={action === first ? "button primary wide" : "button"}
      type="submit"
      name="action"
      value={action}
    >
      {t(`demo.${action}`, { amount })}
    </button>
  );
  return (
    <>
      <div class="stack is-tight">
        <h1>{t("demo.title")}</h1>
        <p class="muted">{t("demo.text")}</p>
      </div>
      <form method="post" action={`/demo-pay/${id}`} class="card is-raised stack">
        <input type="hidden" name="token" value={token} />
        <dl class="facts">
          <dt>{t("order.number", { number: "" }).trim()}</dt>
          <dd class="num">{number}</dd>
          <dt>{t("pay.amount")}</dt>
          <dd class="num">{amount}</dd>
          <dt>{t("demo.paid")}</dt>
          <dd class="num">{money(amountPaid, currency)}</dd>
          <dt>{t("demo.state")}</dt>
          <dd>{toOrderWords(order, visit).tag}</dd>
        </dl>
        {button(first)}
        <details class="more">
          <summary>{t("demo.outcomes")}</summary>
          <div class="row">{others.map(button)}</div>
        </details>
      </form>
      {returnUrl === "" ? <></> : <a href={returnUrl}>{t("demo.back")}</a>}
      <p class="small muted">{t("demo.seller")}</p>
    </>
  );
}

function isAction(text: string | undefined): text is DemoAction {
  return demoActions.some((action) => action === text);
}

const PATH = "/demo-pay/{orderId}";
const params = z.object({
  orderId: z
    .string()
    .min(1)
    .max(100)
    .openapi({ param: { name: "orderId", in: "path" }, example: "ord_01jd5v6m0c8f3k2n7q4x9y1z5a" }),
});
const pageContent: Record<string, { schema: { type: "string" } }> = {
  "text/html": { schema: { type: "string" } },
};
const formContent: Record<string, { schema: { type: "object" } }> = {
  "application/x-www-form-urlencoded": { schema: { type: "object" } },
};

/** Adds GET and POST /demo-pay/{orderId}. */
export function addDemoPayPage(
  app: ServiceApp,
  { demo, visits }: { readonly demo: DemoPayments; readonly visits: Visits },
): void {
  const base = { tags: ["demo payment"], "x-access": "token" };
  const show = createRoute({
    ...base,
    method: "get",
    path: PATH,
    operationId: "showDemoPayment",
    summary: "The page of the built-in demo provider",
    request: { params, query: z.object({ token: z.string().max(200).default("") }) },
    responses: { 200: { description: "A page with a form", content: pageContent } },
    errors: ["not_found", "invalid", "store_unavailable"],
  });
  app.openapi(show, async (c) => {
    const { token } = c.req.valid("query");
    const { order, returnUrl } = await demo.find(c.req.valid("param").orderId, token);
    const visit = await visits.open(c);
    return visit.render({
      title: visit.t("demo.title"),
      narrow: true,
      body: <DemoPage visit={visit} order={order} token={token} returnUrl={returnUrl} />,
    });
  });
  const act = createRoute({
    ...base,
    method: "post",
    path: PATH,
    operationId: "actDemoPayment",
    summary: "What a button of that page does: the signed notice of a payment, then back to the page",
    request: { params, body: { content: formContent } },
    responses: { 303: { description: "Back to the page" } },
    errors: ["not_found", "invalid", "too_large", "store_unavailable"],
  });
  app.openapi(act, async (c) => {
    const { orderId } = c.req.valid("param");
    const form = await readFields(c);
    const token = form.get("token") ?? "";
    const action = form.get("action") ?? undefined;
    if (!isAction(action)) throw new AppError("invalid", `The action is one of ${demoActions.join(", ")}`);
    await demo.act(orderId, token, action);
    return c.redirect(`/demo-pay/${encodeURIComponent(orderId)}?token=${encodeURIComponent(token)}`, 303);
  });
}
