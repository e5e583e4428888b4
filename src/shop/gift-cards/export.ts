/** The book of gift cards as a table for bookkeeping. */
import { type CsvStyle, csvStyles, toCsvLine } from "../../kit/files/csv-line.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import type { Page, PageOptions, Store } from "../../store/store.ts";
import { toDecimal } from "../base/money.ts";
import { toState } from "./gift-cards-admin.ts";
import { giftCardEntries, giftCards } from "./records.ts";
import type { GiftCardRecord } from "./schema.ts";

const PAGE = 500;
const columns = "time card last_four kind amount balance currency order by reason".split(" ");

/** Every change of a balance in a period, the oldest first; amounts are signed, in the currency's own unit. */
export async function* exportCards(
  store: Store,
  { fromMs = 0, toMs }: { readonly fromMs?: number | undefined; readonly toMs?: number | undefined },
  style: CsvStyle = csvStyles.comma,
): AsyncGenerator<string, void> {
  const money = (amount: number, currency: string) => ({
    decimal: toDecimal(amount, currency).replace(".", style.decimalMark),
  });
  const range = toMs === undefined ? { from: [fromMs] } : { from: [fromMs], to: [toMs] };
  let head = toCsvLine(columns, style);
  let cursor: string | undefined;
  do {
    const from = cursor;
    const { rows, nextCursor } = await store.read(async (tx) => {
      const page = await tx.list(giftCardEntries, "byTime", { ...range, limit: PAGE, cursor: from });
      const lines: string[] = [];
      for (const {
        at,
        cardId,
        kind,
        amount,
        balance,
        currency,
        orderId = "",
        who = "",
        reason = "",
      } of page.items) {
        const lastFour = (await tx.get(giftCards, cardId))?.lastFour ?? "";
        const sums = [money(amount, currency), money(balance, currency), currency];
        lines.push(toCsvLine([toIsoTime(at), cardId, lastFour, kind, ...sums, orderId, who, reason], style));
      }
      return { rows: lines, nextCursor: page.nextCursor };
    });
    yield `${head}${rows.join("")}`;
    head = "";
    cursor = nextCursor;
  } while (cursor !== undefined);
}

const cardColumns =
  "code balance initial currency state expires recipient_email recipient_name note created source order".split(
    " ",
  );

/** The cards of a list with what is left on them. Of codes, the last four characters: the store has hashes. */
export async function* exportBalances(
  { list }: { readonly list: (page: PageOptions) => Promise<Page<GiftCardRecord>> },
  nowMs: number,
  style: CsvStyle = csvStyles.comma,
): AsyncGenerator<string, void> {
  let head = toCsvLine(cardColumns, style);
  let cursor: string | undefined;
  do {
    const from = cursor;
    const page = await list({ limit: PAGE, cursor: from });
    const rows = page.items.map((card) => {
      const money = (amount: number) => ({
        decimal: toDecimal(amount, card.currency).replace(".", style.decimalMark),
      });
      const { lastFour, balance, initial, currency, note, source, orderId = "", expiresAt, createdAt } = card;
      const { recipientEmail = "", recipientName = "" } = card;
      return toCsvLine(
        [
          `••••${lastFour}`,
          money(balance),
          money(initial),
          currency,
          toState(card, nowMs),
          expiresAt === undefined ? "" : toIsoTime(expiresAt),
          recipientEmail,
          recipientName,
          note,
          toIsoTime(createdAt),
          source,
          orderId,
        ],
        style,
      );
    });
    yield `${head}${rows.join("")}`;
    head = "";
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}
