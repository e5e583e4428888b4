/** Payment notices of providers. */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../../../kit/http/app.ts";
import type { SecurityScheme } from "../../../kit/http/docs.ts";
import { ANY_QUERY } from "../../../kit/http/query-names.ts";
import { AppError } from "../../../kit/errors.ts";
import { readText } from "../../../kit/http/request-body.ts";
import { jsonResponse } from "../../../kit/http/schemas.ts";
import { createRoute } from "../../edge/create-route.ts";
import type { Notices } from "./receive.ts";

export const webhookScheme = {
  webhookSecret: {
    type: "apiKey",
    in: "header",
    name: "X-Webhook-Secret",
    description:
      "The secret of the payment provider from the site settings; or webhook-id, webhook-timestamp and webhook-signature (Standard Webhooks). Provider types with their own protocol authenticate notifications as they document",
  },
} as const satisfies Record<string, SecurityScheme>;

const PROVIDER = "[a-z][a-z0-9]{0,39}";
const SEGMENT = new RegExp(`^(${PROVIDER})-pay$`, "u");

const JSON_TYPE = /^application\/(?:[a-z0-9.-]+\+)?json\s*(?:;|$)/iu;

const outcomeSchema = z
  .object({
    result: z.enum(["applied", "duplicate", "needs_review", "unmatched", "ignored"]),
    noticeId: z.string(),
    reason: z.string(),
  })
  .openapi("NoticeOutcome");

const example = {
  type: "payment.arrived",
  timestamp: "2026-11-21T09:00:00+00:00",
  data: {
    id: "pi_5512",
    orderId: "ord_01jd5v6m0c8f3k2n7q4x9y1z5a",
    amount: 1_999,
    currency: "EUR",
    status: "succeeded",
    paidAt: "2026-11-21T08:59:58+00:00",
  },
};

/** The secret of the provider, or a signature in the headers, which OpenAPI has no scheme for. */
const webhookSecurity: Record<string, string[]>[] = [{ webhookSecret: [] }, {}];

const text: Record<string, { schema: { type: "string" } }> = {
  "text/plain": { schema: { type: "string" } },
};
const body: Record<string, { schema: object; example?: unknown }> = {
  "application/json": { schema: { type: "object", additionalProperties: true }, example },
  "*/*": { schema: { type: "string" } },
};
const taken = jsonResponse(
  "Applied, already known or stored for review; or the response that the provider expects",
  z.union([outcomeSchema, z.looseObject({})]),
);

/** The path of notices as the document has it. */
export const webhookPath = { path: "/api/webhooks/{provider}-pay", parameter: "provider" } as const;

const base = {
  // Hono takes the whole segment as one parameter, named "provider-pay".
  path: webhookPath.path,
  tags: ["webhooks"] as string[],
  "x-access": "webhook",
  [ANY_QUERY]: true,
  security: webhookSecurity,
  parameters: [
    {
      name: "provider",
      in: "path" as const,
      required: true,
      description: "Slug of the payment provider in the settings",
      schema: { type: "string" as const, pattern: `^${PROVIDER}$` },
      example: "stripe",
    },
  ],
  responses: {
    200: { ...taken, content: { ...taken.content, ...text } },
    202: jsonResponse("Stored, but the order does not exist", outcomeSchema),
    204: { description: "Response that some providers expect" },
  },
  errors: [
    ...(["bad_request", "unauthenticated", "too_many_attempts", "not_found", "too_large"] as const),
    ...(["unsupported_media_type", "method_not_allowed", "invalid", "conflict"] as const),
    ...(["store_unavailable", "unavailable"] as const),
  ],
};

/** Receives one notification of any form, and answers in its provider's format. */
async function take(c: Context<AppEnv>, notices: Notices): Promise<Response> {
  const provider = SEGMENT.exec(c.req.param("provider-pay") ?? "")?.[1];
  if (provider === undefined)
    throw new AppError(
      "not_found",
      "The webhook path must end with the slug of a payment provider and -pay, such as demo-pay",
    );
  const { method, url, headers } = c.req.raw;
  // A body declared as JSON must be strict JSON from every sender.
  const isJson = JSON_TYPE.test(headers.get("content-type") ?? "");
  const { text: body, json } = method === "GET" ? { text: "" } : await readText(c, { isJson });
  const address = c.var.clientAddress;
  const { answer, ...outcome } = await notices.receive({
    provider,
    method,
    url,
    headers,
    body,
    json,
    address,
  });
  if (answer !== undefined) {
    const { status, contentType, body: said } = answer;
    return new Response(said === "" ? null : said, {
      status,
      headers: said === "" ? {} : { "content-type": contentType },
    });
  }
  return c.json(outcome, outcome.result === "unmatched" ? 202 : 200);
}

/** Adds POST and GET /api/webhooks/<slug>-pay. */
export function addWebhookRoutes(app: ServiceApp, { notices }: { readonly notices: Notices }): void {
  const post = createRoute({
    ...base,
    method: "post",
    operationId: "receivePaymentNotice",
    summary: "Receive a payment notification: payment received, failed or refunded",
    description:
      "The response is sent after the changes are durable. Repeated notifications return `duplicate` and change nothing. Provider types with their own protocol send what they document; other services send this JSON, or a flat body with the members of `data`.",
    request: { body: { required: false, content: body } },
  });
  const get = createRoute({
    ...base,
    method: "get",
    operationId: "receivePaymentNoticeByGet",
    summary: "Receive a payment notification in the query",
  });
  // The bytes go to the provider's kind as they came, whatever the document says of them.
  app.openAPIRegistry.registerPath(post);
  app.openAPIRegistry.registerPath(get);
  for (const method of ["POST", "GET"])
    app.on(method, "/api/webhooks/:provider-pay", (c) => take(c, notices));
}
