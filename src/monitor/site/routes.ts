/** The page for browsers, its files, and its initial data. */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import { problemResponses } from "../../kit/http/schemas.ts";
import { type WebAssets, addAssets, fillPage } from "../../kit/http/web-assets.ts";
import { escapeHtml } from "../../kit/text/html.ts";
import { type FindVisitor, visitorErrors, visitorRoute } from "../access/http/visitor-guard.ts";
import { addBrandRoutes, SHUT_TITLE } from "./brand-routes.ts";
import type { PublicAddress } from "../base/public-url.ts";
import type { Settings } from "./settings.ts";
import { siteSchema } from "./schema.ts";
import { createRoute } from "../edge/create-route.ts";

/** Paths below which the page itself finds its way. */
const PAGE_PATHS = ["/servers/:id", "/admin", "/admin/:section", "/admin/:section/:id"];
const ASSET_TYPES = ["text/javascript", "text/css", "image/svg+xml", "image/png", "text/plain"];

export interface DashboardOptions {
  readonly settings: Pick<Settings, "read">;
  readonly assets: WebAssets;
  readonly version: string;
  /** Where people reach the service; without it, what the request says. */
  readonly address: PublicAddress;
  readonly findVisitor: FindVisitor;
  readonly page: PageHandler;
}

export type PageHandler = (c: Context<AppEnv>, status?: 200 | 401 | 404) => Promise<Response>;

/** Link previews on other sites (Open Graph). */
function toSocialTags(title: string, origin: string): string {
  const tags = { type: "website", title, site_name: title, url: `${origin}/` };
  return Object.entries(tags)
    .map(([name, content]) => `<meta property="og:${name}" content="${escapeHtml(content)}" />`)
    .join("");
}

/** Creates the handler that answers with the page; theme and title are known before any script runs. */
export function createPageHandler({
  settings,
  assets,
  address,
  findVisitor,
}: Pick<DashboardOptions, "settings" | "assets" | "address" | "findVisitor">): PageHandler {
  return async (c, status = 200) => {
    const present = await settings.read();
    const { theme, accent, homeShows, homeView } = present;
    const isShut = (await findVisitor(c)).right === "nothing";
    const siteTitle = isShut ? SHUT_TITLE : present.siteTitle;
    if (isShut) c.header("x-robots-tag", "noindex");
    const styles =
      accent.light === "" && accent.dark === "" ? "" : '<link rel="stylesheet" href="/site.css" />';
    // What the dashboard shows at first is known before its script asks for anything.
    const home = `<meta name="home" content="${homeShows} ${homeView}" />`;
    // A private site says nothing of itself to strangers.
    const social = present.access.isPrivate ? "" : toSocialTags(siteTitle, address.toUrl(c.req.url));
    // A function, because `$&` and the like in a replacement text would insert parts of the page.
    const page = assets.page.replace("<!-- head -->", () => styles + home + social);
    const filled = fillPage(c, page, { title: siteTitle, theme });
    return c.html(filled, status, { "cache-control": "no-cache", vary: "Accept, Cookie" });
  };
}

const siteRoute = createRoute({
  method: "get",
  path: "/api/site",
  operationId: "getSite",
  tags: ["public"],
  "x-access": "public",
  ...visitorRoute,
  summary: "Get the public site settings: title, theme and languages",
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
            languages: ["de", "en", "zh"],
            version: "0.1.0",
          },
        },
      },
    },
  },
  errors: [...visitorErrors, "store_unavailable"],
});

/** Adds the page's paths, its files and GET /api/site. */
export function addDashboardRoutes(app: ServiceApp, options: DashboardOptions): void {
  app.openapi(siteRoute, async (c) => {
    const present = await options.settings.read();
    const { siteTitle, theme, snapshotIntervalMs, access, logo } = present;
    const { languages } = options.assets;
    c.header("cache-control", "no-cache");
    return c.json(
      {
        title: siteTitle,
        theme,
        snapshotIntervalMs,
        languages: [...languages],
        version: options.version,
        ...(logo === "" ? {} : { logo: `/site-logo/${present.version}` }),
        ...(access.isPrivate ? { isPrivate: true as const } : {}),
      },
      200,
    );
  });

  for (const path of PAGE_PATHS) app.get(path, (c) => options.page(c));
  addBrandRoutes(app, options);

  app.openAPIRegistry.registerPath({
    method: "get",
    path: "/assets/{file}",
    operationId: "getAsset",
    summary: "Get a static file of the dashboard",
    tags: ["public"],
    security: [],
    request: { params: z.object({ file: z.string() }) },
    responses: {
      200: {
        description: "The file",
        content: Object.fromEntries(ASSET_TYPES.map((type) => [type, { schema: z.string() }])),
      },
      304: { description: "The file has not changed" },
      ...problemResponses("not_found"),
    },
  });
  addAssets(app, "/assets/:file", options.assets.find);
}
