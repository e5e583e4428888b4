/** A fake payment provider, with the page on which its buyers pay. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { type ReceivedRequest, startReceiver } from "../../kit/outbound-receiver.ts";
import type { Gateway, GatewayOptions } from "../../shop/payments/gateways/gateway.ts";

export interface CashDesk {
  readonly gateway: Gateway;
  close(): Promise<void>;
}

const PAGE = `<!doctype html><html lang="en"><title>Pay</title><h1>Pay here</h1>
<form method="post" action="/paid"><button type="submit">Pay now</button></form></html>`;

/** Where a service leads its buyers afterwards, as the shop told it. */
function findReturnUrl(body: string): string | undefined {
  const form = new URLSearchParams(body);
  return form.get("success_url") ?? form.get("return_url") ?? undefined;
}

/** Starts it as the provider `word` of a shop; it sends its notices there. */
export async function startCashDesk(
  create: (options: GatewayOptions) => Gateway,
  { word, shopUrl }: { readonly word: string; readonly shopUrl: string },
): Promise<CashDesk> {
  const receiver = await startReceiver();
  const origin = `http://127.0.0.1:${receiver.port}`;
  const gateway = create({ origin, now: () => Date.now() });
  let returnUrl = shopUrl;

  async function pay(): Promise<string> {
    const payment = gateway.payments.findLast(({ isPaid, isCanceled }) => !isPaid && !isCanceled);
    assert.ok(payment, "Nothing waits to be paid");
    const { method, query, headers, body } = await gateway.pay(payment);
    payment.isPaid = true;
    const answer = await fetch(`${shopUrl}/api/webhooks/${word}-pay${query}`, {
      method,
      headers,
      ...(method === "GET" ? {} : { body }),
    });
    assert.ok(answer.ok, `The shop answered the notice with ${answer.status}: ${await answer.text()}`);
    return returnUrl;
  }

  async function answer(request: ReceivedRequest, response: ServerResponse): Promise<void> {
    const { method, url, headers, body } = request;
    if (url === "/favicon.ico") return void response.writeHead(204).end();
    if (url === "/paid") return void response.writeHead(303, { location: await pay() }).end();
    if (method === "GET" && String(headers["accept"]).includes("text/html"))
      return void response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
    returnUrl = findReturnUrl(body) ?? returnUrl;
    const kept = Object.entries(headers).filter(
      ([name]) => !["connection", "host", "content-length"].includes(name),
    );
    const asked = new Request(`${origin}${url}`, {
      method,
      headers: kept.map(([name, value]): [string, string] => [name, String(value ?? "")]),
      ...(method === "GET" ? {} : { body }),
    });
    const answered = await gateway.answer(asked);
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.end(await answered.text());
  }

  receiver.answer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  return { gateway, close: () => receiver.close() };
}
