/** Status pages for programs: Statuspage's shape, and badges. */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { AppError } from "../../kit/errors.ts";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import { createEntityTag, isKnownTag } from "../../kit/http/etag.ts";
import { toUptimeFigure } from "../../kit/text/uptime-figure.ts";
import { findLanguage } from "../../kit/text/languages.ts";
import { visitorErrors, visitorRoute } from "../access/http/visitor-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import type { PublicAddress } from "../base/public-url.ts";
import { type Badge, toBadgeSvg, toShieldsEndpoint } from "../status/machine/badge.ts";
import type { ShownComponent, ShownPage } from "../status/board.ts";
import type { Status } from "../status/status.ts";
import { type SummaryFile, summaryFiles } from "../status/machine/summary.ts";
import { type Gate, noSuchPage } from "./gate.ts";
import { toIndicatorTone, toSentence } from "./pieces/banner.tsx";
import { toDayTone } from "./pieces/day-bars.tsx";
import { toTone } from "./pieces/status-tag.tsx";
import { createFormats } from "./shown/formats.ts";
import { createTexts } from "./shown/texts.ts";

/** Badges are on other websites, which request them often. */
const CACHE = "public, max-age=30, stale-if-error=86400";
const OWN_CACHE = "private, no-cache";
const MAX_LABEL = 64;
/** Slower is slow. */
const SLOW_MS = 1_000;
const encoder = new TextEncoder();

export interface MachineDeps {
  readonly status: Pick<Status, "uptime" | "look">;
  readonly gate: Gate;
  readonly address: PublicAddress;
  readonly now: () => number;
}

const shared = { tags: ["public"], "x-access": "public" as const, ...visitorRoute };
const errors = [...visitorErrors, "invalid", "not_found"] as const;
const pageParam = z
  .string()
  .min(1)
  .max(120)
  .openapi({ param: { name: "slug", in: "path" }, example: "main" });
const files = Object.keys(summaryFiles) as [SummaryFile, ...SummaryFile[]];

/** Common to all responses of that API. */
const summarySchema = z.looseObject({
  page: z.looseObject({ id: z.string(), name: z.string(), url: z.string() }),
  status: z.looseObject({ indicator: z.string(), description: z.string() }).optional(),
  components: z.array(z.looseObject({ id: z.string(), name: z.string(), status: z.string() })).optional(),
  incidents: z.array(z.looseObject({ id: z.string(), name: z.string(), status: z.string() })).optional(),
  scheduled_maintenances: z.array(z.looseObject({ id: z.string(), name: z.string() })).optional(),
});

/** Pages of every origin may read public data. */
function toHeaders({ record }: ShownPage): Record<string, string> {
  return record.access === "public" && record.published
    ? { "cache-control": CACHE, "access-control-allow-origin": "*" }
    : { "cache-control": OWN_CACHE };
}

async function send(
  c: Context<AppEnv>,
  page: ShownPage,
  { body, type }: { readonly body: string; readonly type: string },
): Promise<Response> {
  const bytes = encoder.encode(body);
  const etag = await createEntityTag(bytes);
  const headers = { ...toHeaders(page), etag };
  if (isKnownTag(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
  return c.body(bytes, 200, { ...headers, "content-type": type });
}

function addSummary(app: ServiceApp, { status, gate, address, now }: MachineDeps): void {
  async function answer(c: Context<AppEnv>, slug: string, file: SummaryFile): Promise<Response> {
    const page = await gate.open(c, slug);
    const { host, language } = page.record;
    const given = {
      page,
      now: now(),
      timeZone: status.look().timeZone,
      url: host === "" ? `${address.toUrl(c.req.url)}/status/${slug}` : `https://${host}`,
      description: toSentence({ page, t: createTexts(language) }).text,
    };
    return send(c, page, { body: JSON.stringify(summaryFiles[file](given)), type: "application/json" });
  }

  const example = {
    page: { id: "stp_01jd5v6m", name: "Northwind status", url: "https://status.example.org" },
  };
  const ok = {
    description: "The page in the format of version 2 of Statuspage's public API",
    content: { "application/json": { schema: summarySchema, example } },
  };
  const summary = createRoute({
    ...shared,
    method: "get",
    path: "/status/{slug}/summary.json",
    operationId: "getStatusSummary",
    summary: "Get a status page in the format of Statuspage's summary",
    request: { params: z.object({ slug: pageParam }) },
    responses: { 200: ok, 304: { description: "Not modified since the ETag in If-None-Match" } },
    errors,
  });
  // The answer is made once for all paths; its form is the schema's.
  app.openAPIRegistry.registerPath(summary);
  app.get("/status/:slug/summary.json", (c) => answer(c, c.req.param("slug"), "summary.json"));

  const file = z.enum(files).openapi({ param: { name: "file", in: "path" }, example: "status.json" });
  app.openAPIRegistry.registerPath(
    createRoute({
      ...shared,
      method: "get",
      path: "/status/{slug}/api/v2/{file}",
      operationId: "getStatusFile",
      summary: "Get a status page, or a part of it, at the paths that Statuspage clients use",
      request: { params: z.object({ slug: pageParam, file }) },
      responses: { 200: ok, 304: { description: "Not modified since the ETag in If-None-Match" } },
      errors,
    }),
  );
  app.get("/status/:slug/api/v2/:file", (c) => {
    const found = files.find((name) => name === c.req.param("file"));
    if (found === undefined) throw noSuchPage();
    return answer(c, c.req.param("slug"), found);
  });
}

const badgeTypes = ["status", "uptime", "latency"] as const;
type BadgeType = (typeof badgeTypes)[number];

/** Query parameters of a badge. @throws AppError `invalid` */
function readBadgeQuery(c: Context<AppEnv>): { type: BadgeType; label: string | undefined } {
  const asked = c.req.query("type") ?? "status";
  const type = badgeTypes.find((each) => each === asked);
  if (type === undefined)
    throw new AppError("invalid", `The badge type does not exist. Available: ${badgeTypes.join(", ")}`, {
      errors: [{ pointer: "type", code: "invalid", message: "is not a badge type" }],
    });
  const label = c.req
    .query("label")
    ?.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]/gu, " ");
  return { type, label: label === undefined ? undefined : Array.from(label).slice(0, MAX_LABEL).join("") };
}

