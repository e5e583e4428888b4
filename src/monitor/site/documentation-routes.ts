/** The documentation of this release at /docs, when the settings switch it on; a private site shows it to viewers alone. */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { AppError } from "../../kit/errors.ts";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import { problemResponses } from "../../kit/http/schemas.ts";
import { type Documentation, sendAsset } from "../../kit/http/web-assets.ts";
import type { Settings } from "./settings.ts";

export interface DocumentationOptions {
  readonly settings: Pick<Settings, "read">;
  readonly documentation: Documentation;
}

/** Adds `/docs/…`. */
export function addDocumentationRoutes(app: ServiceApp, options: DocumentationOptions): void {
  const { settings, documentation } = options;
  const responses = {
    200: {
      description: "The file",
      content: { "text/html": { schema: z.string() }, "text/javascript": { schema: z.string() } },
    },
    304: { description: "The file has not changed" },
    ...problemResponses("not_found", "unauthenticated", "unavailable"),
  };
  const common = { method: "get" as const, tags: ["public"], security: [] };
  app.openAPIRegistry.registerPath({
    ...common,
    path: "/docs",
    operationId: "getDocumentation",
    summary: "Redirect to the documentation, which is served if the setting `documentation` is on",
    responses: { 302: { description: "To /docs/index.html" }, ...problemResponses("unauthenticated") },
  });
  app.openAPIRegistry.registerPath({
    ...common,
    path: "/docs/{file}",
    operationId: "getDocumentationFile",
    summary: "Get a page or file of the documentation",
    request: { params: z.object({ file: z.string() }) },
    responses,
  });
  app.openAPIRegistry.registerPath({
    ...common,
    path: "/docs/{folder}/{file}",
    operationId: "getDocumentationSubfile",
    summary: "Get a page or file in a folder of the documentation",
    request: { params: z.object({ folder: z.string(), file: z.string() }) },
    responses,
  });
  // Links of the pages are relative.
  for (const path of ["/docs", "/docs/"]) app.get(path, (c) => c.redirect("/docs/index.html"));
  const send = async (c: Context<AppEnv>, path: string): Promise<Response> => {
    if (!(await settings.read()).documentation) throw new AppError("not_found", "Page not found");
    const asset = await documentation.find(path);
    if (asset !== undefined) return sendAsset(c, asset);
    if (await documentation.isBuilt()) throw new AppError("not_found", "Page not found");
    throw new AppError("unavailable", 'The documentation is not built. In a clone, run "npm run docs"');
  };
  app.get("/docs/:file", (c) => send(c, c.req.param("file")));
  app.get("/docs/:folder/:file", (c) => send(c, `${c.req.param("folder")}/${c.req.param("file")}`));
}
