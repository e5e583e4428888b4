/**
 * The URLs that jobs request, compatible with existing crontabs: `/ping/<key>` with its suffixes as at
 * healthchecks.io, `/api/push/<key>` as at Uptime Kuma. The key is the only credential.
 */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { toAppError } from "../../kit/http/problem.ts";
import { ANY_QUERY } from "../../kit/http/query-names.ts";
import { problemResponses } from "../../kit/http/schemas.ts";
import { readBodyStart } from "../../kit/http/request-body.ts";
import { createRoute } from "../edge/create-route.ts";
import { toPingText } from "./ping-text.ts";
import type { Ping, Pings } from "./pings.ts";
import { readQueryBytes, readRunId, readRunMs, readSignal, readStatus, readUserAgent } from "./read-ping.ts";
import { MAX_BODY_BYTES } from "./schema.ts";

type PingTaker = Pick<Pings, "find" | "take">;

const EXAMPLE_KEY = "3m8x0d5c7tq1w9b2r4k6v0zhfa";
const methods = ["get", "post", "put", "patch", "delete"] as const;
const names = { get: "Get", post: "Post", put: "Put", patch: "Patch", delete: "Delete" } as const;
/** healthchecks.io's own addresses and many crontabs end with a slash; the document names the form without. */
const slashes = ["", "/"] as const;

const key = z
  .string()
  .min(1)
  .max(128)
  .openapi({ param: { name: "key", in: "path" }, example: EXAMPLE_KEY });
const ending = z
  .string()
  .max(32)
  .openapi({
    param: { name: "signal", in: "path" },
    description: '"start", "fail", "log", or an exit status from 0 to 255',
    example: "start",
  });
const ridQuery = z.object({
  rid: z.string().optional().openapi({
    description: "UUID that distinguishes overlapping runs",
    example: "0b1f3c5e-7a2d-4e6f-8091-a2b3c4d5e6f7",
  }),
});

const okResponse = {
  description: "The ping was stored",
  headers: z.object({
    "Ping-Body-Limit": z.string().openapi({ description: "Maximum number of stored bytes of a body" }),
  }),
  content: { "text/plain": { schema: z.literal("OK") } },
};
const pingErrors = [
  "bad_request",
  "not_found",
  "too_large",
  "invalid",
  "rate_limited",
  "store_unavailable",
] as const;

function readSender(c: Context<AppEnv>): Pick<Ping, "method" | "clientAddress" | "userAgent"> {
  const userAgent = readUserAgent(c.req.header("user-agent"));
  return { method: c.req.method, clientAddress: c.get("clientAddress"), userAgent };
}

async function takePing(pings: PingTaker, c: Context<AppEnv>, part: string): Promise<void> {
  c.header("cache-control", "no-store");
  const named = readSignal(part);
  if (named === undefined) throw new AppError("not_found", "This path does not exist");
  const found = { key: c.req.param("key") ?? "", id: "" };
  found.id = await pings.find(found.key, c.get("clientAddress"));
  const rid = readRunId(c.req.query("rid"));
  const { bytes, isCut } = await readBodyStart(c, MAX_BODY_BYTES);
  const body = toPingText(bytes, { isCut, maxBytes: MAX_BODY_BYTES });
  await pings.take(found, { ...named, rid, ...body, ...readSender(c) });
  c.header("ping-body-limit", String(MAX_BODY_BYTES));
}

/** How a family of addresses is called. */
interface Form {
  readonly method: (typeof methods)[number];
  readonly slash: (typeof slashes)[number];
}

function addPingRoutesOf(app: ServiceApp, pings: PingTaker, { method, slash }: Form): void {
  const common = {
    method,
    hide: slash !== "",
    tags: ["heartbeats"],
    "x-access": "public" as const,
    errors: pingErrors,
  };
  const ping = createRoute({
    ...common,
    path: `/ping/{key}${slash}`,
    operationId: `ping${names[method]}`,
    summary: "Send a success ping: the job is alive or has finished successfully",
    request: { params: z.object({ key }), query: ridQuery },
    responses: { 200: okResponse },
  });
  app.openapi(ping, async (c) => {
    await takePing(pings, c, "");
    return c.text("OK", 200);
  });
  const pingSignal = createRoute({
    ...common,
    path: `/ping/{key}/{signal}${slash}`,
    operationId: `pingSignal${names[method]}`,
    summary: "Send a ping: the job started, failed or ended with an exit status, or a log message",
    request: { params: z.object({ key, signal: ending }), query: ridQuery },
    responses: { 200: okResponse },
  });
  app.openapi(pingSignal, async (c) => {
    await takePing(pings, c, c.req.valid("param").signal);
    return c.text("OK", 200);
  });
}

const pushQuery = z.object({
  status: z.string().optional().openapi({ description: '"up"; any other value means down', example: "up" }),
  msg: z.string().optional().openapi({ description: "Message for the log", example: "OK" }),
  ping: z.string().optional().openapi({ description: "Duration in milliseconds", example: "120" }),
});
const pushedSchema = z.object({ ok: z.literal(true) });
const notPushedSchema = z.object({ ok: z.literal(false), msg: z.string() });

function refusal(description: string) {
  return { description, content: { "application/json": { schema: notPushedSchema } } };
}

function addPushRoute(app: ServiceApp, pings: PingTaker, { method, slash }: Form): void {
  const push = createRoute({
    method,
    hide: slash !== "",
    path: `/api/push/{key}${slash}`,
    operationId: `push${names[method]}`,
    tags: ["heartbeats"],
    "x-access": "public",
    [ANY_QUERY]: true,
    summary: "Send a ping in the format of Uptime Kuma push monitors",
    request: { params: z.object({ key }), query: pushQuery },
    responses: {
      200: {
        description: "The ping was stored",
        content: { "application/json": { schema: pushedSchema, example: { ok: true } } },
      },
      404: {
        description: "The heartbeat or path does not exist",
        content: { ...refusal("").content, ...problemResponses("not_found")[404].content },
      },
      429: refusal("Too many pings of this heartbeat, or too many wrong ping URLs from this address"),
      503: refusal("The ping cannot be stored at the moment"),
    },
    errors: ["bad_request", "too_large", "invalid"],
  });
  app.openapi(push, async (c) => {
    c.header("cache-control", "no-store");
    const { status, ping } = c.req.valid("query");
    const { key: pushKey } = c.req.valid("param");
    try {
      const id = await pings.find(pushKey, c.get("clientAddress"));
      const message = readQueryBytes(c.req.raw.url, "msg");
      const text = toPingText(message, { isCut: false, maxBytes: MAX_BODY_BYTES });
      const sent = { signal: readStatus(status), rid: "", runMs: readRunMs(ping), ...text, ...readSender(c) };
      await pings.take({ id, key: pushKey }, sent);
      return c.json({ ok: true as const }, 200);
    } catch (error) {
      const { kind, message, retryAfterSeconds } = toAppError(error);
      if (kind.http !== 404 && kind.http !== 429 && kind.http !== 503) throw error;
      if (retryAfterSeconds !== undefined) c.header("retry-after", String(Math.ceil(retryAfterSeconds)));
      return c.json({ ok: false as const, msg: message }, kind.http);
    }
  });
}

/** Adds /ping/… and /api/push/…; HEAD is taken where GET is. */
export function addPingRoutes(app: ServiceApp, pings: PingTaker): void {
  for (const method of methods)
    for (const slash of slashes) {
      addPingRoutesOf(app, pings, { method, slash });
      addPushRoute(app, pings, { method, slash });
    }
}
