/** The application that every service starts from. */
import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { getPath } from "hono/utils/url";
import type { Connection } from "../../runtime/runtime.ts";
import type { Clock } from "../time/clock.ts";
import type { DoctorView } from "../observe/doctor-schema.ts";
import { createCors } from "./cors.ts";
import { AppError } from "../errors.ts";
import type { HealthReport } from "../observe/health.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import { addBaseToPage, addBaseToPath, addBaseToRefresh, stripBase } from "../text/base-path.ts";
import { isPercentEncoded } from "../text/percent-encoding.ts";
import { createFindClient } from "../outbound/find-client.ts";
import { type PlainJson, usePlainJson } from "./plain-json.ts";
import { isShortage, toAppError, toProblemResponse } from "./problem.ts";
import { createQueryCheck } from "./query-names.ts";
import { refuseChange } from "./read-only.ts";
import { findBodyFailure, guardBody } from "./request-body.ts";
import { createRequestIds, toCorrelationId } from "../observe/request-id.ts";
import { findMethods, findRoute, isForPeople, toKnownMethod } from "./routing.ts";
import { createSecurityHeaders, nameResourceMetadata } from "./security-headers.ts";
import { addSecurityTxt } from "../contact/security-txt.ts";
import { toInvalidError } from "../text/validation.ts";

/** The context of a handler. */
export interface AppEnv {
  Bindings: Connection;
  /**
   * `basePath` is absent when the service is at "/"; `ready` is a response that has all its headers,
   * `plainJson` creates one of JSON; `formPage` is the page whose form is being answered; `refusal` is the
   * code of the error, for the log.
   */
  Variables: {
    requestId: string;
    clientAddress: string;
    basePath?: string;
    ready?: Response;
    plainJson?: PlainJson;
    formPage?: string;
    refusal?: string;
  };
}

