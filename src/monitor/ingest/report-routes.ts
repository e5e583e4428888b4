/** Where an agent without gRPC posts its reports. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { inflateBody } from "../../kit/http/request-body.ts";
import { isoTimeMs } from "../../kit/text/iso-time.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { readBearer } from "../access/http/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import type { PostedReports } from "./posted-reports.ts";

const POST_PATH = "/api/agent/report";
/** After decompression; an outage of a day is several requests. */
const MAX_BODY_BYTES = 1_048_576;
/** Reports of a call: a few minutes of an outage. */
const MAX_REPORTS = 100;

const reportRoute = createRoute({
  method: "post",
  path: POST_PATH,
  operationId: "postReports",
  tags: ["agents"],
  "x-access": "public",
  security: [{ agentKey: [] }],
  summary:
    "Send reports of a machine without gRPC, authenticated with its agent key as Bearer. The body can be gzip-compressed",
  request: {
    query: z.object({
      // Optional, so that a call without credentials is refused as such.
      server: z.string().max(64).default("").openapi({ description: "Server ID", example: "srv_…" }),
      hostname: z.string().max(255).default("").openapi({ description: "Host name of the machine" }),
      boot: z.string().max(64).default("").openapi({
        description: "Start of the machine, such as boot_id: tells clones with one key and host name apart",
      }),
    }),
    body: jsonBody(
      z.strictObject({
        reports: z
          .array(
            z.strictObject({
              collectedAt: isoTimeMs.describe("Time of collection by the clock of the machine"),
              payload: z
                .record(z.string(), z.unknown())
                .describe("The report, as in payload_json of the gRPC stream"),
            }),
          )
          .min(1)
          .max(MAX_REPORTS)
          .describe("The oldest report first"),
      }),
      {
        reports: [
          {
            collectedAt: "2026-11-18T15:06:40.000Z",
            payload: { v: 1, intervalMs: 30_000, cpu: { usagePercent: 12.5 } },
          },
        ],
      },
    ),
  },
  responses: {
    200: jsonResponse(
      "The reports are stored or rejected; do not send them again",
      z.object({
        results: z.array(
          z.object({
            accepted: z.boolean(),
            message: z.string().describe("“metrics <time>” once it is durable, or “rejected <reason>”"),
          }),
        ),
      }),
      { results: [{ accepted: true, message: "metrics 1795014400000" }] },
    ),
  },
  errors: [...writeErrors, "unauthenticated", "forbidden", "rate_limited"],
});

/** The credential of an agent, for the OpenAPI document. */
export const agentSchemes = {
  agentKey: { type: "http", scheme: "bearer", description: "Agent key of a server (agk_…)" },
} as const;

/** Adds POST /api/agent/report. */
export function addReportRoute(app: ServiceApp, { posted }: { posted: Pick<PostedReports, "take"> }): void {
  const inflate: MiddlewareHandler<AppEnv> = (c, next) => {
    inflateBody(c, MAX_BODY_BYTES);
    return next();
  };
  app.use(POST_PATH, inflate);
  app.openapi(reportRoute, async (c) => {
    const { server, hostname, boot } = c.req.valid("query");
    const agentKey = readBearer(c.req.header("authorization"));
    if (agentKey === undefined)
      throw new AppError("unauthenticated", "Send the agent key of the server as Bearer token");
    const outcomes = await posted.take({
      serverId: server,
      agentKey,
      hostname,
      boot,
      remoteAddress: c.get("clientAddress"),
      reports: c.req.valid("json").reports.map(({ collectedAt, payload }) => ({
        collectedAt,
        payloadJson: JSON.stringify(payload),
      })),
    });
    c.header("cache-control", "no-store");
    return c.json({ results: outcomes.map(({ accepted, ack }) => ({ accepted, message: ack })) }, 200);
  });
}
