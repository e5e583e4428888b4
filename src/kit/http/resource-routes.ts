/**
 * The admin routes of a noun where nothing special happens: list, get, create, change, replace, delete. The noun says
 * its schemas, its examples and what to call; ETag, If-Match, Location, errors, operation IDs and texts follow.
 */
import { type RouteConfig, createRoute, z } from "@hono/zod-openapi";
import type { Context, Env, MiddlewareHandler } from "hono";
import { type CommonErrorCode, type ErrorKind, type commonErrors } from "../errors.ts";
import type { Page } from "../../store/store.ts";
import type { AppEnv, ServiceApp } from "./app.ts";
import { pageSchema, toPageView } from "./paging.ts";
import {
  createProblemResponses,
  ifMatchHeader,
  jsonBody,
  jsonResponse,
  readIfMatch,
  writeErrors,
} from "./schemas.ts";

/** Set in the context by the guard of admin routes. */
interface ActorEnv extends Env {
  Variables: { actor: unknown };
}

/** The caller, and the version of the record that the change is based on. */
export interface AskedBy<E extends ActorEnv> {
  readonly actor: E["Variables"]["actor"];
  /** From the body; a stale one is `version_conflict`. */
  readonly version: number | undefined;
  /** From If-Match; a stale one is `stale_version`. */
  readonly ifMatch: number | undefined;
  /** For a noun that needs more of the request. */
  readonly context: Context<E & AppEnv>;
}

/** Common to all routes of a noun: the result of a service's `adminRoute`. */
interface GuardedRoute<E extends ActorEnv, Code> {
  readonly tags: string[];
  readonly "x-access": "admin";
  readonly security: Record<string, string[]>[];
  readonly guardErrors: readonly Code[];
  readonly middleware: MiddlewareHandler<E>;
}

/** Members of every view: the ID for Location, and the version for ETag unless the noun has none. */
interface ResourceView {
  readonly id: string;
  readonly version?: number | undefined;
}

/** Documentation of one route. */
interface RouteTexts<Code> {
  /** Default: the verb and the noun, such as "Delete a coupon". */
  readonly summary?: string;
  readonly description?: string;
  /** The route's errors beyond those of its method, parameters and body. */
  readonly errors?: readonly Code[];
  readonly "x-scope"?: "administrator";
  readonly "x-fresh-proof"?: boolean;
}

type Example<T> = T extends object ? { readonly [K in keyof T]: Example<T[K]> } : T;

/** A body without the version that it was made from: of a union, each of its members. */
type WithoutVersion<T> = T extends unknown ? Omit<T, "version"> : never;

interface BodyRoute<Code, B extends z.ZodType> extends RouteTexts<Code> {
  readonly body: B;
  readonly example: Example<z.input<B>>;
}

interface ListRoute<Code, R, Q extends z.ZodType> extends RouteTexts<Code> {
  readonly query: Q;
  /** The schema of a page, where it has a name. */
  readonly page?: z.ZodType;
  readonly run: (query: z.output<Q>) => Promise<Page<R>>;
}

interface WholeListRoute<Code, R, V> extends RouteTexts<Code> {
  /** Where the list shows less of a record than the other routes. */
  readonly show?: (record: R) => V;
  /** The schema of the list, where it has a name. */
  readonly page?: z.ZodType;
  readonly run: () => Promise<readonly R[]>;
}

interface GetRoute<Code, R, V> extends RouteTexts<Code> {
  /** Where it shows more of a record than the other routes. */
  readonly show?: (record: R) => V;
  readonly run: (id: string) => Promise<R>;
}

interface CreateRoute<E extends ActorEnv, Code, R, B extends z.ZodType> extends BodyRoute<Code, B> {
  readonly run: (fields: z.output<B>, by: AskedBy<E>) => Promise<R>;
}

