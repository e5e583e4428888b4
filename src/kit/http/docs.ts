/**
 * The OpenAPI document of a service, its Swagger UI, and the list of routes for index documents, all from the one
 * registry that the routes were made with.
 */
import { readFile } from "node:fs/promises";
import { swaggerUI } from "@hono/swagger-ui";
import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv, ServiceApp } from "./app.ts";
import { AppError, commonErrors } from "../errors.ts";
import { createEntityTag, isKnownTag } from "./etag.ts";
import { describeProblems, problemResponses } from "./schemas.ts";
import { findSwaggerAsset, swaggerVersion } from "./swagger-assets.ts";

/** A security scheme of OpenAPI, of the kinds that Trivet has. */
export type SecurityScheme =
  | { type: "http"; scheme: "bearer" | "basic"; bearerFormat?: string; description?: string }
  | { type: "apiKey"; in: "header" | "cookie" | "query"; name: string; description?: string };

/** Parts of the document other than routes. */
export interface DocsOptions {
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  /** Where the service is reached; the document's own origin by default. */
  readonly servers?: readonly { readonly url: string; readonly description?: string }[];
  /** Headers that every route below a path takes, whatever else it says. */
  readonly headers?: readonly {
    readonly under: string;
    readonly name: string;
    readonly description: string;
  }[];
  /** The groups of routes in the order in which they are shown, each with a sentence. */
  readonly groups?: Readonly<Record<string, string>>;
  /** The scope that a route needs, shown as `x-scope`. */
  readonly scopeOf?: (route: { method: Method; path: string }) => string | undefined;
  /** A path whose parameter has known values: the document lists one path for each value as well. */
  readonly literalPaths?: {
    readonly path: string;
    readonly parameter: string;
    /** The values as they are now: letters and digits. */
    readonly values: () => Promise<readonly string[]>;
  };
}

/** A route for people: who may call it and which group it belongs to. */
export interface RouteEntry {
  /** In capitals. */
  readonly method: string;
  /** With parameters as ":id". */
  readonly path: string;
  /** `x-access` of the route, "public" unless given. */
  readonly access: string;
  /** First tag of the route, or "". */
  readonly group: string;
  readonly summary: string;
}

/** Every documented route in the order of registration. */
export function listRoutes(app: OpenAPIHono<AppEnv>): RouteEntry[] {
  return app.openAPIRegistry.definitions.flatMap((definition) => {
    if (definition.type !== "route") return [];
    const { route } = definition;
    const access: unknown = route["x-access"];
    return [
      {
        method: route.method.toUpperCase(),
        path: route.path.replaceAll(/\{([^{}]+)\}/gu, ":$1"),
        access: typeof access === "string" ? access : "public",
        group: route.tags?.[0] ?? "",
        summary: route.summary ?? "",
      },
    ];
  });
}

/** Swagger UI sets styles through the DOM, which a policy allows; its icons are data URLs. */
const SWAGGER_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const SWAGGER_TAGS =
  `<link rel="stylesheet" href="./swagger-ui.css?v=${swaggerVersion}">` +
  '<div id="swagger-ui"></div>' +
  `<script src="./swagger-ui-bundle.js?v=${swaggerVersion}"></script>` +
  '<script src="./swagger-initializer.js"></script>';

/** The group of the routes here, the last one. */
const DOCS_GROUP = { docs: "The API reference, as an OpenAPI document and as a page." };

/** Answers 304 when the client has it (RFC 9110 section 13.1.2). */
function respond(
  request: Request,
  body: Uint8Array<ArrayBuffer>,
  headers: { readonly "content-type": string; readonly "cache-control": string; readonly etag: string },
): Response {
  const isKnown = isKnownTag(request.headers.get("if-none-match") ?? undefined, headers.etag);
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(body, { headers });
}

/** zod-to-openapi leaves the flags of a regular expression in its pattern, "^a$/u", which JSON Schema takes as text. */
function toPlainPattern(key: string, value: unknown): unknown {
  if (key !== "pattern" || typeof value !== "string") return value;
  return value.replace(/\/[dgimsuvy]+$/u, "");
}

