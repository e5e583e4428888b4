/** The checks of the dashboard: visitors get those that are public, administrators all. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { createEntityTag, isKnownTag } from "../../kit/http/etag.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import { type FindVisitor, visitorErrors, visitorRoute } from "../access/http/visitor-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { MAX_HOURS_CHECKS } from "./answer-schema.ts";
import type { Audience, ShownChecks } from "./shown-checks.ts";
import { shownChecksSchema, shownUptimesSchema, uptimeSpans } from "./shown-schema.ts";
import type { ShownUptime } from "./shown-uptime.ts";

const PATH = "/api/checks";
/** How old the list for visitors may be while only results arrive. */
const LIST_MAX_AGE_MS = 1_000;
const encoder = new TextEncoder();

const exampleId = "chk_01jd5v6m0c8f3k2n7q4x9y1z5a";
const listRoute = createRoute({
  method: "get",
  path: PATH,
  operationId: "listChecks",
  tags: ["public"],
  "x-access": "public",
  ...visitorRoute,
  summary: "List the public checks with their states, by group and name. Administrators get all checks",
  description:
    "Frames of the live feed have a number `checks`, which increases when this list changes, except for response times and maintenance.",
  responses: {
    200: jsonResponse("The checks. The ETag changes with every result, not with `now`", shownChecksSchema, {
      items: [
        {
          id: exampleId,
          name: "Shop",
          group: "Public",
          tags: ["web"],
          kind: "http" as const,
          state: "up" as const,
          since: "2025-11-20T12:00:04+00:00",
          latencyMs: 84,
        },
      ],
      now: "2025-11-20T12:10:00+00:00",
    }),
    304: { description: "Nothing has changed since the ETag in If-None-Match" },
  },
  errors: [...visitorErrors],
});

const checkId = z.string().min(1).max(64);
const uptimeRoute = createRoute({
  method: "get",
  path: `${PATH}/uptime`,
  operationId: "listCheckUptime",
  tags: ["public"],
  "x-access": "public",
  ...visitorRoute,
  summary: "Get the uptime of visible checks by hour over 24 hours, or by day over 90 days",
  description: "Up to one minute old (24 hours), or five minutes (90 days).",
  request: {
    query: z.object({
      span: z.enum(uptimeSpans).default("24h"),
      id: z
        .union([checkId, z.array(checkId).min(1).max(MAX_HOURS_CHECKS)])
        .describe(`ID of a check. Repeat the parameter for up to ${MAX_HOURS_CHECKS} checks`),
    }),
  },
  responses: {
    200: jsonResponse("Uptime of each visible check", shownUptimesSchema, {
      items: [
        {
          id: exampleId,
          upPercents: [null, 100, 99.2],
          upPercent: 99.6,
          knownSince: "2025-11-20T10:12:00+00:00",
        },
      ],
    }),
  },
  errors: [...visitorErrors, "invalid", "store_unavailable"],
});

export interface ShownCheckRoutesOptions {
  readonly shownChecks: ShownChecks;
  readonly shownUptime: ShownUptime;
  readonly findVisitor: FindVisitor;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

interface Ready {
  readonly revision: number;
  readonly at: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** Adds GET /api/checks and its uptime. */
export function addShownCheckRoutes(app: ServiceApp, options: ShownCheckRoutesOptions): void {
  const { shownChecks, shownUptime, findVisitor, now } = options;
  const ready = new Map<Audience, Promise<Ready>>();

  async function make(audience: Audience): Promise<Ready> {
    const [revision, at] = [shownChecks.revision(audience), now()];
    const items = JSON.stringify(shownChecks.list(audience));
    const etag = await createEntityTag(encoder.encode(items));
    return { revision, at, etag, bytes: encoder.encode(`{"items":${items},"now":"${toIsoTime(at)}"}`) };
  }

  /** Encoded once for all who ask at the same time. */
  async function read(audience: Audience): Promise<Ready> {
    const found = await ready.get(audience);
    const age = now() - (found?.at ?? 0);
    if (found?.revision === shownChecks.revision(audience) && age >= 0 && age < LIST_MAX_AGE_MS) return found;
    const made = make(audience);
    ready.set(audience, made);
    return made;
  }

  app.openapi(listRoute, async (c) => {
    const isAdministrator = (await findVisitor(c)).right === "administer";
    const { bytes, etag } = await read(isAdministrator ? "administrators" : "public");
    if (isKnownTag(c.req.header("if-none-match"), etag)) return c.body(null, 304, { etag });
    const cache = isAdministrator ? "private, no-cache" : "no-cache";
    return c.body(bytes, 200, { "content-type": "application/json", "cache-control": cache, etag });
  });

  app.openapi(uptimeRoute, async (c) => {
    const { id, span } = c.req.valid("query");
    const audience = (await findVisitor(c)).right === "administer" ? "administrators" : "public";
    const ids = [...new Set(typeof id === "string" ? [id] : id)];
    const found = await shownUptime.read(
      ids.filter((one) => shownChecks.has(one, audience)),
      span,
    );
    const items = found.map(({ knownSince, upPercents, ...rest }) => ({
      ...rest,
      upPercents: [...upPercents],
      knownSince: toIsoTimeIfAny(knownSince),
    }));
    return c.json({ items }, 200);
  });
}
