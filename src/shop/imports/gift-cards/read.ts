/** Gift cards of a file that another shop sold, with what is left on them. */
import { isMailAddress } from "../../../kit/mail/mail.ts";
import type { CsvRow } from "../../../kit/files/csv.ts";
import { toDecimal } from "../../base/money.ts";
import { toCodeKey } from "../../gift-cards/codes.ts";
import { MAX_CODE } from "../../gift-cards/schema.ts";
import { isYes } from "../cells.ts";
import { readEnd } from "../dates.ts";
import type { ReadContext, ReadItem } from "../kind.ts";
import { type Reading, readEach } from "../reading.ts";
import { type Said, say, toQuote } from "../said.ts";
import { applyGiftCard, toMaskedCode } from "./apply.ts";
import { type GiftCardField, giftCardColumns } from "./columns.ts";

/** Shorter codes can be guessed. */
const LEAST_CODE = 6;
const MAX_NAME = 120;
const MAX_NOTE = 300;
/** "••••3K2N", "****3K2N", "XXXX-XXXX-3K2N". */
const HIDDEN = /^(?:[•*.…-]+|(?:x{4}[\s-]?)+)\s*\w{2,5}$/iu;
const DISABLED =
  /^(?:disabled|inactive|deactivated|cancell?ed|void(?:ed)?|blocked|refunded|gesperrt|deaktiviert|désactivé|停用)$/iu;
const NEVER = /^(?:never|no expir\w*|unlimited|nie|jamais|nunca|永久|0000-00-00.*)$/iu;
const NO = /^(?:no|n|false|0|nein|non|falsch|faux|否)$/iu;

type Build = Reading<GiftCardField>;

/** What is left; files without a balance have what the card was sold for. */
function readBalance(build: Build): number | undefined {
  const field = build.get("balance") === undefined ? "initial" : "balance";
  if (build.get(field) === undefined) return build.refuse("balance", say("import.required"));
  return build.readAmount(field, { currency: build.get("currency") });
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

function readOne(build: Build, code: string): ReadItem {
  const { row, context, faults } = build;
  const email = row.get("email")?.toLowerCase();
  if (code.length < LEAST_CODE) build.refuse("code", say("import.leastLong", { bound: LEAST_CODE }));
  if (code.length > MAX_CODE) build.refuse("code", say("import.mostLong", { bound: MAX_CODE }));
  if (email !== undefined && !isMailAddress(email))
    build.refuse("email", say("import.customer.email", { value: toQuote(email) }));
  const amount = readBalance(build);
  const expiresAt = build.readTime("expiresAt", { read: readEnd, isNever: NEVER });
  const toLine = (field: "name" | "note"): string => (row.get(field) ?? "").replaceAll(/\s+/gu, " ");
  if (faults.length > 0 || amount === undefined) return build.toBad(toMaskedCode(code));
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
  const worth = `${toDecimal(amount, context.currency)} ${context.currency}`;
  return build.toGood({
    title: toMaskedCode(code),
    detail: [worth, email ?? ""].filter(Boolean).join(", "),
    apply: (tx, options) => applyGiftCard(tx, draft, options),
    columnOf: () => row.headerOf("code"),
  });
}

/** Reads gift cards. Codes that a shop exports in part are refused: no one could pay with them. */
export async function* readGiftCards(
  open: () => AsyncIterable<CsvRow>,
  context: ReadContext,
): AsyncGenerator<ReadItem, void> {
  const lines = new Map<string, number>();
  for await (const build of readEach(open, giftCardColumns, context)) {
    const code = build.get("code") ?? "";
    const key = toCodeKey(code);
    const sayTwin = (line: number): Said => say("import.giftCard.twin", { line });
    if (key === "" && build.get("lastFour") !== undefined)
      build.refuse("lastFour", say("import.giftCard.hidden"));
    else if (HIDDEN.test(code)) build.refuse("code", say("import.giftCard.hidden"));
    else if (build.claim("code", key, { lines, sayTwin })) {
      yield readOne(build, code);
      continue;
    }
    yield build.toBad(toMaskedCode(code === "" ? (build.get("lastFour") ?? "") : code));
  }
}
