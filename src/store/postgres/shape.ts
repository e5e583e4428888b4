/** From a collection's declaration to SQL: its table, and an expression for each index and check. */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { CheckDeclaration, Collection } from "../store.ts";

/** The type of an indexed field; decides the SQL type by which the index orders it. */
export type FieldType = "string" | "number" | "boolean";

export interface FieldShape {
  readonly path: readonly string[];
  readonly type: FieldType;
  /** The field as an SQL expression over a row. */
  readonly sql: string;
  /** The SQL type of a parameter that is compared with it. */
  readonly cast: string;
}

export interface IndexShape {
  readonly name: string;
  readonly unique: boolean;
  readonly fields: readonly FieldShape[];
  /** The condition under which a row is in the index: every field is there. */
  readonly present: string;
  readonly sqlName: string;
  readonly create: string;
}

export interface CheckShape {
  readonly sqlName: string;
  readonly sql: string;
}

export interface TableShape {
  readonly collection: Collection;
  /** Quoted. */
  readonly table: string;
  readonly tableName: string;
  readonly collate: Collate;
  readonly indexes: ReadonlyMap<string, IndexShape>;
  readonly checks: readonly CheckShape[];
  /** Changes whenever the table, an index or a check of the declaration does. */
  readonly fingerprint: string;
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** `displayOrder` → `display_order`: names that need no quotes in psql. */
function toSnake(name: string): string {
  return name.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

const casts: Readonly<Record<FieldType, string>> = { string: "text", number: "float8", boolean: "boolean" };

function pathLiteral(path: readonly string[]): string {
  const steps = path.map((step) => `"${step.replace(/["\\]/gu, "\\$&")}"`);
  return quoteText(`{${steps.join(",")}}`);
}

/** How texts are ordered: by their bytes. CockroachDB does so by itself, and old ones refuse the name. */
export type Collate = ' COLLATE "C"' | "";

function toSql(path: readonly string[], type: FieldType, collate: Collate): string {
  const [first] = path;
  if (path.length === 1 && first === "id") return "id";
  if (path.length === 1 && first === "version") return "(version::float8)";
  const text = `(doc #>> ${pathLiteral(path)})`;
  // Without "C" the order would be that of the database's language, and differ from the JSON store's.
  return type === "string" ? `(${text}${collate})` : `(${text}::${casts[type]})`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface SchemaWalk {
  readonly root: Readonly<Record<string, unknown>>;
  readonly found: Set<string>;
}

function noteTypes(node: unknown, path: readonly string[], walk: SchemaWalk): void {
  if (!isObject(node)) return;
  const reference = node["$ref"];
  if (typeof reference === "string") {
    const target = reference
      .replace(/^#\/?/u, "")
      .split("/")
      .filter((step) => step !== "")
      .reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), walk.root);
    noteTypes(target, path, walk);
  }
  for (const kind of ["anyOf", "oneOf", "allOf"]) {
    const members = node[kind];
    if (Array.isArray(members)) for (const member of members) noteTypes(member, path, walk);
  }
  const [step, ...rest] = path;
  if (step === undefined) noteLeaf(node, walk.found);
  else if (isObject(node["properties"])) noteTypes(node["properties"][step], rest, walk);
}

function noteLeaf(node: Readonly<Record<string, unknown>>, found: Set<string>): void {
  const { type, enum: members } = node;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  for (const one of types) if (typeof one === "string") found.add(one === "integer" ? "number" : one);
  if ("const" in node) found.add(typeof node["const"]);
  if (Array.isArray(members))
    for (const member of members) found.add(member === null ? "null" : typeof member);
}

function typeOf(collection: Collection, path: readonly string[]): FieldType {
  if (path.length === 1 && path[0] === "id") return "string";
  if (path.length === 1 && path[0] === "version") return "number";
  const schema: unknown = z.toJSONSchema(collection.schema, { unrepresentable: "any", io: "output" });
  const found = new Set<string>();
  if (isObject(schema)) noteTypes(schema, path, { root: schema, found });
  found.delete("null");
  const [only] = found;
  if (found.size === 1 && (only === "string" || only === "number" || only === "boolean")) return only;
  throw new RangeError(
    `The schema of "${collection.name}" must say that "${path.join(".")}" is text, a number or a boolean: it is indexed`,
  );
}

function toField(collection: Collection, dotted: string, collate: Collate): FieldShape {
  const path = dotted.split(".");
  const type = typeOf(collection, path);
  return { path, type, sql: toSql(path, type, collate), cast: casts[type] };
}

interface IndexDeclaration {
  readonly name: string;
  readonly unique: boolean;
  readonly fields: readonly string[];
}

interface Place {
  /** The table's name, unquoted. */
  readonly base: string;
  readonly collate: Collate;
}

function toIndex(collection: Collection, declaration: IndexDeclaration, place: Place): IndexShape {
  const { name, unique } = declaration;
  const { base, collate } = place;
  const fields = declaration.fields.map((field) => toField(collection, field, collate));
  const present = fields.map(({ sql }) => `${sql} IS NOT NULL`).join(" AND ");
  const columns = [...fields.map(({ sql }) => sql), ...(unique ? [] : ["id"])].join(", ");
  const sqlName = `${base}_${toSnake(name)}_${hashOf(`${String(unique)} ${columns}`)}`.slice(-63);
  const create = `CREATE ${unique ? "UNIQUE " : ""}INDEX IF NOT EXISTS ${quoteName(sqlName)} ON ${quoteName(base)} (${columns}) WHERE ${present}`;
  return { name, unique, fields, present, sqlName, create };
}

function limitSql(limit: number | { readonly field: string }): string {
  return typeof limit === "number" ? `${limit}::float8` : toSql(limit.field.split("."), "number", "");
}

function toCheck(name: string, check: CheckDeclaration, base: string): CheckShape {
  const value = toSql(check.field.split("."), "number", "");
  const rules = [
    ...(check.atLeast === undefined ? [] : [`${value} >= ${limitSql(check.atLeast)}`]),
    ...(check.atMost === undefined ? [] : [`${value} <= ${limitSql(check.atMost)}`]),
  ];
  const sql = rules.length === 0 ? "true" : rules.join(" AND ");
  return { sqlName: `${base}_${toSnake(name)}_${hashOf(sql)}`.slice(-63), sql };
}

/** The prefix of everything that belongs to a store, unquoted. */
function prefixOf(store: string): string {
  return toSnake(store);
}

/** The name of the table of a collection; it needs no quotes. */
export function toTableName(store: string, collection: string): string {
  return `${prefixOf(store)}_${toSnake(collection)}`;
}

/**
 * The table of a collection of the store `store`.
 * @throws RangeError when the schema does not give the type of an indexed field
 */
export function toTableShape(
  store: string,
  collection: Collection,
  collate: Collate = ' COLLATE "C"',
): TableShape {
  const base = toTableName(store, collection.name);
  const declared: IndexDeclaration[] = [
    ...Object.entries(collection.unique).map(([name, fields]) => ({ name, unique: true, fields })),
    ...Object.entries(collection.ordered).map(([name, fields]) => ({ name, unique: false, fields })),
  ];
  const indexes = new Map(
    declared.map((index) => [index.name, toIndex(collection, index, { base, collate })]),
  );
  const checks = Object.entries(collection.checks).map(([name, check]) => toCheck(name, check, base));
  const parts = [
    ...[...indexes.values()].map(({ sqlName }) => sqlName),
    ...checks.map(({ sqlName }) => sqlName),
  ];
  return {
    collection,
    table: quoteName(base),
    tableName: base,
    collate,
    indexes,
    checks,
    fingerprint: hashOf(parts.sort().join("\n")),
  };
}