/** A body may say which version it was made from; the function gets its other members. */
interface ChangeRoute<E extends ActorEnv, Code, R, B extends z.ZodType> extends BodyRoute<Code, B> {
  /** Whether it takes If-Match; default true. */
  readonly ifMatch?: boolean;
  readonly run: (id: string, fields: WithoutVersion<z.output<B>>, by: AskedBy<E>) => Promise<R>;
}

interface RemoveRoute<E extends ActorEnv, Code> extends RouteTexts<Code> {
  /** Whether it takes If-Match; default false. */
  readonly ifMatch?: boolean;
  readonly run: (id: string, by: AskedBy<E>) => Promise<void>;
}

/** The views of a noun: `R` is the result of its logic. */
interface Shown<R, V extends z.ZodType<ResourceView>> {
  /** Such as "/api/admin/coupons". */
  readonly path: `/api/admin/${string}`;
  /** In operation IDs, such as "Coupon". */
  readonly name: string;
  /** Default: the name with an "s". */
  readonly names?: string;
  /** In texts, such as "coupon". */
  readonly noun: string;
  /** Default: the noun with an "s". */
  readonly nouns?: string;
  /** Of the item's path: one member, the ID. */
  readonly params: z.ZodObject;
  readonly view: V;
  readonly example: Example<z.output<V>>;
  readonly show: (record: R) => z.output<V>;
  /** Where ETag is not the version of the view. */
  readonly versionOf?: (record: R) => number;
}

/** A noun and its routes. Leave out those that it does not have, or that are special. */
export interface ResourceRoutes<
  E extends ActorEnv,
  Code,
  R,
  V extends z.ZodType<ResourceView>,
  Q extends z.ZodType,
  N extends z.ZodType,
  C extends z.ZodType,
  P extends z.ZodType,
> extends Shown<R, V> {
  readonly route: GuardedRoute<E, Code>;
  /** Page by page. */
  readonly list?: ListRoute<Code, R, Q>;
  /** At once: for nouns of which there are few. */
  readonly listAll?: WholeListRoute<Code, R, z.output<V>>;
  readonly get?: GetRoute<Code, R, z.output<V>>;
  readonly create?: CreateRoute<E, Code, R, N>;
  /** PATCH: the fields that the body names. */
  readonly change?: ChangeRoute<E, Code, R, C>;
  /** PUT: all fields. */
  readonly replace?: ChangeRoute<E, Code, R, P>;
  readonly remove?: RemoveRoute<E, Code>;
}

/** The input that `schema` has validated: the types of a dynamically created route do not say so. */
function readValid<S extends z.ZodType>(
  c: Context,
  target: "json" | "query" | "param",
  _schema: S,
): z.output<S> {
  const { req }: { req: { valid(name: string): unknown } } = c;
  return req.valid(target) as z.output<S>;
}

/** The members of a body but its version, which only some have. */
function splitVersion<B extends z.ZodType>(
  c: Context,
  schema: B,
): { version: number | undefined; fields: WithoutVersion<z.output<B>> } {
  const body = readValid(c, "json", schema);
  const { version, ...fields } = body as { version?: number };
  // The rest of the body.
  return { version, fields: fields as WithoutVersion<z.output<B>> };
}

function hasVersion(schema: unknown): boolean {
  if (schema instanceof z.ZodUnion) return schema.options.some(hasVersion);
  if (schema instanceof z.ZodPipe) return hasVersion(schema.in);
  return schema instanceof z.ZodObject && "version" in schema.shape;
}

/** One route without what all routes of its noun have in common. */
interface OwnRoute<E extends ActorEnv, Code> {
  readonly method: "get" | "post" | "patch" | "put" | "delete";
  readonly path: string;
  readonly operationId: string;
  /** Where the noun says none. */
  readonly summary: string;
  readonly texts: RouteTexts<Code>;
  readonly request: NonNullable<RouteConfig["request"]>;
  readonly success: RouteConfig["responses"];
  readonly usual: readonly CommonErrorCode[];
  readonly handle: (c: Context<E & AppEnv>) => Promise<Response>;
}