/** Creates what says a badge's figure of some components of a page. */
function createFigures(
  { status }: MachineDeps,
  { record, indicator }: ShownPage,
  language: typeof record.language,
) {
  const t = createTexts(language);
  const formats = createFormats(language, status.look().timeZone);
  const none = { message: t("status.unknown"), tone: "none" as const };
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, each) => sum + each, 0) / values.length;
  return {
    status: (only: ShownComponent | undefined): Omit<Badge, "label"> =>
      only === undefined
        ? { message: t(`badge.${indicator}`), tone: toIndicatorTone(indicator) }
        : { message: t(`status.${only.status}`), tone: toTone(only.status) },
    uptime: (components: readonly ShownComponent[]): Omit<Badge, "label"> => {
      const known = components
        .filter(({ showsHistory }) => showsHistory)
        .map((component) => status.uptime.days(component, record))
        .filter(({ percent }) => percent !== null);
      if (known.length === 0) return none;
      const knownMs = Math.max(...known.map((days) => days.knownMs));
      const figure = toUptimeFigure(mean(known.map(({ percent }) => percent ?? 0)), knownMs);
      if (figure.kind !== "share")
        return { message: t("days.young", { span: formats.duration(knownMs) }), tone: "none" };
      return { message: formats.percent(figure.share), tone: toDayTone(figure.share) };
    },
    latency: (components: readonly ShownComponent[]): Omit<Badge, "label"> => {
      const known = components
        .filter(({ showsLatency }) => showsLatency)
        .flatMap((component) => status.uptime.latency(component).map(({ avg }) => avg));
      if (known.length === 0) return none;
      return { message: formats.milliseconds(mean(known)), tone: mean(known) > SLOW_MS ? "warn" : "good" };
    },
  };
}

function addBadges(app: ServiceApp, deps: MachineDeps): void {
  async function read(c: Context<AppEnv>): Promise<{ page: ShownPage; badge: Badge }> {
    const page = await deps.gate.open(c, c.req.param("slug"));
    const { type, label } = readBadgeQuery(c);
    const id = c.req.param("id");
    const only = id === undefined ? undefined : page.components.find((component) => component.id === id);
    if (id !== undefined && only === undefined) throw noSuchPage();
    const figures = createFigures(deps, page, findLanguage(c.req.query("lang")) ?? page.record.language);
    const components = only === undefined ? page.components : [only];
    const said = type === "status" ? figures.status(only) : figures[type](components);
    return { page, badge: { label: label ?? only?.name ?? page.record.title, ...said } };
  }

  for (const path of ["/status/:slug", "/status/:slug/components/:id"]) {
    app.get(`${path}/badge.svg`, async (c) => {
      const { page, badge } = await read(c);
      return send(c, page, { body: toBadgeSvg(badge), type: "image/svg+xml; charset=utf-8" });
    });
    app.get(`${path}/badge.json`, async (c) => {
      const { page, badge } = await read(c);
      const body = JSON.stringify(toShieldsEndpoint(badge));
      return send(c, page, { body, type: "application/json" });
    });
  }
  describeBadges(app);
}

/** Documents the badges. */
function describeBadges(app: ServiceApp): void {
  const query = z.object({
    type: z.enum(badgeTypes).default("status"),
    label: z.string().max(200).optional(),
    lang: z.string().max(35).optional(),
  });
  const id = z.string().openapi({ param: { name: "id", in: "path" }, example: "cmp_01jd5v6m" });
  const shields = z.object({
    schemaVersion: z.literal(1),
    label: z.string(),
    message: z.string(),
    color: z.string(),
  });
  const pictures = { "image/svg+xml": { schema: z.string() } };
  const endpoints = { "application/json": { schema: shields } };
  for (const [path, of, params] of [
    ["/status/{slug}", "", z.object({ slug: pageParam })],
    ["/status/{slug}/components/{id}", "Component", z.object({ slug: pageParam, id })],
  ] as const)
    for (const [file, name, summary, content] of [
      ["badge.svg", "Badge", "Get a badge as SVG", pictures],
      ["badge.json", "BadgeEndpoint", "Get a badge for the shields.io endpoint", endpoints],
    ] as const)
      app.openAPIRegistry.registerPath(
        createRoute({
          ...shared,
          method: "get",
          path: `${path}/${file}`,
          operationId: `getStatus${of}${name}`,
          summary: of === "" ? summary : `${summary}, for one component`,
          request: { params, query },
          responses: {
            200: { description: "The badge", content },
            304: { description: "Not modified since the ETag in If-None-Match" },
          },
          errors,
        }),
      );
}

export function addMachineRoutes(app: ServiceApp, deps: MachineDeps): void {
  addSummary(app, deps);
  addBadges(app, deps);
}
