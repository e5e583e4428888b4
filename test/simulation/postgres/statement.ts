/**
 * The SQL that the store sends, read into what it means. There are few forms (`src/store/postgres/statements.ts`), and
 * one that is not known ends the run.
 */
import { SimulationError } from "../kernel/kernel.ts";
import { type RollupStatement, parseRollups } from "./rollup-statement.ts";

/** A column, or a member of the document. */
interface Field {
  readonly path: readonly string[];
  readonly type: "string" | "number" | "boolean";
}

type Operator = "=" | ">=" | "<=" | ">" | "<";

type Condition =
  | { readonly present: Field }
  | { readonly never: true }
  /** Positions of values, counted from 0. */
  | { readonly fields: readonly Field[]; readonly operator: Operator; readonly values: readonly number[] };

export interface Query {
  readonly kind: "rows" | "count";
  readonly table: string;
  readonly conditions: readonly Condition[];
  readonly order: readonly { readonly field: Field; readonly isDescending: boolean }[];
  /** The position of the limit among the values. */
  readonly limit: number | undefined;
}

export type Parsed =
  | Query
  | RollupStatement
  | { readonly kind: "insert" | "update" | "delete"; readonly table: string }
  | { readonly kind: "begin"; readonly isSerializable: boolean }
  | { readonly kind: "commit" | "rollback" | "show" | "touch" };

export type Value = string | number | boolean;
/** A record as the table holds it. */
export interface Row {
  readonly id: string;
  readonly version: number;
  readonly doc: Readonly<Record<string, unknown>>;
}

