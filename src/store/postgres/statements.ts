/**
 * The statements of one table, written once when the store opens. Uses only what CockroachDB and YugabyteDB
 * document as supported (docs/decisions/013-postgresql.md).
 */
import { createHash } from "node:crypto";
import { holdsNul } from "../keys.ts";
import { type IndexRange, type IndexValue, StoreError } from "../store.ts";
import type { Statement } from "./database.ts";
import type { FieldShape, IndexShape, TableShape } from "./shape.ts";

const COLUMNS = "id, version::float8 AS version, doc";
const ID_FIELD: FieldShape = { path: ["id"], type: "string", sql: "id", cast: "text" };

/** Where a list goes on: the index key of the last record, its id included. */
export interface ListPlace extends IndexRange {
  readonly after?: readonly IndexValue[];
  readonly reverse: boolean;
  /** Rows at most. */
  readonly most: number;
}

/** The operator of a comparison whose last value is cut before U+0000: texts without it never equal the whole. */
const cutOperators = { "=": undefined, ">=": ">", ">": ">", "<": "<=", "<=": "<=" } as const;

/** Collects conditions and their parameters. */
class Where {
  readonly conditions: string[] = [];
  readonly values: unknown[] = [];

  parameter(value: unknown, cast: string): string {
    this.values.push(value);
    return `$${this.values.length}::${cast}`;
  }

  /** Compares leading fields with values as one row. */
  compare(
    fields: readonly FieldShape[],
    operator: keyof typeof cutOperators,
    values: readonly IndexValue[],
  ): void {
    if (values.length === 0) return;
    if (values.length > fields.length) {
      throw new RangeError(`The index has ${fields.length} fields, not ${values.length}`);
    }
    const cutAt = values.findIndex(holdsNul);
    if (cutAt >= 0) {
      const cutOperator = cutOperators[operator];
      const cut = String(values[cutAt]).split("\0")[0] ?? "";
      if (cutOperator === undefined) this.conditions.push("FALSE");
      else this.compare(fields, cutOperator, [...values.slice(0, cutAt), cut]);
      return;
    }
    const used = fields.slice(0, values.length);
    const left = used.map(({ sql }) => sql);
    const right = used.map(({ type, cast, path }, at) => {
      const value = values[at];
      if (typeof value !== type)
        throw new RangeError(`"${path.join(".")}" is a ${type}, not ${typeof value}`);
      return this.parameter(value, cast);
    });
    this.conditions.push(
      left.length === 1
        ? `${left.join("")} ${operator} ${right.join("")}`
        : `(${left.join(", ")}) ${operator} (${right.join(", ")})`,
    );
  }

  toString(): string {
    return this.conditions.length === 0 ? "" : ` WHERE ${this.conditions.join(" AND ")}`;
  }
}

function fieldsOf(index: IndexShape | undefined): readonly FieldShape[] {
  return index === undefined ? [ID_FIELD] : [...index.fields, ID_FIELD];
}

function toWhere(index: IndexShape | undefined, range: IndexRange): Where {
  const where = new Where();
  if (index !== undefined) where.conditions.push(index.present);
  const fields = fieldsOf(index);
  const prefix = range.prefix ?? [];
  const rest = fields.slice(prefix.length);
  for (const [at, value] of prefix.entries()) where.compare(fields.slice(at, at + 1), "=", [value]);
  where.compare(rest, ">=", range.from ?? []);
  where.compare(rest, "<", range.to ?? []);
  return where;
}

/** Builds the statements of one table. */
export class Statements {
  readonly #shape: TableShape;
  readonly #get: string;
  readonly #insert: string;
  readonly #update: string;
  readonly #remove: string;
  readonly #names = new Map<string, string>();

  constructor(shape: TableShape) {
    this.#shape = shape;
    const { table } = shape;
    this.#get = `SELECT ${COLUMNS} FROM ${table} WHERE id = $1`;
    this.#insert = `INSERT INTO ${table} (id, version, doc) VALUES ($1, 1, $2::jsonb) ON CONFLICT DO NOTHING`;
    this.#update = `UPDATE ${table} SET version = version + 1, doc = $3::jsonb WHERE id = $1 AND version = $2::bigint`;
    this.#remove = `DELETE FROM ${table} WHERE id = $1`;
  }

  get(id: string): Statement {
    return this.#prepared(this.#get, [id]);
  }

  /** Inserts nothing when the id or a unique key is taken: an error would end the transaction. */
  insert(id: string, doc: string): Statement {
    return this.#prepared(this.#insert, [id, doc]);
  }

  update(id: string, version: number, doc: string): Statement {
    return this.#prepared(this.#update, [id, version, doc]);
  }

  remove(id: string): Statement {
    return this.#prepared(this.#remove, [id]);
  }

  by(index: string, key: readonly IndexValue[]): Statement {
    const shape = this.#index(index, true);
    if (key.length !== shape.fields.length) {
      throw new RangeError(`Index "${index}" has ${shape.fields.length} fields`);
    }
    const where = toWhere(shape, { prefix: key });
    return this.#prepared(`SELECT ${COLUMNS} FROM ${this.#shape.table}${where.toString()}`, where.values);
  }

  list(index: string, place: ListPlace): Statement {
    const shape = index === "id" ? undefined : this.#index(index, false);
    const where = toWhere(shape, place);
    const fields = fieldsOf(shape);
    if (place.after !== undefined) this.#compareCursor(where, fields, place);
    const order = fields.map(({ sql }) => `${sql} ${place.reverse ? "DESC" : "ASC"}`).join(", ");
    const text = `SELECT ${COLUMNS} FROM ${this.#shape.table}${where.toString()} ORDER BY ${order} LIMIT ${where.parameter(place.most, "bigint")}`;
    return this.#prepared(text, where.values);
  }

  count(index: string, range: IndexRange): Statement {
    const where = toWhere(index === "id" ? undefined : this.#index(index, false), range);
    const text = `SELECT count(*)::float8 AS n FROM ${this.#shape.table}${where.toString()}`;
    return this.#prepared(text, where.values);
  }

  #compareCursor(where: Where, fields: readonly FieldShape[], place: ListPlace): void {
    try {
      where.compare(fields, place.reverse ? "<" : ">", place.after ?? []);
    } catch (cause) {
      throw new StoreError("bad_cursor", "The cursor is malformed or belongs to another list", { cause });
    }
  }

  #index(name: string, unique: boolean): IndexShape {
    const index = this.#shape.indexes.get(name);
    if (index !== undefined && index.unique === unique) return index;
    const kind = unique ? "unique" : "ordered";
    throw new RangeError(`Collection "${this.#shape.collection.name}" has no ${kind} index "${name}"`);
  }

  /** Texts depend on the form of a range alone, never on its values, so there are few. */
  #prepared(text: string, values: readonly unknown[]): Statement {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = `trivet_${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
      this.#names.set(text, name);
    }
    return { name, text, values };
  }
}
