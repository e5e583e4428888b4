/** Gift cards of a file that another shop sold, with what is left on them. */
import { isMailAddress } from "../../../kit/mail/mail.ts";
import type { CsvRow } from "../../../kit/files/csv.ts";
import { readAmount } from "../../base/amount-text.ts";
import { toDecimal } from "../../base/money.ts";
import { toCodeKey } from "../../gift-cards/codes.ts";
import { MAX_CODE } from "../../gift-cards/schema.ts";
import { sayProblem } from "../amounts.ts";
import { isYes } from "../cells.ts";
import { readEnd } from "../dates.ts";
import type { Fault } from "../faults.ts";
import type { ReadContext, ReadItem } from "../kind.ts";
import { toFaults } from "../refusals.ts";
import { type Row, readRows } from "../rows.ts";
import { type Said, say, toQuote } from "../said.ts";
import { type GiftCardDraft, applyGiftCard, toMaskedCode } from "./apply.ts";
import { type GiftCardField, giftCardColumns } from "./columns.ts";

/** Shorter codes can be guessed. */
const LEAST_CODE = 6;
const MAX_NAME = 120;
const MAX_NOTE = 300;
/** "••••3K2N", "****3K2N", "XXXX-XXXX-3K2N". */
const HIDDEN = /^(?:[•*.…-]+|(?:x{4}[\s-]?)+)\s*\w{2,5}$/iu;
const DISABLED =
  /^(?:disabled|inactive|deactivated|cancell?ed|void(?:ed)?|blocked|refunded|gesperrt|deaktiviert|désactivé|停用)$/iu;
const NO = /^(?:no|n|false|0|nein|non|falsch|faux|否)$/iu;

interface Build {
  readonly row: Row<GiftCardField>;
  readonly context: ReadContext;
  readonly faults: Fault[];
}

function refuse({ row, faults }: Build, field: GiftCardField, said: Said, code = "invalid"): undefined {
  faults.push({ line: row.line, column: row.headerOf(field), code, ...said });
  return undefined;
}

/** What is left; files without a balance have what the card was sold for. */
function readBalance(build: Build): number | undefined {
  const { row, context } = build;
  const field = row.get("balance") === undefined ? "initial" : "balance";
  const cell = row.get(field);
  if (cell === undefined) return refuse(build, "balance", say("import.required"));
  const named = row.get("currency");
  const isBare = /^[\d.,'’\s]+$/u.test(cell);
  const read = readAmount(isBare && named !== undefined ? `${named} ${cell}` : cell, context.currency, {
    decimalMark: context.options.decimalMark,
  });
  if ("amount" in read) return read.amount;
  return refuse(build, field, sayProblem(read), read.why === "ambiguous" ? "ambiguous" : "invalid");
}

function readExpiry(build: Build): number | undefined {
  const cell = build.row.get("expiresAt");
  if (
    cell === undefined ||
    /^(?:never|no expir\w*|unlimited|nie|jamais|nunca|永久|0000-00-00.*)$/iu.test(cell)
  )
    return undefined;
  const { dateOrder, timeZone = build.context.timeZone } = build.context.options;
  const read = readEnd(cell, { dateOrder, timeZone });
  return "at" in read ? read.at : refuse(build, "expiresAt", read.problem);
}

function isDisabled({ row }: Build): boolean {
  const [enabled, disabled] = [row.get("enabled"), row.get("disabled")];
  return (
    (enabled !== undefined && !isYes(enabled)) ||
    // A date, or a word.
    (disabled !== undefined && !NO.test(disabled)) ||
    DISABLED.test(row.get("status") ?? "")
  );
}

function toItem(draft: GiftCardDraft, column: string | undefined): ReadItem {
  const { line, code, amount, currency, recipientEmail = "" } = draft;
  const detail = [`${toDecimal(amount, currency)} ${currency}`, recipientEmail].filter(Boolean).join(", ");
  return {
    line,
    title: toMaskedCode(code),
    rows: 1,
    pictures: 0,
    preview: { price: "", variants: 0, detail },
    notes: [],
    apply: (tx, options) => applyGiftCard(tx, draft, options),
    toFaults: (error) => toFaults(error, line, () => ({ column })),
  };
}

function readOne(build: Build, code: string): ReadItem {
  const { row, context, faults } = build;
  const email = row.get("email")?.toLowerCase();
  if (code.length < LEAST_CODE) refuse(build, "code", say("import.leastLong", { bound: LEAST_CODE }));
  if (code.length > MAX_CODE) refuse(build, "code", say("import.mostLong", { bound: MAX_CODE }));
  if (email !== undefined && !isMailAddress(email))
    refuse(build, "email", say("import.customer.email", { value: toQuote(email) }));
  const amount = readBalance(build);
  const expiresAt = readExpiry(build);
  const toLine = (field: "name" | "note"): string => (row.get(field) ?? "").replaceAll(/\s+/gu, " ");
  if (faults.length > 0 || amount === undefined)
    return { line: row.line, title: toMaskedCode(code), rows: 1, faults };
  const draft = {
    line: row.line,
    code,
    amount,
    currency: context.currency,
    expiresAt,
    recipientEmail: email,
    recipientName: toLine("name").slice(0, MAX_NAME) || undefined,
    note: toLine("note").slice(0, MAX_NOTE),
    isDisabled: isDisabled(build),
  };
  return toItem(draft, row.headerOf("code"));
}

/** Reads gift cards. Codes that a shop exports in part are refused: no one could pay with them. */
export async function* readGiftCards(
  open: () => AsyncIterable<CsvRow>,
  context: ReadContext,
): AsyncGenerator<ReadItem, void> {
  const lines = new Map<string, number>();
  for await (const { row } of readRows(open(), giftCardColumns, context.options.mapping)) {
    const code = row.get("code") ?? "";
    const build: Build = { row, context, faults: [] };
    const key = toCodeKey(code);
    const twin = lines.get(key);
    if (key === "" && row.get("lastFour") !== undefined)
      refuse(build, "lastFour", say("import.giftCard.hidden"));
    else if (HIDDEN.test(code)) refuse(build, "code", say("import.giftCard.hidden"));
    else if (key === "") refuse(build, "code", say("import.required"));
    else if (row.hasMore) refuse(build, "code", say("import.cells"));
    else if (twin !== undefined) refuse(build, "code", say("import.giftCard.twin", { line: twin }));
    if (build.faults.length > 0) {
      const title = toMaskedCode(code === "" ? (row.get("lastFour") ?? "") : code);
      yield { line: row.line, title, rows: 1, faults: build.faults };
      continue;
    }
    lines.set(key, row.line);
    yield readOne(build, code);
  }
}
