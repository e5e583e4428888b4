/** The owner's branding: logo, accent, and the name as an app. */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { AppError } from "../../kit/errors.ts";
import { problemResponses } from "../../kit/http/schemas.ts";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import { createEntityTag, isKnownTag } from "../../kit/http/etag.ts";
import type { WebAssets } from "../../kit/http/web-assets.ts";
import type { FindVisitor } from "../access/http/visitor-guard.ts";
import type { Settings } from "./settings.ts";
import { toAccentStyles } from "../../kit/brand/accent.ts";
import { readLogo } from "../../kit/brand/logo.ts";
import { sendLogo } from "../../kit/brand/logo-answer.ts";

/** The title of a private site for visitors: its name is confidential. */
export const SHUT_TITLE = "Sign in";

export interface BrandOptions {
  readonly findVisitor: FindVisitor;
  readonly settings: Pick<Settings, "read">;
  readonly assets: WebAssets;
}

function addLogoRoute(app: ServiceApp, { settings, findVisitor }: BrandOptions): void {
  app.openAPIRegistry.registerPath({
    method: "get",
    path: "/site-logo/{version}",
    operationId: "getSiteLogo",
    summary: "Get the logo, regardless of its version. GET /api/site returns its current path",
    tags: ["public"],
    security: [],
    request: { params: z.object({ version: z.string() }) },
    responses: {
      200: {
        description: "The picture",
        content: { "image/png": { schema: z.string() }, "image/svg+xml": { schema: z.string() } },
      },
      ...problemResponses("not_found"),
    },
  });
  app.get("/site-logo/:version", async (c) => {
    const isShut = (await findVisitor(c)).right === "nothing";
    const logo = isShut ? undefined : readLogo((await settings.read()).logo);
    if (logo === undefined) throw new AppError("not_found", "The site has no logo");
    return sendLogo(c, logo, "private, max-age=31536000, immutable");
  });
}

/** Adds the logo, the style sheet and the manifest, which the page links. */
export function addBrandRoutes(app: ServiceApp, { settings, assets, findVisitor }: BrandOptions): void {
  addLogoRoute(app, { settings, assets, findVisitor });
  const files = [
    {
      path: "/site.css",
      operationId: "getSiteStyles",
      summary: "Get the accent color of the site as a style sheet",
      contentType: "text/css; charset=utf-8",
      schema: z.string(),
      read: async (): Promise<string> => toAccentStyles((await settings.read()).accent),
    },
    {
      path: "/site.webmanifest",
      operationId: "getSiteManifest",
      summary: "Get the Web Application Manifest of the dashboard",
      contentType: "application/manifest+json",
      schema: z.looseObject({ name: z.string(), icons: z.array(z.looseObject({ src: z.string() })) }),
      read: async (c: Context<AppEnv>): Promise<string> => {
        const isShut = (await findVisitor(c)).right === "nothing";
        const name = isShut ? SHUT_TITLE : (await settings.read()).siteTitle;
        // As a part of a JSON text, so without its quotes.
        const title = JSON.stringify(name).slice(1, -1);
        return assets.manifest.replaceAll("{{title}}", () => title);
      },
    },
  ];
  for (const { path, operationId, summary, contentType, schema, read } of files) {
    app.openAPIRegistry.registerPath({
      method: "get",
      path,
      operationId,
      summary,
      tags: ["public"],
      security: [],
      responses: {
        200: { description: "The file", content: { [contentType.split(";")[0] ?? ""]: { schema } } },
        304: { description: "The file has not changed" },
      },
    });
    app.get(path, async (c) => {
      const text = await read(c);
      const etag = await createEntityTag(new TextEncoder().encode(text));
      const headers = { "cache-control": "no-cache", etag };
      if (isKnownTag(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
      return c.body(text, 200, { ...headers, "content-type": contentType });
    });
  }
}
