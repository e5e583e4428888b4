/** What a browser gets: the page, its files, and what it must know before it asks for anything else. */
import { createRoute, z } from "@hono/zod-openapi";
import { getCookie } from "hono/cookie";
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { isKnownTag } from "../../kit/http/etag.ts";
import { problemResponses } from "../../kit/http/schemas.ts";
import type { WebAsset, WebAssets } from "../../kit/http/web-assets.ts";
import type { Settings } from "./settings.ts";
import { siteSchema } from "./schema.ts";

/** Paths below which the page itself finds its way. */
const PAGE_PATHS = ["/servers/:id", "/admin", "/admin/:section", "/admin/:section/:id"];
const FOREVER = "public, max-age=31536000, immutable";
const THEMES = new Set(["light", "dark"]);
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export interface DashboardOptions {
  readonly settings: Pick<Settings, "read">;
  readonly assets: WebAssets;
  readonly version: string;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/gu, (character) => entities[character] ?? character);
}

/** Whether the client takes gzip (RFC 9110 section 12.5.3), and does not say "q=0". */
function takesGzip(header: string | undefined): boolean {
  return /(?:^|[,\s])gzip(?!\s*;\s*q=0(?:\.0*)?(?:[,\s]|$))/iu.test(header ?? "");
}

function sendAsset(c: Context<AppEnv>, asset: WebAsset): Response {
  const { bytes, gzipped, contentType, etag, isHashed } = asset;
  const headers: Record<string, string> = {
    "cache-control": isHashed ? FOREVER : "no-cache",
    etag,
    vary: "Accept-Encoding",
  };
  if (isKnownTag(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
  headers["content-type"] = contentType;
  if (gzipped === undefined || !takesGzip(c.req.header("accept-encoding")))
    return c.body(bytes, 200, headers);
  return c.body(gzipped, 200, { ...headers, "content-encoding": "gzip" });
}

/** Makes the handler that answers with the page; theme and title are known before any script runs. */
export function createPageHandler({
  settings,
  assets,
}: Pick<DashboardOptions, "settings" | "assets">): (c: Context<AppEnv>) => Promise<Response> {
  return async (c) => {
    const { siteTitle, theme } = await settings.read();
    const chosen = getCookie(c, "theme") ?? "";
    const page = assets.page
      // By function: in a text `$&` and its like would stand for parts of the page.
      .replaceAll("{{title}}", () => escapeHtml(siteTitle))
      .replaceAll("{{theme}}", THEMES.has(chosen) ? chosen : theme);
    return c.html(page, 200, { "cache-control": "no-cache", vary: "Accept, Cookie" });
  };
}

/** Whether a request wants a page rather than JSON (RFC 9110 section 12.5.1). */
export function wantsPage(c: Context<AppEnv>): boolean {
  return /\btext\/html\b/iu.test(c.req.header("accept") ?? "");
}

const siteRoute = createRoute({
  method: "get",
  path: "/api/site",
  operationId: "getSite",
  tags: ["public"],
  "x-access": "public",
  summary: "What a page of this monitor must know: title, theme, languages",
  responses: {
    200: {
      description: "The site",
      content: {
        "application/json": {
          schema: siteSchema,
          example: {
            title: "Trivet monitor",
            theme: "auto",
            snapshotIntervalMs: 2_000,
            languages: ["en", "zh"],
            version: "0.1.0",
          },
        },
      },
    },
    ...problemResponses("store_unavailable"),
  },
});

/** Adds the page's paths, its files and GET /api/site. */
export function addDashboardRoutes(app: ServiceApp, options: DashboardOptions): void {
  app.openapi(siteRoute, async (c) => {
    const { siteTitle, theme, snapshotIntervalMs } = await options.settings.read();
    const { languages } = options.assets;
    c.header("cache-control", "no-cache");
    return c.json(
      { title: siteTitle, theme, snapshotIntervalMs, languages: [...languages], version: options.version },
      200,
    );
  });

  const page = createPageHandler(options);
  for (const path of PAGE_PATHS) app.get(path, page);

  app.openAPIRegistry.registerPath({
    method: "get",
    path: "/assets/{file}",
    operationId: "getAsset",
    summary: "A file of the dashboard",
    tags: ["public"],
    security: [],
    request: { params: z.object({ file: z.string() }) },
    responses: {
      200: { description: "The file", content: { "text/javascript": { schema: z.string() } } },
      304: { description: "The file is the one that If-None-Match names" },
      ...problemResponses("not_found"),
    },
  });
  app.get("/assets/:file", (c) => {
    const asset = options.assets.find(c.req.param("file"));
    if (asset === undefined) throw new AppError("not_found", "There is no such file");
    return sendAsset(c, asset);
  });
}
