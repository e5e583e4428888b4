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
import type { PingSlugs } from "./ping-slugs.ts";
import type { Ping, Pings } from "./pings.ts";
import { readQueryBytes, readRunId, readRunMs, readSignal, readStatus, readUserAgent } from "./read-ping.ts";
import { MAX_MAIL_BYTES, readMail } from "./read-mail.ts";
import { MAX_BODY_BYTES } from "./schema.ts";

type PingTaker = Pick<Pings, "find" | "take">;

/** Takes pings, by the key of a heartbeat or by its slug. */
export interface PingTakers {
  readonly pings: PingTaker;
  readonly slugs: Pick<PingSlugs, "isKey" | "find">;
}

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
const SIGNALS = '"start", "fail", "log", "mail" with an email as the body, or an exit status from 0 to 255';
const ending = z
  .string()
  .max(100)
  .openapi({
    param: { name: "signal", in: "path" },
    description: `${SIGNALS}; after the ping key of the monitor, the slug of a heartbeat`,
    example: "start",
  });
const slug = z
  .string()
  .max(100)
  .openapi({ param: { name: "slug", in: "path" }, example: "database-backup" });
const slugEnding = z
  .string()
  .max(32)
  .openapi({ param: { name: "signal", in: "path" }, description: SIGNALS, example: "start" });
const ridQuery = z.object({
  rid: z.string().optional().openapi({
    description: "UUID that distinguishes overlapping runs",
    example: "0b1f3c5e-7a2d-4e6f-8091-a2b3c4d5e6f7",
  }),
});
const slugQuery = ridQuery.extend({
  create: z.string().optional().openapi({
    description: '"1" creates the heartbeat of an unknown slug. Only after the ping key of the monitor',
    example: "1",
  }),
});

const okResponse = {
  description: "The ping was stored",
  headers: z.object({
    "Ping-Body-Limit": z.string().openapi({ description: "Maximum number of stored bytes of a body" }),
  }),
  content: { "text/plain": { schema: z.literal("OK") } },
};
const createdResponse = {
  description: "The heartbeat was created, and the ping was stored",
  headers: okResponse.headers,
  content: { "text/plain": { schema: z.literal("Created") } },
};
const pingErrors = [
  "bad_request",
  "not_found",
  "too_large",
  "invalid",
  "rate_limited",
  "store_unavailable",
] as const;

const slugErrors = [...pingErrors, "conflict"] as const;

function readSender(c: Context<AppEnv>): Pick<Ping, "method" | "clientAddress" | "userAgent"> {
  const userAgent = readUserAgent(c.req.header("user-agent"));
  return { method: c.req.method, clientAddress: c.get("clientAddress"), userAgent };
}

/** Finds the heartbeat of a ping. @throws AppError `bad_request`, `not_found`, `rate_limited`, `conflict` */
type Find = () => Promise<{ readonly id: string; readonly key: string; readonly isNew: boolean }>;

interface PingBody {
  readonly text: string;
  readonly isCut: boolean;
  /** All that was read; undefined without a body. */
  readonly words: string | undefined;
}

async function readTextBody(c: Context<AppEnv>): Promise<PingBody> {
  const { bytes, isCut } = await readBodyStart(c, MAX_BODY_BYTES);
  const body = toPingText(bytes, { isCut, maxBytes: MAX_BODY_BYTES });
  return { ...body, words: body.text.trim() === "" ? undefined : body.text };
}

/** @throws AppError `bad_request` */
async function readMailBody(c: Context<AppEnv>): Promise<PingBody> {
  const { bytes, isCut } = await readBodyStart(c, MAX_MAIL_BYTES);
  const words = await readMail(bytes);
  const body = toPingText(new TextEncoder().encode(words), { isCut: false, maxBytes: MAX_BODY_BYTES });
  return { text: body.text, isCut: body.isCut || isCut, words };
}

/** Returns whether the heartbeat is new. */
async function takePing(
  pings: PingTaker,
  c: Context<AppEnv>,
  { part, find }: { part: string; find: Find },
): Promise<boolean> {
  c.header("cache-control", "no-store");
  const named = readSignal(part);
  if (named === undefined) throw new AppError("not_found", "This path does not exist");
  // Before a heartbeat is created.
  readRunId(c.req.query("rid"));
  const { isNew, ...found } = await find();
  const rid = readRunId(c.req.query("rid"));
  const { isMail = false, ...sent } = named;
  const { text, isCut, words } = isMail ? await readMailBody(c) : await readTextBody(c);
  const isNamed = part !== "" && !isMail;
  await pings.take(found, {
    ...sent,
    rid,
    text,
    isCut,
    words: isNamed ? undefined : words,
    ...readSender(c),
  });
  c.header("ping-body-limit", String(MAX_BODY_BYTES));
  return isNew;
}

function findByKey(pings: PingTaker, c: Context<AppEnv>, key: string): Find {
  return async () => ({ id: await pings.find(key, c.get("clientAddress")), key, isNew: false });
}

function findBySlug(slugs: PingTakers["slugs"], c: Context<AppEnv>, name: string): Find {
  const creates = c.req.query("create") === "1";
  return () => slugs.find(name, { creates, clientAddress: c.get("clientAddress") });
}

/** How a family of addresses is called. */
interface Form {
  readonly method: (typeof methods)[number];
  readonly slash: (typeof slashes)[number];
}

function addPingRoutesOf(app: ServiceApp, { pings, slugs }: PingTakers, { method, slash }: Form): void {
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
    await takePing(pings, c, { part: "", find: findByKey(pings, c, c.req.valid("param").key) });
    return c.text("OK", 200);
  });
  const pingSignal = createRoute({
    ...common,
    path: `/ping/{key}/{signal}${slash}`,
    operationId: `pingSignal${names[method]}`,
    summary: "Send a ping: the job started, failed or ended with an exit status, or a log message",
    request: { params: z.object({ key, signal: ending }), query: slugQuery },
    responses: { 200: okResponse, 201: createdResponse },
    errors: slugErrors,
  });
  app.openapi(pingSignal, async (c) => {
    const { key: given, signal } = c.req.valid("param");
    const taken = slugs.isKey(given)
      ? { part: "", find: findBySlug(slugs, c, signal) }
      : { part: signal, find: findByKey(pings, c, given) };
    return (await takePing(pings, c, taken)) ? c.text("Created", 201) : c.text("OK", 200);
  });
  const pingSlugSignal = createRoute({
    ...common,
    path: `/ping/{key}/{slug}/{signal}${slash}`,
    operationId: `pingSlugSignal${names[method]}`,
    summary: "Send a ping by the ping key of the monitor and a slug",
    request: { params: z.object({ key, slug, signal: slugEnding }), query: slugQuery },
    responses: { 200: okResponse, 201: createdResponse },
    errors: slugErrors,
  });
  app.openapi(pingSlugSignal, async (c) => {
    const { key: given, slug: name, signal } = c.req.valid("param");
    // Counts keys that there are not.
    if (!slugs.isKey(given)) await pings.find(given, c.get("clientAddress"));
    if (!slugs.isKey(given)) throw new AppError("not_found", "This path does not exist");
    const isNew = await takePing(pings, c, { part: signal, find: findBySlug(slugs, c, name) });
    return isNew ? c.text("Created", 201) : c.text("OK", 200);
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
export function addPingRoutes(app: ServiceApp, takers: PingTakers): void {
  for (const method of methods)
    for (const slash of slashes) {
      addPingRoutesOf(app, takers, { method, slash });
      addPushRoute(app, takers.pings, { method, slash });
    }
}
