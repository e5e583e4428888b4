/** The SQL about the monitor's history (`src/store/postgres/rollups.ts`), read into what it means. */

type Verb =
  | "create"
  | "partition"
  | "drop partition"
  | "mark"
  | "lock mark"
  | "set mark"
  | "read"
  | "drop"
  | "keys"
  | "partitions"
  | "present"
  | "write";

export interface RollupStatement {
  readonly kind: "rollups";
  readonly verb: Verb;
  readonly table: string;
  /** Of a partition: its name and its bounds. */
  readonly part?: { readonly name: string; readonly from: number; readonly to: number };
  /** Of a reading: the table of the marks. */
  readonly marks?: string;
}

const forms: readonly (readonly [Verb, RegExp])[] = [
  ["create", /^CREATE TABLE IF NOT EXISTS (\w+) \((?:origin|key) text/u],
  ["lock mark", /^SELECT next_seq::float8 AS mark FROM (\w+) WHERE origin = \$1 FOR UPDATE$/u],
  ["mark", /^SELECT next_seq::float8 AS mark FROM (\w+) WHERE origin = \$1$/u],
  ["set mark", /^INSERT INTO (\w+) \(origin, next_seq\)/u],
  ["drop", /^DELETE FROM (\w+) WHERE key = \$1$/u],
  ["keys", /^WITH RECURSIVE found AS \(SELECT min\(key\) AS key FROM (\w+)/u],
  ["present", /^SELECT w\.place::float8 AS place, b\.data FROM unnest.* JOIN (\w+) AS b/u],
  ["write", /^INSERT INTO (\w+) \(key, at, origin, data\)/u],
];

/** Undefined for a statement about something else. */
export function parseRollups(text: string): RollupStatement | undefined {
  const sql = text.replaceAll(/\s+/gu, " ");
  const [, part, parent = "", from, to] =
    /^CREATE TABLE IF NOT EXISTS (\w+) PARTITION OF (\w+) FOR VALUES FROM \((\d+)\) TO \((\d+)\)$/u.exec(
      sql,
    ) ?? [];
  if (part !== undefined) {
    const bounds = { name: part, from: Number(from), to: Number(to) };
    return { kind: "rollups", verb: "partition", table: parent, part: bounds };
  }
  const [, dropped, of = ""] = /^DROP TABLE IF EXISTS ((\w+)_p\d+)$/u.exec(sql) ?? [];
  if (dropped !== undefined)
    return { kind: "rollups", verb: "drop partition", table: of, part: { name: dropped, from: 0, to: 0 } };
  const [, marks, read] =
    /^SELECT origin, next_seq::float8 AS mark, NULL::bytea AS data FROM (\w+) UNION ALL .* FROM (\w+) AS b/u.exec(
      sql,
    ) ?? [];
  if (marks !== undefined && read !== undefined) return { kind: "rollups", verb: "read", table: read, marks };
  if (sql.startsWith("SELECT c.relname AS name")) return { kind: "rollups", verb: "partitions", table: "" };
  for (const [verb, form] of forms) {
    const [, table] = form.exec(sql) ?? [];
    if (table !== undefined) return { kind: "rollups", verb, table };
  }
  return undefined;
}
