/** License keys of a file that another shop sold. */
import { isMailAddress } from "../../../kit/mail/mail.ts";
import type { CsvRow } from "../../../kit/files/csv.ts";
import { MAX_DEVICES } from "../../products/license-schema.ts";
import { isYes, readCount } from "../cells.ts";
import { readDate, readEnd } from "../dates.ts";
import type { Fault } from "../faults.ts";
import type { ReadContext, ReadItem } from "../kind.ts";
import { toFaults } from "../refusals.ts";
import { type Row, type Table, readRows } from "../rows.ts";
import { type Said, say, toQuote } from "../said.ts";
import { applyKey } from "./apply.ts";
import { type KeyField, keyColumns } from "./columns.ts";
import { type KeyDraft, toMasked } from "./draft.ts";

type KeyRow = Row<KeyField>;

const MAX_KEY = 2_000;
const UNSOLD = /^(?:available|unsold|free|in stock|unused stock|verfügbar|frei|disponible|未售|可用)$/iu;
const DISABLED =
  /^(?:disabled|inactive by admin|revoked|suspended|cancell?ed|blocked|refunded|gesperrt|deaktiviert|désactivé|停用|吊销)$/iu;

interface Build {
  readonly row: KeyRow;
  readonly table: Table<KeyField>;
  readonly context: ReadContext;
  readonly faults: Fault[];
  readonly notes: Fault[];
}

function refuse({ row, faults }: Build, field: KeyField, said: Said): undefined {
  faults.push({ line: row.line, column: row.headerOf(field), code: "invalid", ...said });
  return undefined;
}

function readTime(build: Build, field: "expiresAt" | "since"): number | undefined {
  const { row, context } = build;
  const cell = row.get(field);
  if (cell === undefined || /^(?:never|lifetime|unlimited|nie|jamais|nunca|永久|0000-00-00.*)$/iu.test(cell))
    return undefined;
  const { dateOrder, timeZone = context.timeZone } = context.options;
  const read = (field === "expiresAt" ? readEnd : readDate)(cell, { dateOrder, timeZone });
  return "at" in read ? read.at : refuse(build, field, read.problem);
}

function readDevices(build: Build): number | undefined {
  const cell = build.row.get("maxDevices");
  if (cell === undefined || /^(?:unlimited|∞|-|unbegrenzt|illimité|ilimitado|无限)$/iu.test(cell))
    return undefined;
  const count = readCount(cell);
  if (count === undefined || count > MAX_DEVICES)
    return refuse(build, "maxDevices", say("import.count", { value: toQuote(cell) }));
  return count === 0 ? undefined : count;
}

/** Whether the former shop no longer lets the key be used. */
function isDisabled({ row }: Build): boolean {
  const enabled = row.get("enabled");
  const isLost = isYes(row.get("disputed") ?? "") && !isYes(row.get("disputeWon") ?? "");
  return (
    (enabled !== undefined && !isYes(enabled)) ||
    (["disabled", "revoked", "refunded"] as const).some((field) => isYes(row.get(field) ?? "")) ||
    isLost ||
    DISABLED.test(row.get("status") ?? "")
  );
}

function toItem(draft: KeyDraft, notes: readonly Fault[], title: string): ReadItem {
  const { line, holderEmail, products } = draft;
  return {
    line,
    title,
    rows: 1,
    pictures: 0,
    preview: { price: "", variants: 0, detail: [products.at(-1), holderEmail].filter(Boolean).join(", ") },
    notes,
    apply: (tx, options) => applyKey(tx, draft, options),
    toFaults: (error) => toFaults(error, line, () => ({ column: draft.column })),
  };
}

function noteActivations({ row, notes }: Build): void {
  const count = readCount(row.get("used") ?? "") ?? 0;
  if (count === 0) return;
  const said = say("import.key.activations", { count });
  notes.push({ line: row.line, column: row.headerOf("used"), code: "left_out", ...said });
}

function readOne(build: Build, value: string): ReadItem {
  const { row, table, faults, notes } = build;
  const title = toMasked(value);
  const products = [row.get("product"), row.get("productName")].filter((name) => name !== undefined);
  const email = row.get("email");
  if (value.length > MAX_KEY) refuse(build, "key", say("import.mostLong", { bound: MAX_KEY }));
  if (products.length === 0) refuse(build, "product", say("import.required"));
  if (email !== undefined && !isMailAddress(email))
    refuse(build, "email", say("import.customer.email", { value: toQuote(email) }));
  if (UNSOLD.test(row.get("status") ?? "") && email === undefined)
    refuse(build, "status", say("import.key.unsold"));
  noteActivations(build);
  const draft: KeyDraft = {
    line: row.line,
    value,
    products,
    column: row.headerOf("product") ?? row.headerOf("productName"),
    variant: row.get("variant"),
    source: table.source,
    holderEmail: email,
    holderName: row.get("name")?.replaceAll(/\s+/gu, " ").slice(0, 200),
    isDisabled: isDisabled(build),
    maxDevices: readDevices(build),
    expiresAt: readTime(build, "expiresAt"),
    createdAt: readTime(build, "since"),
  };
  if (faults.length > 0) return { line: row.line, title, rows: 1, faults };
  return toItem(draft, notes, title);
}

/** Reads license keys; sales of Gumroad without a key are passed over. */
export async function* readKeys(
  open: () => AsyncIterable<CsvRow>,
  context: ReadContext,
): AsyncGenerator<ReadItem, void> {
  const lines = new Map<string, number>();
  for await (const { table, row } of readRows(open(), keyColumns, context.options.mapping)) {
    const value = row.get("key") ?? "";
    if (value === "" && table.source === "gumroad") continue;
    const build: Build = { row, table, context, faults: [], notes: [] };
    const twin = lines.get(value);
    if (value === "") refuse(build, "key", say("import.required"));
    else if (row.hasMore) refuse(build, "key", say("import.cells"));
    else if (twin !== undefined) refuse(build, "key", say("import.key.twin", { line: twin }));
    if (build.faults.length > 0)
      yield { line: row.line, title: toMasked(value), rows: 1, faults: build.faults };
    else {
      lines.set(value, row.line);
      yield readOne(build, value);
    }
  }
}