type Paths = ReturnType<ServiceApp["getOpenAPI31Document"]>["paths"];
const methods = ["get", "post", "put", "patch", "delete"] as const;
type Method = (typeof methods)[number];

/** Every route refuses a query whose percent-encoding is broken, those of the API unknown parameters too (kit/app.ts). */
function addQueryRefusals(paths: Paths): void {
  const schema = { $ref: "#/components/schemas/Problem" };
  const refusal = (code: "bad_request" | "invalid") =>
    describeProblems(schema, new Map([[code, commonErrors[code]]]));
  for (const [path, item] of Object.entries(paths ?? {})) {
    const refusals = {
      400: refusal("bad_request"),
      ...(path.startsWith("/api/") ? { 422: refusal("invalid") } : {}),
    };
    for (const method of methods) {
      const operation = item[method];
      if (operation !== undefined) operation.responses = { ...refusals, ...operation.responses };
    }
  }
}

function addScopes(paths: Paths, scopeOf: DocsOptions["scopeOf"]): void {
  if (scopeOf === undefined) return;
  for (const [path, item] of Object.entries(paths ?? {})) {
    for (const method of methods) {
      const operation = item[method];
      const scope = scopeOf({ method, path });
      if (operation !== undefined && scope !== undefined) operation["x-scope"] = scope;
    }
  }
}

/** Adds headers that are declared for all routes below a path. */
function addSharedHeaders(paths: Paths, headers: DocsOptions["headers"] = []): void {
  for (const { under, name, description } of headers) {
    for (const [path, item] of Object.entries(paths ?? {})) {
      if (!path.startsWith(under)) continue;
      for (const method of methods) {
        const operation = item[method];
        if (operation === undefined) continue;
        const parameter = { name, in: "header" as const, description, schema: { type: "string" as const } };
        operation.parameters = [...(operation.parameters ?? []), parameter];
      }
    }
  }
}

/** Adds the operations of a path again for each value of its parameter, with their own operation IDs. */
function addLiteralPaths(
  paths: Paths = {},
  { path, parameter, values }: { path: string; parameter: string; values: readonly string[] },
): void {
  const item = paths[path] ?? {};
  for (const value of values) {
    const literal: typeof item = {};
    for (const method of methods) {
      const operation = item[method];
      if (operation === undefined) continue;
      const { operationId = "", parameters = [] } = operation;
      literal[method] = {
        ...operation,
        operationId: `${operationId}${value.charAt(0).toUpperCase()}${value.slice(1)}`,
        parameters: parameters.filter((each) => !("name" in each && each.name === parameter)),
      };
    }
    paths[path.replace(`{${parameter}}`, value)] = literal;
  }
}

function createDocument(
  app: ServiceApp,
  {
    basePath,
    values,
    ...options
  }: DocsOptions & { readonly basePath: string | undefined; readonly values: readonly string[] },
): string {
  const { title, version, description } = app.info;
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title,
      version,
      description,
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: (options.servers ?? [{ url: basePath ?? "/" }]).map((server) => ({ ...server })),
    // Public unless a route says otherwise.
    security: [],
    tags: Object.entries({ ...options.groups, ...DOCS_GROUP }).map(([name, text]) => ({
      name,
      description: text,
    })),
  });
  addQueryRefusals(document.paths);
  addSharedHeaders(document.paths, options.headers);
  addScopes(document.paths, options.scopeOf);
  if (options.literalPaths !== undefined)
    addLiteralPaths(document.paths, { ...options.literalPaths, values });
  return JSON.stringify(document, toPlainPattern);
}

function addDocument(app: ServiceApp, options: DocsOptions): void {
  app.openAPIRegistry.registerPath({
    method: "get",
    path: "/openapi.json",
    operationId: "getOpenApiDocument",
    summary: "OpenAPI 3.1 document of this API",
    tags: ["docs"],
    security: [],
    responses: {
      200: {
        description: "The document",
        content: { "application/json": { schema: z.looseObject({ openapi: z.string() }) } },
      },
      304: { description: "The document has not changed" },
      ...problemResponses(),
    },
  });
  let values: readonly string[] = [];
  let ready:
    | { readonly bytes: Uint8Array<ArrayBuffer>; readonly etag: string; readonly key: string }
    | undefined;
  app.get("/openapi.json", async (context) => {
    // While they cannot be read, the document stays as it was.
    if (options.literalPaths !== undefined) values = await options.literalPaths.values().catch(() => values);
    const key = values.join(" ");
    if (ready?.key !== key) {
      const document = createDocument(app, { ...options, values, basePath: context.get("basePath") });
      const bytes = new TextEncoder().encode(document);
      ready = { bytes, etag: await createEntityTag(bytes), key };
    }
    return respond(context.req.raw, ready.bytes, {
      "content-type": "application/json",
      "cache-control": "no-cache",
      etag: ready.etag,
    });
  });
}