/** Common parts of a noun's routes. */
function describe<E extends ActorEnv, Code, R, V extends z.ZodType<ResourceView>>(
  shown: Shown<R, V>,
  add: (route: OwnRoute<E, Code>) => void,
) {
  const { path, name, noun, names = `${name}s`, nouns = `${noun}s`, params, view, example, show } = shown;
  const { versionOf } = shown;
  const [idName = "id"] = Object.keys(params.shape);
  return {
    add,
    path,
    name,
    names,
    noun,
    nouns,
    params,
    view,
    example,
    show,
    item: `${path}/{${idName}}`,
    /** With its article. */
    a: /^[aeio]/u.test(noun) ? `an ${noun}` : `a ${noun}`,
    one: jsonResponse(`The ${noun}. The ETag is its version, for If-Match`, view, example),
    toId: (c: Context): string => String(readValid(c, "param", params)[idName]),
    /** The record as an answer's body, with its version as ETag. */
    answer: (c: Context, record: R, showHere = show): z.output<V> => {
      const body = showHere(record);
      const version = versionOf === undefined ? body.version : versionOf(record);
      if (version !== undefined) c.header("etag", `"${version}"`);
      return body;
    },
  };
}

type Known<E extends ActorEnv, Code, R, V extends z.ZodType<ResourceView>> = ReturnType<
  typeof describe<E, Code, R, V>
>;

function addList<E extends ActorEnv, Code, R, V extends z.ZodType<ResourceView>, Q extends z.ZodType>(
  { add, path, names, nouns, view, example, show }: Known<E, Code, R, V>,
  { query, page = pageSchema(view), run, ...texts }: ListRoute<Code, R, Q>,
): void {
  add({
    method: "get",
    path,
    operationId: `adminList${names}`,
    summary: `List ${nouns}`,
    texts,
    request: query instanceof z.ZodObject ? { query } : {},
    success: { 200: jsonResponse(`A page of ${nouns}`, page, { items: [example] }) },
    usual: ["bad_request", "invalid"],
    handle: async (c) => c.json(toPageView(await run(readValid(c, "query", query)), show), 200),
  });
}

function addWholeList<E extends ActorEnv, Code, R, V extends z.ZodType<ResourceView>>(
  { add, path, names, nouns, view, example, show: showOne }: Known<E, Code, R, V>,
  { page = pageSchema(view), show = showOne, run, ...texts }: WholeListRoute<Code, R, z.output<V>>,
): void {
  add({
    method: "get",
    path,
    operationId: `adminList${names}`,
    summary: `List all ${nouns}`,
    texts,
    request: {},
    success: { 200: jsonResponse(`All ${nouns}`, page, { items: [example] }) },
    usual: [],
    handle: async (c) => c.json({ items: (await run()).map((record) => show(record)) }, 200),
  });
}

function addGet<E extends ActorEnv, Code, R, V extends z.ZodType<ResourceView>>(
  { add, item, name, a, params, one, toId, answer }: Known<E, Code, R, V>,
  { show, run, ...texts }: GetRoute<Code, R, z.output<V>>,
): void {
  add({
    method: "get",
    path: item,
    operationId: `adminGet${name}`,
    summary: `Get ${a}`,
    texts,
    request: { params },
    success: { 200: one },
    usual: ["invalid", "not_found"],
    handle: async (c) => c.json(answer(c, await run(toId(c)), show), 200),
  });
}

function addCreate<E extends ActorEnv, Code, R, V extends z.ZodType<ResourceView>, B extends z.ZodType>(
  { add, path, name, a, one, answer }: Known<E, Code, R, V>,
  { body, example, run, ...texts }: CreateRoute<E, Code, R, B>,
): void {
  add({
    method: "post",
    path,
    operationId: `adminCreate${name}`,
    summary: `Create ${a}`,
    texts,
    request: { body: jsonBody(body, example) },
    success: { 201: one },
    usual: writeErrors,
    handle: async (c) => {
      const by = { actor: c.var.actor, version: undefined, ifMatch: undefined, context: c };
      const created = answer(c, await run(readValid(c, "json", body), by));
      c.header("location", `${path}/${created.id}`);
      return c.json(created, 201);
    },
  });
}

