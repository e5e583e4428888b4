/** How a shop of the tests reaches a stand-in: without a network. */
import assert from "node:assert/strict";
import type { OutboundOutcome, OutboundRequest } from "../../../../src/kit/outbound/outbound.ts";
import type { Gateway } from "./gateway.ts";

export const ORIGIN = "https://gateway.test";

/** Sends a request of the shop to a stand-in. */
export async function askGateway(
  gateway: Pick<Gateway, "answer">,
  request: OutboundRequest,
): Promise<OutboundOutcome> {
  const { method, url, headers, contentType, body } = request;
  assert.ok(url.startsWith(ORIGIN), `${url} is not the service`);
  const answer = await gateway.answer(
    new Request(url, {
      method,
      headers: { ...headers, ...(contentType === undefined ? {} : { "content-type": contentType }) },
      ...(body === undefined ? {} : { body }),
    }),
  );
  return { kind: "answered", status: answer.status, text: await answer.text(), headers: answer.headers };
}