function parseField(sql: string): Field {
  if (sql === "id") return { path: ["id"], type: "string" };
  if (sql === "(version::float8)") return { path: ["version"], type: "number" };
  const [, steps, rest = ""] = /^\(\(doc #>> '\{(.*)\}'\)(.*)\)$/u.exec(sql) ?? [];
  if (steps === undefined) throw new SimulationError(`The database does not know the field ${sql}`);
  const path = steps.split(",").map((step) => step.replace(/^"|"$/gu, ""));
  return { path, type: rest === "::float8" ? "number" : rest === "::boolean" ? "boolean" : "string" };
}

function parseCondition(sql: string): Condition {
  if (sql === "FALSE") return { never: true };
  const [, present] = /^(.*) IS NOT NULL$/u.exec(sql) ?? [];
  if (present !== undefined) return { present: parseField(present) };
  const [, left, operator, right] = /^(.*) (=|>=|<=|>|<) (\$.*|\(\$.*\))$/u.exec(sql) ?? [];
  if (left === undefined || right === undefined)
    throw new SimulationError(`The database does not know the condition ${sql}`);
  const isRow = right.startsWith("(");
  const fields = (isRow ? left.slice(1, -1).split(", ") : [left]).map(parseField);
  const values = [...right.matchAll(/\$(\d+)/gu)].map(([, number]) => Number(number) - 1);
  // The expression allows no other.
  return { fields, operator: operator as Operator, values };
}

function parseQuery(sql: string): Query | undefined {
  const form =
    /^SELECT (id, version::float8 AS version, doc|count\(\*\)::float8 AS n) FROM "(\w+)"(?: WHERE (.*?))?(?: ORDER BY (.*) LIMIT \$(\d+)::bigint)?$/u;
  const [, columns, table, where, order, limit] = form.exec(sql) ?? [];
  if (columns === undefined || table === undefined) return undefined;
  return {
    kind: columns.startsWith("count") ? "count" : "rows",
    table,
    conditions: where === undefined ? [] : where.split(" AND ").map(parseCondition),
    order: (order?.split(", ") ?? []).map((part) => ({
      field: parseField(part.replace(/ (?:ASC|DESC)$/u, "")),
      isDescending: part.endsWith(" DESC"),
    })),
    limit: limit === undefined ? undefined : Number(limit) - 1,
  };
}

function parse(sql: string): Parsed {
  const [, level] = /^BEGIN ISOLATION LEVEL (SERIALIZABLE|REPEATABLE READ|READ COMMITTED)/u.exec(sql) ?? [];
  if (level !== undefined) return { kind: "begin", isSerializable: level === "SERIALIZABLE" };
  if (sql === "COMMIT") return { kind: "commit" };
  if (sql === "ROLLBACK") return { kind: "rollback" };
  if (sql === "SHOW transaction_read_only") return { kind: "show" };
  if (sql.startsWith("(SELECT id FROM ")) return { kind: "touch" };
  const query = parseQuery(sql) ?? parseRollups(sql);
  if (query !== undefined) return query;
  const [, word, table] = /^(INSERT INTO|UPDATE|DELETE FROM) "(\w+)"/u.exec(sql) ?? [];
  const kind = ({ "INSERT INTO": "insert", UPDATE: "update", "DELETE FROM": "delete" } as const)[word ?? ""];
  if (kind === undefined || table === undefined)
    throw new SimulationError(`The database does not know ${sql}`);
  return { kind, table };
}

const known = new Map<string, Parsed>();

/** @throws SimulationError for a statement of another form */
export function parseStatement(sql: string): Parsed {
  const parsed = known.get(sql) ?? parse(sql);
  known.set(sql, parsed);
  return parsed;
}

function read({ id, version, doc }: Row, { path, type }: Field): Value | undefined {
  const [first = "", ...rest] = path;
  let value: unknown = first === "id" ? id : first === "version" ? version : doc[first];
  for (const step of rest)
    value = typeof value === "object" && value !== null ? Reflect.get(value, step) : undefined;
  if (value === undefined || value === null) return undefined;
  if (type === "number") return Number(value);
  if (type === "boolean") return value === true;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function compareValues(a: Value, b: Value): number {
  if (typeof a === "string" && typeof b === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}

/** As rows compare in SQL: by the first difference. Undefined when one of them is NULL. */
function compareRows(
  a: readonly (Value | undefined)[],
  b: readonly (Value | undefined)[],
): number | undefined {
  for (const [at, left] of a.entries()) {
    const right = b[at];
    if (left === undefined || right === undefined) return undefined;
    const difference = compareValues(left, right);
    if (difference !== 0) return difference;
  }
  return 0;
}

const holds: Readonly<Record<Operator, (difference: number) => boolean>> = {
  "=": (difference) => difference === 0,
  ">=": (difference) => difference >= 0,
  "<=": (difference) => difference <= 0,
  ">": (difference) => difference > 0,
  "<": (difference) => difference < 0,
};

/** Whether a row is among those that a query is about. */
export function matches(row: Row, { conditions }: Query, values: readonly unknown[]): boolean {
  return conditions.every((condition) => {
    if ("never" in condition) return false;
    if ("present" in condition) return read(row, condition.present) !== undefined;
    const left = condition.fields.map((field) => read(row, field));
    // What the store binds is a text, a number or a boolean.
    const difference = compareRows(
      left,
      condition.values.map((at) => values[at] as Value),
    );
    return difference !== undefined && holds[condition.operator](difference);
  });
}

/** Compares two rows in the order of a query. */
export function compareInOrder(a: Row, b: Row, { order }: Query): number {
  for (const { field, isDescending } of order) {
    const [left, right] = [read(a, field), read(b, field)];
    if (left === undefined || right === undefined) continue;
    const difference = compareValues(left, right);
    if (difference !== 0) return isDescending ? -difference : difference;
  }
  return 0;
}

/** The id that a query is about, if it names one. */
export function findWantedId({ conditions }: Query, values: readonly unknown[]): string | undefined {
  const [first] = conditions;
  if (first === undefined || !("fields" in first) || first.operator !== "=") return undefined;
  const [field, ...others] = first.fields;
  if (field?.path.join(".") !== "id" || others.length > 0) return undefined;
  return String(values[first.values[0] ?? 0]);
}
