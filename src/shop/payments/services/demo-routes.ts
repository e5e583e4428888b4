/** The page of the built-in demo provider: plain HTML with a form, for trying a sale. */
import { z } from "@hono/zod-openapi";
import { html } from "hono/html";
import type { ServiceApp } from "../../../kit/http/app.ts";
import { AppError } from "../../../kit/errors.ts";
import { type DemoAction, type DemoPayments, demoActions } from "./demo-payment.ts";
import { formatAmount } from "../../money.ts";
import type { OrderRecord } from "../../orders/schema.ts";
import { createRoute } from "../../http/create-route.ts";

const labels: Readonly<Record<DemoAction, string>> = {
  pay: "Pay",
  pay_twice: "Pay twice",
  pay_less: "Pay half",
  pay_more: "Pay double the amount",
  fail: "Let the payment fail",
  refund: "Take the money back",
};

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem; color: #1c1f23; background: #fff }
h1 { font-size: 1.4rem } dt { color: #59616b } dd { margin: 0 0 .6rem; font-weight: 600 }
button { font: inherit; padding: .5rem .9rem; margin: 0 .4rem .4rem 0; border: 1px solid #9aa3ad; border-radius: .4rem; background: #f3f5f7; color: inherit; cursor: pointer }
button:first-of-type { background: #14532d; border-color: #14532d; color: #fff }
.note { color: #59616b; font-size: .9rem }
@media (prefers-color-scheme: dark) {
  body { background: #15181c; color: #e6e9ec } dt, .note { color: #9aa3ad }
  button { background: #262b31; border-color: #454d56 }
}`;

function toPage(
  order: OrderRecord,
  { token, returnUrl }: { token: string; returnUrl: string },
): ReturnType<typeof html> {
  const { id, number, total, amountPaid, currency, language, status, paymentStatus } = order;
  const money = (amount: number): string => formatAmount(amount, currency, language);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Demo payment, order ${number}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <h1>Demo payment</h1>
        <dl>
          <dt>Order</dt>
          <dd>${number}</dd>
          <dt>Amount</dt>
          <dd>${money(total)}</dd>
          <dt>Paid so far</dt>
          <dd>${money(amountPaid)}</dd>
          <dt>State</dt>
          <dd>${status}, ${paymentStatus}</dd>
        </dl>
        <form method="post" action="/demo-pay/${id}">
          <input type="hidden" name="token" value="${token}" />
          ${demoActions.map(
            (action) =>
              html`<button type="submit" name="action" value="${action}">${labels[action]}</button>`,
          )}
        </form>
        ${returnUrl === "" ? "" : html`<p><a href="${returnUrl}">Back to the shop</a></p>`}
        <p class="note">
          Nobody pays anything here. Each button sends the signed notice that a payment service would send.
          Switch the demo payment off in the settings of the site before you sell.
        </p>
      </body>
    </html>`;
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
export function addDemoPayPage(app: ServiceApp, { demo }: { readonly demo: DemoPayments }): void {
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
    c.header("content-security-policy", POLICY);
    c.header("cache-control", "no-store");
    return c.html(await toPage(order, { token, returnUrl }), 200);
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
    const form = new URLSearchParams(await c.req.text());
    const token = form.get("token") ?? "";
    const action = form.get("action") ?? undefined;
    if (!isAction(action)) throw new AppError("invalid", `The action is one of ${demoActions.join(", ")}`);
    await demo.act(orderId, token, action);
    return c.redirect(`/demo-pay/${encodeURIComponent(orderId)}?token=${encodeURIComponent(token)}`, 303);
  });
}
