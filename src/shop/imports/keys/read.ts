/** License keys of a file that another shop sold. */
import { isMailAddress } from "../../../kit/mail/mail.ts";
import type { CsvRow } from "../../../kit/files/csv.ts";
import { MAX_DEVICES } from "../../products/license-schema.ts";
import { isYes, readCount } from "../cells.ts";
import { readEnd } from "../dates.ts";
import type { ReadContext, ReadItem } from "../kind.ts";
import { type Reading, readEach } from "../reading.ts";
import { type Said, say, toQuote } from "../said.ts";
import { applyKey } from "./apply.ts";
import { type KeyField, keyColumns } from "./columns.ts";
import { type KeyDraft, toMasked } from "./draft.ts";

const MAX_KEY = 2_000;
const NEVER = /^(?:never|lifetime|unlimited|nie|jamais|nunca|永久|0000-00-00.*)$/iu;
const UNSOLD = /^(?:available|unsold|free|in stock|unused stock|verfügbar|frei|disponible|未售|可用)$/iu;
const DISABLED =
  /^(?:disabled|inactive by admin|revoked|suspended|cancell?ed|blocked|refunded|gesperrt|deaktiviert|désactivé|停用|吊销)$/iu;

type Build = Reading<KeyField>;

function readDevices(build: Build): number | undefined {
  const cell = build.get("maxDevices");
  if (cell === undefined || /^(?:unlimited|∞|-|unbegrenzt|illimité|ilimitado|无限)$/iu.test(cell))
    return undefined;
  const count = readCount(cell);
  if (count === undefined || count > MAX_DEVICES)
    return build.refuse("maxDevices", say("import.count", { value: toQuote(cell) }));
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

function noteActivations(build: Build): void {
  const count = readCount(build.get("used") ?? "") ?? 0;
  if (count > 0) build.note("used", say("import.key.activations", { count }));
}

function readOne(build: Build, value: string): ReadItem {
  const { row, table, faults } = build;
  const title = toMasked(value);
  const products = [row.get("product"), row.get("productName")].filter((name) => name !== undefined);
  const email = row.get("email");
  if (value.length > MAX_KEY) build.refuse("key", say("import.mostLong", { bound: MAX_KEY }));
  if (products.length === 0) build.refuse("product", say("import.required"));
  if (email !== undefined && !isMailAddress(email))
    build.refuse("email", say("import.customer.email", { value: toQuote(email) }));
  if (UNSOLD.test(row.get("status") ?? "") && email === undefined)
    build.refuse("status", say("import.key.unsold"));
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
    expiresAt: build.readTime("expiresAt", { read: readEnd, isNever: NEVER }),
    createdAt: build.readTime("since", { isNever: NEVER }),
  };
  if (faults.length > 0) return build.toBad(title);
  return build.toGood({
    title,
    detail: [products.at(-1), email].filter(Boolean).join(", "),
    apply: (tx, options) => applyKey(tx, draft, options),
    columnOf: () => draft.column,
  });
}

/** Reads license keys; sales of Gumroad without a key are passed over. */
export async function* readKeys(
  open: () => AsyncIterable<CsvRow>,
  context: ReadContext,
): AsyncGenerator<ReadItem, void> {
  const lines = new Map<string, number>();
  for await (const build of readEach(open, keyColumns, context)) {
    const value = build.get("key") ?? "";
    if (value === "" && build.table.source === "gumroad") continue;
    const sayTwin = (line: number): Said => say("import.key.twin", { line });
    yield build.claim("key", value, { lines, sayTwin })
      ? readOne(build, value)
      : build.toBad(toMasked(value));
  }
}
