/** Payment notices of providers. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import type { SecurityScheme } from "../../kit/http/docs.ts";
import { AppError } from "../../kit/errors.ts";
import { jsonBody, jsonResponse } from "../../kit/http/schemas.ts";
import type { Notices } from "./notices.ts";
import { createRoute } from "../http/create-route.ts";

export const webhookScheme = {
  webhookSecret: {
    type: "apiKey",
    in: "header",
    name: "X-Webhook-Secret",
    description:
      "The provider's secret of the site's settings; or webhook-id, webhook-timestamp and webhook-signature (Standard Webhooks)",
  },
} as const satisfies Record<string, SecurityScheme>;

const PROVIDER = "[a-z][a-z0-9]{0,39}";
const SEGMENT = new RegExp(`^(${PROVIDER})-pay$`, "u");

const outcomeSchema = z
  .object({
    result: z.enum(["applied", "duplicate", "needs_review", "unmatched"]),
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

/** Adds POST /api/webhooks/<slug>-pay. */
export function addWebhookRoutes(app: ServiceApp, { notices }: { readonly notices: Notices }): void {
  const route = createRoute({
    method: "post",
    // Hono takes the whole segment as one parameter, named "provider-pay".
    path: "/api/webhooks/{provider}-pay",
    operationId: "receivePaymentNotice",
    tags: ["webhooks"],
    "x-access": "webhook",
    security: webhookSecurity,
    summary: "A payment service says that money came, failed to come, or went back",
    description:
      "The answer leaves when what the notice did is durable. The same notice again answers `duplicate` and changes nothing. A flat body with the members of `data` is taken, too.",
    parameters: [
      {
        name: "provider",
        in: "path",
        required: true,
        description: "The provider's slug in the settings",
        schema: { type: "string", pattern: `^${PROVIDER}$` },
        example: "stripe",
      },
    ],
    request: { body: jsonBody(z.looseObject({}), example) },
    responses: {
      200: jsonResponse("Applied, known already, or kept for a person to decide", outcomeSchema),
      202: jsonResponse("Kept, but there is no such order", outcomeSchema),
    },
    errors: [
      "bad_request",
      "unauthenticated",
      "too_many_attempts",
      "not_found",
      "too_large",
      "unsupported_media_type",
      "invalid",
      "store_unavailable",
    ],
  });
  app.openapi(route, async (c) => {
    const provider = SEGMENT.exec(c.req.param("provider-pay"))?.[1];
    if (provider === undefined)
      throw new AppError("not_found", "The path of a provider ends with its slug and -pay, such as demo-pay");
    const json: unknown = c.req.valid("json");
    const outcome = await notices.receive({
      provider,
      json,
      address: c.var.clientAddress,
      // The validator has read the bytes already; this is the same text, which signatures cover.
      body: await c.req.text(),
      headers: {
        secret: c.req.header("x-webhook-secret"),
        webhookId: c.req.header("webhook-id"),
        webhookTimestamp: c.req.header("webhook-timestamp"),
        webhookSignature: c.req.header("webhook-signature"),
      },
    });
    return c.json(outcome, outcome.result === "unmatched" ? 202 : 200);
  });
}
