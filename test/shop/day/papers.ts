/** What the shop writes for the books of its owner: invoices and credit notes. */
import { read } from "../app-fixture.ts";
import type { DayShop } from "./day-shop.ts";

export interface Paper {
  readonly id: string;
  readonly kind: "invoice" | "credit_note";
  readonly number: string;
  readonly orderId: string;
  readonly total: number;
}

/** All invoices and credit notes. */
export async function readPapers({ app }: DayShop): Promise<Paper[]> {
  const found: Paper[] = [];
  for (let cursor = ""; ;) {
    const query = `?limit=100${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
    const page = await read<{ items: Paper[]; nextCursor?: string }>(
      await app.admin("GET", `/api/admin/invoices${query}`),
    );
    found.push(...page.items);
    if (page.nextCursor === undefined) return found;
    cursor = page.nextCursor;
  }
}

/** "R00001" and so on, as many as there are. */
export function toNumbers(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${String(index + 1).padStart(5, "0")}`);
}