function addSwaggerPage(app: ServiceApp): void {
  app.openAPIRegistry.registerPath({
    method: "get",
    path: "/swagger/index.html",
    operationId: "getSwaggerUi",
    summary: "API reference in Swagger UI",
    tags: ["docs"],
    security: [],
    responses: {
      200: { description: "The page", content: { "text/html": { schema: z.string() } } },
      ...problemResponses(),
    },
  });
  const page = swaggerUI<AppEnv>({
    title: app.info.title,
    url: "/openapi.json",
    manuallySwaggerUIHtml: () => SWAGGER_TAGS,
  });
  app.get(
    "/swagger/index.html",
    async (context, next) => {
      await next();
      context.res.headers.set("content-security-policy", SWAGGER_POLICY);
    },
    page,
  );
  for (const path of ["/swagger", "/swagger/"]) {
    app.get(path, (context) => context.redirect("/swagger/index.html"));
  }
}

function addSwaggerAssets(app: ServiceApp): void {
  app.openAPIRegistry.registerPath({
    method: "get",
    path: "/swagger/{file}",
    operationId: "getSwaggerUiFile",
    summary: "Static file of Swagger UI",
    tags: ["docs"],
    security: [],
    request: { params: z.object({ file: z.string() }) },
    responses: {
      200: { description: "The file", content: { "*/*": { schema: z.string() } } },
      304: { description: "The file has not changed" },
      ...problemResponses("not_found"),
    },
  });
  app.get("/swagger/:file", async (context) => {
    const asset = await findSwaggerAsset(context.req.param("file"));
    if (asset === undefined) throw new AppError("not_found", "This file does not exist");
    const isVersioned = context.req.query("v") === swaggerVersion;
    return respond(context.req.raw, asset.bytes, {
      "content-type": asset.contentType,
      "cache-control": isVersioned ? "public, max-age=31536000, immutable" : "public, max-age=86400",
      etag: asset.etag,
    });
  });
}

/** Browsers ask for it on their own at every page that names no icon in its head, such as Swagger UI's. */
function addIcon(app: ServiceApp): void {
  app.openAPIRegistry.registerPath({
    method: "get",
    path: "/favicon.ico",
    operationId: "getIcon",
    summary: "Icon of the pages",
    tags: ["docs"],
    security: [],
    responses: {
      200: { description: "The icon", content: { "image/svg+xml": { schema: z.string() } } },
      304: { description: "The icon has not changed" },
      ...problemResponses(),
    },
  });
  let ready: { readonly bytes: Uint8Array<ArrayBuffer>; readonly etag: string } | undefined;
  app.get("/favicon.ico", async (context) => {
    if (ready === undefined) {
      const bytes = new Uint8Array(await readFile(new URL("./icon.svg", import.meta.url)));
      ready = { bytes, etag: await createEntityTag(bytes) };
    }
    return respond(context.req.raw, ready.bytes, {
      "content-type": "image/svg+xml; charset=utf-8",
      "cache-control": "public, max-age=86400",
      etag: ready.etag,
    });
  });
}

/** Adds `/openapi.json`, `/swagger/…` and the icon. Call it once; routes added later are in the document too. */
export function addDocs(app: ServiceApp, options: DocsOptions = {}): void {
  for (const [name, scheme] of Object.entries(options.securitySchemes ?? {})) {
    app.openAPIRegistry.registerComponent("securitySchemes", name, scheme);
  }
  addDocument(app, options);
  addSwaggerPage(app);
  addSwaggerAssets(app);
  addIcon(app);
}
