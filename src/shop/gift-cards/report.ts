/** What the shop owes to holders of gift cards, and how that came: for accountants, and for the check of the books. */
import type { Page, ReadTx, Store } from "../../store/store.ts";
import { listEntries } from "./book.ts";
import { giftCardEntries, giftCards } from "./records.ts";
import type { EntryKind, GiftCardEntry } from "./schema.ts";

const PAGE = 1_000;

/** Sums of one currency, minor units. `opening` + the changes = `closing`. */
export interface CardSums extends Record<EntryKind, number> {
  readonly currency: string;
  opening: number;
  closing: number;
}

function blank(currency: string): CardSums {
  const zeros = { issued: 0, redeemed: 0, released: 0, refunded: 0, voided: 0, adjusted: 0 };
  return { currency, opening: 0, ...zeros, closing: 0 };
}

async function forEach<T>(
  store: Store,
  read: (tx: ReadTx, cursor: string | undefined) => Promise<Page<T>>,
  each: (item: T) => void,
): Promise<void> {
  let cursor: string | undefined;
  do {
    const from = cursor;
    const page: Page<T> = await store.read((tx) => read(tx, from));
    for (const item of page.items) each(item);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** The book of a period: all entries before `toMs`, those from `fromMs` on by their kind. By currency. */
export async function sumCards(
  store: Store,
  {
    fromMs = 0,
    toMs = Infinity,
  }: { readonly fromMs?: number | undefined; readonly toMs?: number | undefined } = {},
): Promise<CardSums[]> {
  const sums = new Map<string, CardSums>();
  const range = toMs === Infinity ? {} : { to: [toMs] };
  await forEach(
    store,
    (tx, cursor) => tx.list(giftCardEntries, "byTime", { ...range, limit: PAGE, cursor }),
    ({ currency, at, kind, amount }) => {
      const sum = sums.get(currency) ?? blank(currency);
      sums.set(currency, sum);
      if (at < fromMs) sum.opening += amount;
      else sum[kind] += amount;
      sum.closing += amount;
    },
  );
  return [...sums.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}

/** A card whose balance, or that of one of its entries, does not follow from the other entries. */
export interface CardFault {
  readonly cardId: string;
  readonly recorded: number;
  readonly expected: number;
}

/**
 * The first entry with a balance that neither another entry began with nor the card has now. The order of entries is
 * no proof: the clock of the next one may have been behind.
 */
function findOdd(entries: readonly GiftCardEntry[], balance: number): GiftCardEntry | undefined {
  const next = new Map<number, number>();
  for (const from of [balance, ...entries.map((entry) => entry.balance - entry.amount)])
    next.set(from, (next.get(from) ?? 0) + 1);
  return entries.find((entry) => {
    const left = next.get(entry.balance) ?? 0;
    next.set(entry.balance, left - 1);
    return left === 0;
  });
}

/** Whether every balance is the sum of its card's entries; all of one view, for a shop that goes on. */
export async function checkCards(
  store: Store,
): Promise<{ readonly count: number; readonly faults: CardFault[] }> {
  const faults: CardFault[] = [];
  let count = 0;
  let cursor: string | undefined;
  do {
    const from = cursor;
    cursor = await store.read(async (tx) => {
      const page = await tx.list(giftCards, "id", { limit: 100, cursor: from });
      for (const { id, balance } of page.items) {
        const entries = await listEntries(tx, id);
        const expected = entries.reduce((sum, { amount }) => sum + amount, 0);
        count += 1;
        const odd = expected === balance ? findOdd(entries, balance)?.balance : balance;
        if (odd !== undefined) faults.push({ cardId: id, recorded: odd, expected });
      }
      return page.nextCursor;
    });
  } while (cursor !== undefined);
  return { count, faults };
}
