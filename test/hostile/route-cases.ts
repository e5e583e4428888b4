/** Every route of a service's OpenAPI document as the start of hostile requests. */
import assert from "node:assert/strict";
import type { Collection, Page, Store, StoreRecord } from "../../src/store/store.ts";

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
}

interface Operation {
  readonly "x-scope"?: string;
  readonly "x-application-scope"?: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly example?: unknown; readonly schema?: Schema }>>;
  };
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** One method of one path. */
export interface Route {
  readonly name: string;
  readonly method: string;
  /** With its places in braces. */
  readonly template: string;
  readonly places: readonly string[];
  readonly query: readonly string[];
  /** The administrative scope that it needs. */
  readonly scope: string | undefined;
  /** What an application's token needs, if one opens it. */
  readonly applicationScope: string | undefined;
  /** What opens it; nothing, or "" among them: it is open to all. */
  readonly schemes: readonly string[];
  readonly mediaType: string | undefined;
  readonly example: unknown;
  /** Names that the body's schema declares, at its top. */
  readonly fields: ReadonlySet<string>;
}

/** A service under test. */
export interface Subject {
  readonly name: string;
  readonly store: Store;
  readonly collections: readonly Collection[];
  /** Ids and words that lead to something, or are of the right form. */
  readonly places: (route: Route, place: string) => string;
  readonly credentials: (route: Route) => Promise<Readonly<Record<string, string>>>;
  fetch(path: string, init?: RequestInit & { from?: string }): Promise<Response>;
  document(): Promise<unknown>;
}

function fieldsOf(document: ApiDocument, schema: Schema | undefined): string[] {
  if (schema === undefined) return [];
  const name = schema.$ref?.replace("#/components/schemas/", "");
  const named = name === undefined ? undefined : document.components?.schemas?.[name];
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [
    ...Object.keys(schema.properties ?? {}),
    ...[...parts, ...(named === undefined ? [] : [named])].flatMap((part) => fieldsOf(document, part)),
  ];
}

function toRoute(
  document: ApiDocument,
  at: { template: string; method: string; operation: Operation },
): Route {
  const { template, method, operation } = at;
  const [mediaType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  return {
    name: `${method.toUpperCase()} ${template}`,
    method: method.toUpperCase(),
    template,
    scope: operation["x-scope"],
    applicationScope: operation["x-application-scope"],
    places: [...template.matchAll(/\{(\w+)\}/gu)].map((match) => match[1] ?? ""),
    query: (operation.parameters ?? []).filter((each) => each.in === "query").map((each) => each.name),
    schemes: (operation.security ?? []).flatMap((one) =>
      Object.keys(one).length === 0 ? [""] : Object.keys(one),
    ),
    mediaType,
    example: content?.example,
    fields: new Set(fieldsOf(document, content?.schema)),
  };
}

/** Every route of the service's document. */
export async function listRoutes(subject: Subject): Promise<Route[]> {
  // The tests of the document itself check its shape.
  const document = (await subject.document()) as ApiDocument;
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => toRoute(document, { template, method, operation })),
  );
}

/** Whether the route is public. */
export function isOpen({ schemes }: Route): boolean {
  return schemes.length === 0 || schemes.includes("");
}

/** Whether the route takes JSON. */
export function takesJson({ mediaType }: Route): boolean {
  return mediaType === "application/json";
}

/** The route's path with its places filled; `hostile` goes, as it is, into the first of them. */
export function toPath(subject: Subject, route: Route, hostile?: string): string {
  let isFirst = true;
  return route.template.replaceAll(/\{(\w+)\}/gu, (_all, place: string) => {
    const word = isFirst && hostile !== undefined ? hostile : subject.places(route, place);
    isFirst = false;
    return word;
  });
}

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Copies of a JSON value in each of which one text has something at its end. */
export function spoilTexts(value: unknown, suffix: string): { where: string; body: unknown }[] {
  const found: { where: string; body: unknown }[] = [];
  const walk = (node: Json, path: readonly string[], rebuild: (changed: Json) => Json): void => {
    if (typeof node === "string") found.push({ where: path.join("/"), body: rebuild(node + suffix) });
    else if (Array.isArray(node)) {
      const [first] = node;
      if (first !== undefined) walk(first, [...path, "0"], (changed) => rebuild([changed, ...node.slice(1)]));
    } else if (typeof node === "object" && node !== null) {
      for (const [key, member] of Object.entries(node))
        walk(member, [...path, key], (changed) => rebuild({ ...node, [key]: changed }));
    }
  };
  // An example of a document is JSON.
  walk(value as Json, [], (changed) => changed);
  return found;
}

async function dumpCollection(store: Store, collection: Collection): Promise<string[]> {
  const lines: string[] = [];
  let cursor: string | undefined;
  do {
    const from = cursor === undefined ? {} : { cursor };
    const page: Page<StoreRecord> = await store.read((tx) =>
      tx.list(collection, "id", { limit: 1_000, ...from }),
    );
    lines.push(...page.items.map((record) => `${collection.name} ${JSON.stringify(record)}`));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return lines;
}

/** A line for each record that the service keeps. */
export async function dumpStore(subject: Pick<Subject, "store" | "collections">): Promise<string[]> {
  const parts: string[][] = [];
  for (const collection of subject.collections) parts.push(await dumpCollection(subject.store, collection));
  return parts.flat();
}

let address = 0;

/** An address that has not asked before, so that no limit by address hides an answer. */
export function nextAddress(): string {
  address += 1;
  return `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`;
}

const ownTypes = /^(?:application\/(?:problem\+)?json|text\/html)/u;

/** What every answer to a stranger keeps: an id, a type, no sniffing, no frames, no fault of ours, problems as documents, nothing of the inside. */
export async function assertDecent(response: Response, where: string): Promise<void> {
  const { status, headers } = response;
  const text = await response.clone().text();
  assert.ok(status < 500 || status === 502 || status === 503, `${where}: ${status} ${text.slice(0, 300)}`);
  assert.ok(headers.get("x-request-id"), `${where}: no X-Request-Id`);
  assert.equal(headers.get("x-content-type-options"), "nosniff", where);
  assert.equal(headers.get("x-injected"), null, where);
  assert.equal(headers.get("access-control-allow-origin"), null, where);
  assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'|sandbox/u, where);
  const type = headers.get("content-type") ?? "";
  if (text !== "") assert.match(type, /^(?!text\/|[^;]+(?:\/|\+)xml)[^;]+\/|; ?charset=utf-8$/iu, where);
  if (status < 400) return;
  // Health says what fails with its own document.
  if (text !== "" && status !== 503) assert.match(type, ownTypes, where);
  assert.doesNotMatch(text, /\bat .+\.ts:\d+|node_modules|Error:|ENOENT|SELECT |\/work\//u, where);
}