function addChange<E extends ActorEnv, Code, R, V extends z.ZodType<ResourceView>, B extends z.ZodType>(
  { add, item, name, a, params, one, toId, answer }: Known<E, Code, R, V>,
  method: "patch" | "put",
  { body, example, ifMatch = true, run, ...texts }: ChangeRoute<E, Code, R, B>,
): void {
  add({
    method,
    path: item,
    operationId: `admin${method === "put" ? "Replace" : "Change"}${name}`,
    summary: method === "put" ? `Replace ${a}` : `Change some fields of ${a}`,
    texts,
    request: { params, body: jsonBody(body, example), ...(ifMatch && { headers: ifMatchHeader }) },
    success: { 200: one },
    usual: [
      ...writeErrors,
      "not_found",
      ...(hasVersion(body) ? (["version_conflict"] as const) : []),
      ...(ifMatch ? (["stale_version"] as const) : []),
    ],
    handle: async (c) => {
      const { version, fields } = splitVersion(c, body);
      const named = ifMatch ? readIfMatch(c.req.header("if-match")) : undefined;
      const by = { actor: c.var.actor, version, ifMatch: named, context: c };
      return c.json(answer(c, await run(toId(c), fields, by)), 200);
    },
  });
}

function addRemove<E extends ActorEnv, Code, R, V extends z.ZodType<ResourceView>>(
  { add, item, name, noun, a, params, toId }: Known<E, Code, R, V>,
  { ifMatch = false, run, ...texts }: RemoveRoute<E, Code>,
): void {
  const usual = ["invalid", "not_found", "store_unavailable"] as const;
  add({
    method: "delete",
    path: item,
    operationId: `adminDelete${name}`,
    summary: `Delete ${a}`,
    texts,
    request: ifMatch ? { params, headers: ifMatchHeader } : { params },
    success: { 204: { description: `The ${noun} was deleted` } },
    usual: ifMatch ? ["bad_request", "stale_version", ...usual] : usual,
    handle: async (c) => {
      const named = ifMatch ? readIfMatch(c.req.header("if-match")) : undefined;
      await run(toId(c), { actor: c.var.actor, version: undefined, ifMatch: named, context: c });
      return c.body(null, 204);
    },
  });
}

/** Creates the `resourceRoutes` of a service, whose errors are of these kinds. */
export function createResourceRoutes<Kinds extends Readonly<Record<keyof Kinds, ErrorKind>>>(
  kinds: Kinds & typeof commonErrors,
) {
  type Code = keyof (Kinds & typeof commonErrors);
  const respond = createProblemResponses(kinds);
  /** Adds the routes of a noun, literal paths of which come before it. */
  return <
    E extends ActorEnv,
    R,
    V extends z.ZodType<ResourceView>,
    Q extends z.ZodType,
    N extends z.ZodType,
    C extends z.ZodType,
    P extends z.ZodType,
  >(
    app: ServiceApp,
    resource: ResourceRoutes<E, Code, R, V, Q, N, C, P>,
  ): void => {
    const { guardErrors, ...guarded } = resource.route;
    const known = describe<E, Code, R, V>(resource, ({ texts, summary, success, usual, handle, ...own }) => {
      const { errors = [], ...said } = texts;
      const responses = { ...success, ...respond(...guardErrors, ...usual, ...errors) };
      app.openapi(createRoute({ ...guarded, ...own, summary, ...said, responses }), handle);
    });
    const { list, listAll, get, create, change, replace, remove } = resource;
    if (list !== undefined) addList(known, list);
    if (listAll !== undefined) addWholeList(known, listAll);
    if (create !== undefined) addCreate(known, create);
    if (get !== undefined) addGet(known, get);
    if (replace !== undefined) addChange(known, "put", replace);
    if (change !== undefined) addChange(known, "patch", change);
    if (remove !== undefined) addRemove(known, remove);
  };
}