/** A service's description. */
export interface ServiceInfo {
  /** Short name for logs and index documents, such as "monitor". */
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

/** An application; routes are added with `openapi()`. */
export type ServiceApp = OpenAPIHono<AppEnv> & {
  readonly info: ServiceInfo;
  /** Creates a responder that sends an HTML page with all its headers at once: added one by one they cost more than the page. */
  createPageSender(headers: Readonly<Record<string, string>>): SendPage;
};

/** Answers with a prepared HTML page. Not for contexts that set headers, such as a cookie. */
export type SendPage = (context: Context<AppEnv>, page: Uint8Array<ArrayBuffer>) => Response;

/** Options of an application. */
export interface ServiceAppOptions extends ServiceInfo {
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly bodyLimitBytes: number;
  /**
   * Paths whose bodies may be larger, or must be smaller; everything below a path counts with it. "*" is any segment;
   * "POST /path" counts for that method alone. The first one that fits counts.
   */
  readonly bodyLimits?: Readonly<Record<string, number>>;
  /** Prefixes of paths that accept any query, including broken percent-encoding: third-party programs call them. */
  readonly anyQueryPaths?: readonly string[];
  /** Exact origins whose pages may read answers, with credentials. */
  readonly allowedOrigins: readonly string[];
  /** Paths that pages of every origin may ask, without credentials. */
  readonly openPaths?: readonly string[];
  /** Addresses or CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** Told once of the address of a peer that names visitors and is not in `trustedProxies`. */
  readonly onUntrustedProxy?: (address: string) => void;
  /** The public URL of the service; with https, browsers must use https only (HSTS). */
  readonly publicUrl?: string | undefined;
  /** The same where it changes while the service runs. */
  readonly address?: { readonly publicUrl: string | undefined };
  /** Whether an auth center gives tokens for the service, so that its refusals say where its metadata is. */
  readonly isProtectedResource?: boolean;
  /** Contacts for vulnerability reports, as URIs; without one there is no security.txt. */
  readonly securityContacts?: readonly string[];
  /** Whether requests that change something are rejected. Default false. */
  readonly readOnly?: boolean;
  /** The page that people get in place of the problem document. */
  readonly errorPage?: ErrorPage;
  /** Where a path that does not exist moved to, percent-encoded; undefined if it never existed. */
  readonly findMoved?: (path: string) => Promise<string | undefined>;
  /** The path below which people reach the service, such as "/auth"; requests may come with it or without. */
  readonly basePath?: string;
  /** The path of the route that handles a request, for hosts with different content. */
  readonly toPath?: (path: string, request: Request) => string;
}

/** Renders the page of an error; undefined if it has none. */
export type ErrorPage = (error: AppError, context: Context<AppEnv>) => Promise<Response> | undefined;

/** Options of all services' applications. */
export interface CommonAppOptions extends Pick<
  ServiceAppOptions,
  | "version"
  | "log"
  | "clock"
  | "metrics"
  | "allowedOrigins"
  | "trustedProxies"
  | "onUntrustedProxy"
  | "securityContacts"
  | "readOnly"
  | "basePath"
> {
  readonly health: () => Promise<HealthReport>;
  /** Whether everyone may read the metrics. */
  readonly metricsPublic: boolean;
  /** Checks the whole install. */
  readonly examine?: () => Promise<DoctorView>;
}

type AppContext = Context<AppEnv>;

/** Where the consoles ask. */
const ADMIN_PATHS = "/api/admin/";

/** A request at its start. */
interface Started {
  readonly startedMs: number;
  readonly requestId: string;
  /** The caller's ID of the request. */
  readonly correlationId: string | undefined;
  readonly client: string;
}

/** The request of a body. */
interface BodyOf {
  readonly method: string;
  readonly path: string;
}

function createBodyLimits(options: ServiceAppOptions): (request: BodyOf) => number {
  const limits = Object.entries(options.bodyLimits ?? {});
  if (limits.length === 0) return () => options.bodyLimitBytes;
  return (request) => limits.find(([name]) => isBelow(request, name))?.[1] ?? options.bodyLimitBytes;
}

/** Whether a request goes to a path or below it; "*" is any segment, and the name may begin with a method. */
function isBelow({ method, path }: BodyOf, name: string): boolean {
  const [, only, prefix = name] = /^([A-Z]{3,7}) (.*)$/u.exec(name) ?? [];
  if (only !== undefined && only !== method) return false;
  if (!prefix.includes("*")) return path === prefix || path.startsWith(`${prefix}/`);
  const segments = path.split("/");
  return prefix.split("/").every((segment, at) => segment === "*" || segment === segments[at]);
}

function createFrame(app: OpenAPIHono<AppEnv>, options: ServiceAppOptions) {
  const { allowedOrigins, openPaths = [] } = options;
  const securityHeaders = createSecurityHeaders(options.address ?? options);
  const log = options.log.child({ service: options.name });
  return {
    app,
    log,
    clock: options.clock,
    bodyLimitOf: createBodyLimits(options),
    anyQueryPaths: options.anyQueryPaths ?? [],
    checkQuery: createQueryCheck(app),
    cors: allowedOrigins.length + openPaths.length === 0 ? undefined : createCors(allowedOrigins, openPaths),
    durations: options.metrics.histogram({
      name: "http_server_request_duration_seconds",
      help: "Time from the request to the response",
      labels: ["method", "route", "status"],
    }),
    newRequestId: createRequestIds(),
    readOnly: options.readOnly === true,
    errorPage: options.errorPage,
    findMoved: options.findMoved,
    isProtectedResource: options.isProtectedResource === true,
    address: options.address ?? { publicUrl: options.publicUrl },
    securityHeaders,
    /** Absent where all answers name origins. */
    toJsonFields: allowedOrigins.length > 0 ? undefined : securityHeaders.prepareData({}),
    findClient: createFindClient({ ...options, log }),
  };
}

type Frame = ReturnType<typeof createFrame>;

/** Adds the request's id, and gives the headers for more; those of redirects and of fetch must be copied first. */
function openHeaders(context: AppContext, requestId: string): Headers {
  try {
    context.res.headers.set("x-request-id", requestId);
  } catch {
    context.res = new Response(context.res.body, context.res);
    context.res.headers.set("x-request-id", requestId);
  }
  return context.res.headers;
}

/** A percent sign must begin valid UTF-8, or a parameter would keep its escapes: no path is spelled so. */
function refuseBrokenTarget(
  { path, raw: { url } }: AppContext["req"],
  anyQueryPaths: readonly string[],
): void {
  if (!url.includes("%")) return;
  const query = url.indexOf("?");
  if (!isPercentEncoded(query === -1 ? url : url.slice(0, query))) {
    throw new AppError("not_found", "The path contains invalid percent-encoding");
  }
  if (query === -1 || anyQueryPaths.some((start) => path.startsWith(start))) return;
  if (!isPercentEncoded(url.slice(query))) {
    throw new AppError("bad_request", "The query contains invalid percent-encoding");
  }
}

/** A permanent redirect where the page moved; the query stays. */
async function toMovedResponse(
  find: (path: string) => Promise<string | undefined>,
  context: AppContext,
  otherwise: () => Response | Promise<Response>,
): Promise<Response> {
  const to = await find(context.req.path).catch(() => undefined);
  if (to === undefined) return otherwise();
  const { url } = context.req;
  const query = url.indexOf("?");
  return context.redirect(query === -1 ? to : to + url.slice(query), 301);
}

function toErrorResponse(frame: Frame, context: AppContext, error: unknown): Response | Promise<Response> {
  const { findMoved } = frame;
  const { method, path } = context.req;
  const isPage = (method === "GET" || method === "HEAD") && !path.startsWith("/api/");
  if (findMoved === undefined || !isPage || !(error instanceof AppError) || error.code !== "not_found")
    return toFailureResponse(frame, context, error);
  return toMovedResponse(findMoved, context, () => toFailureResponse(frame, context, error));
}

function toFailureResponse(frame: Frame, context: AppContext, error: unknown): Response | Promise<Response> {
  const known = error instanceof AppError ? error : toAppError(findBodyFailure(context) ?? error);
  const requestId = context.get("requestId");
  if (known.code === "internal" || (known.code === "unavailable" && isShortage(known.cause)))
    frame.log.error("Request failed", { requestId, error: known.cause ?? known });
  context.set("refusal", known.code);
  const page = isForPeople(context) ? frame.errorPage?.(known, context) : undefined;
  return page ?? toProblemResponse(known, requestId);
}

function toNotFoundResponse(frame: Frame, context: AppContext): Response | Promise<Response> {
  const allow = findMethods(frame.app, context.req.path);
  const error =
    allow.length === 0
      ? new AppError("not_found", "This path does not exist")
      : new AppError("method_not_allowed", `This path allows only ${allow.join(", ")}`, {
          details: { allow },
        });
  return toErrorResponse(frame, context, error);
}

/** Answers OPTIONS for a path that has routes but none for OPTIONS itself. */
function toOptionsResponse(frame: Frame, context: AppContext): Response | undefined {
  const { path, raw } = context.req;
  const methods = findMethods(frame.app, path);
  if (methods.length === 0) return undefined;
  const headers = new Headers({ allow: methods.join(", ") });
  frame.cors?.allowPreflight(headers, raw, { methods, path });
  return new Response(null, { status: 204, headers });
}

/** Refuses what no handler should see, or prepares the body; a response ends the request here. */
function begin(frame: Frame, context: AppContext): Response | Promise<Response> | undefined {
  const { method } = context.req.raw;
  try {
    refuseBrokenTarget(context.req, frame.anyQueryPaths);
    if (method === "OPTIONS") return toOptionsResponse(frame, context);
    frame.checkQuery(context);
    if (frame.readOnly) refuseChange(method, context.req.path);
    if (method !== "GET" && method !== "HEAD") guardBody(context, frame.bodyLimitOf(context.req));
    return undefined;
  } catch (error) {
    return toErrorResponse(frame, context, error);
  }
}

/** Prefixes the locations in a response with the base path of the service. */
async function addBase(context: AppContext, base: string): Promise<void> {
  const { headers } = context.res;
  const location = headers.get("location");
  if (location !== null) context.header("location", addBaseToPath(location, base));
  const refresh = headers.get("refresh");
  if (refresh !== null) context.header("refresh", addBaseToRefresh(refresh, base));
  if (headers.get("content-type")?.startsWith("text/html") !== true || context.res.body === null) return;
  // A compressed page is a file of the documentation, whose links are relative.
  if (headers.has("content-encoding")) return;
  context.res = new Response(addBaseToPage(await context.res.text(), base), context.res);
}

/** Whether the answer has all its headers, and is still the one that got them. */
function isReady(context: AppContext): boolean {
  return context.get("ready") === context.res;
}

/** Adds what every answer carries, and gives the status. */
function complete(frame: Frame, context: AppContext, requestId: string): number {
  if (isReady(context)) return context.res.status;
  const headers = openHeaders(context, requestId);
  frame.securityHeaders.addTo(headers);
  if (frame.cors !== undefined)
    frame.cors.allow(headers, context.req.raw.headers.get("origin"), context.req.path);
  const { status } = context.res;
  const publicUrl = frame.isProtectedResource ? frame.address.publicUrl : undefined;
  if (publicUrl !== undefined && (status === 401 || status === 403)) nameResourceMetadata(headers, publicUrl);
  // The runtime's sign for an accepted WebSocket: a Response cannot have status 101.
  return status === 200 && headers.has("upgrade") ? 101 : status;
}

function finish(frame: Frame, context: AppContext, request: Started): void {
  const { requestId, correlationId, client, startedMs } = request;
  const status = complete(frame, context, requestId);
  const ms = frame.clock.monotonic() - startedMs;
  const method = toKnownMethod(context.req.raw.method);
  const route = findRoute(context);
  frame.durations.observe(ms / 1_000, { method, route, status });
  const caller = correlationId === undefined ? { client } : { client, correlationId };
  const code = context.get("refusal");
  const why = code === undefined ? caller : { code, ...caller };
  const fields = { requestId, method, route, status, ms: Math.round(ms * 10) / 10, ...why };
  if (status >= 500) frame.log.warn("Request", fields);
  // Consoles poll: a log line per request would hide the rest.
  else if (status < 400 && method === "GET" && route.startsWith(ADMIN_PATHS))
    frame.log.debug("Request", fields);
  else frame.log.info("Request", fields);
}

function createPageSender(
  frame: Frame,
  { allowedOrigins, basePath = "" }: Pick<ServiceAppOptions, "allowedOrigins" | "basePath">,
): ServiceApp["createPageSender"] {
  return (headers) => {
    // Those answers differ in more.
    if (allowedOrigins.length > 0 || basePath !== "")
      return (context, page) => context.body(page, 200, headers);
    const prepared = frame.securityHeaders.preparePage(headers);
    return (context, page) => {
      const fields = { "x-request-id": context.get("requestId"), ...prepared() };
      const ready = new Response(page, { headers: fields });
      context.set("ready", ready);
      return ready;
    };
  };
}

/** Creates an application without routes. */
export function createServiceApp(options: ServiceAppOptions): ServiceApp {
  const { basePath = "", toPath = (path) => path } = options;
  const isPlain = basePath === "" && options.toPath === undefined;
  const app = new OpenAPIHono<AppEnv>({
    ...(isPlain ? {} : { getPath: (request) => toPath(stripBase(getPath(request), basePath), request) }),
    defaultHook: (result) => {
      if (!result.success) throw toInvalidError(result.target, result.error.issues);
    },
  });
  const frame = createFrame(app, options);
  app.use("*", async (context, next) => {
    const startedMs = frame.clock.monotonic();
    const { headers } = context.req.raw;
    // `app.request()` in tests may give no environment, whatever the type says.
    const connection: Partial<Connection> | undefined = context.env;
    const remoteAddress = connection?.remoteAddress ?? "";
    const requestId = frame.newRequestId();
    const correlationId = toCorrelationId(headers.get("x-request-id"));
    const client = frame.findClient(remoteAddress, headers);
    context.set("requestId", requestId);
    context.set("clientAddress", client);
    if (basePath !== "") context.set("basePath", basePath);
    if (frame.toJsonFields !== undefined && headers.get("origin") === null) {
      usePlainJson(context, { "x-request-id": requestId, ...frame.toJsonFields() });
    }
    const early = begin(frame, context);
    if (early === undefined) await next();
    else context.res = await early;
    if (basePath !== "" && !isReady(context)) await addBase(context, basePath);
    finish(frame, context, { startedMs, requestId, correlationId, client });
  });
  app.onError((error, context) => toErrorResponse(frame, context, error));
  addSecurityTxt(app, {
    clock: options.clock,
    contacts: options.securityContacts ?? [],
    readPublicUrl: () => (options.address ?? options).publicUrl,
  });
  app.notFound((context) => toNotFoundResponse(frame, context));
  const { name, title, version, description } = options;
  return Object.assign(app, {
    info: { name, title, version, description },
    createPageSender: createPageSender(frame, options),
  });
}
