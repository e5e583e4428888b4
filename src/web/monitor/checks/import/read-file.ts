/** Turns a chosen file into what the import takes. A database is read here, so that it can be larger than a request. */
import { type ImportInput, MAX_FILE } from "../../../../monitor/checks/import/view-schema.ts";
import { type ServerImport, beszelTables } from "../../../../monitor/moving/schema.ts";
import type { Row, SqliteFault } from "./sqlite.ts";

/** Rows of Beszel's tables. */
export type BeszelRows = Pick<ServerImport, "systems" | "alerts">;

export type FileContent =
  | { readonly beszel: BeszelRows; readonly hasLog: boolean }
  | { readonly input: Pick<ImportInput, "format" | "text">; readonly hasLog: boolean }
  | { readonly fault: SqliteFault | "large" | "other_database" };

/** Tables of Uptime Kuma that monitors are made of. */
const KUMA_TABLES = ["monitor", "tag", "monitor_tag", "monitor_notification", "proxy"];

/** JSON is Kuma's, except for an answer with checks; all else is read as YAML. */
function toFormat(content: string): ImportInput["format"] {
  if (/^\s*\{\s*"checks"\s*:/u.test(content)) return "healthchecks";
  return /^\s*[{[]/u.test(content) ? "kuma" : "gatus";
}

/** Texts have no NUL; encrypted databases have no SQLite header, but most have their name. */
async function isDatabase(file: File): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, 1_024).arrayBuffer());
  return start.includes(0) || /\.(?:db|sqlite3?|db-wal)$/iu.test(file.name);
}

/** Texts of one line, as the API takes them. */
function toLine(value: Row[string]): Row[string] {
  return typeof value === "string" ? value.replaceAll(/\p{C}+/gu, " ").slice(0, 500) : value;
}

/** The columns that are read, without those of other users. */
function toBeszel({ systems = [], alerts = [] }: Readonly<Record<string, readonly Row[]>>): BeszelRows {
  const pick = (rows: readonly Row[], columns: readonly string[]) =>
    rows.map((row) => Object.fromEntries(columns.map((name) => [name, toLine(row[name] ?? null)])));
  return { systems: pick(systems, beszelTables.systems), alerts: pick(alerts, beszelTables.alerts) };
}

async function readDatabase(file: Blob): Promise<FileContent> {
  const { readTables, SqliteError } = await import("./sqlite.ts");
  try {
    const { tables, hasLog } = await readTables(file, [...KUMA_TABLES, ...Object.keys(beszelTables)]);
    if (tables["systems"] !== undefined) return { beszel: toBeszel(tables), hasLog };
    if (tables["monitor"] === undefined) return { fault: "other_database" };
    // Rows are mostly null.
    const withoutNull = (row: Row): object =>
      Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
    const named = Object.entries(tables).map(([name, rows]) => [name, rows.map(withoutNull)]);
    const text = JSON.stringify(Object.fromEntries(named));
    return text.length > MAX_FILE ? { fault: "too_large" } : { input: { format: "kuma", text }, hasLog };
  } catch (error) {
    if (error instanceof SqliteError) return { fault: error.fault };
    throw error;
  }
}

export async function readImportFile(file: File): Promise<FileContent> {
  if (await isDatabase(file)) return readDatabase(file);
  if (file.size > MAX_FILE) return { fault: "large" };
  const text = await file.text();
  return { input: { format: toFormat(text), text }, hasLog: false };
}
