/** Opens the books of a shop, wherever they are, and checks and describes them. */
import { join, resolve } from "node:path";
import pg from "pg";
import { nodeFileLayer } from "../kit/files/file-layer.ts";
import { openJournalStore } from "../store/journal/journal-store.ts";
import { toUnavailable } from "../store/postgres/failures.ts";
import { openPostgresStore } from "../store/postgres/postgres-store.ts";
import type { Store } from "../store/store.ts";
import { toDecimal } from "./base/money.ts";
import { type LedgerFault, type LedgerReport, checkLedger } from "./payments/ledger-check.ts";
import { shopCollections } from "./app/records.ts";

const SHOP = { name: "shop", collections: shopCollections };
/** Faults that are shown; the rest is counted. */
const SHOWN = 50;

const isDatabase = (text: string): boolean => /^postgres(?:ql)?:\/\//u.test(text);

async function openFolder(data: string): Promise<Store> {
  const folder = join(data, SHOP.name);
  const files = await nodeFileLayer.list(folder);
  if (!files.some((file) => file === "shop.json" || file.endsWith(".journal")))
    throw new Error(`"${data}" does not contain a shop`);
  return openJournalStore({ ...SHOP, folder, compactOnClose: false });
}

/** Opening a database that no shop ever used would make its tables. */
async function assertPrepared(url: string): Promise<void> {
  if (!URL.canParse(url)) throw new Error("The URL of the database is invalid");
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined); // reported by the query that meets it
  try {
    await client.connect().catch((error: unknown) => Promise.reject(toUnavailable(error)));
    const { rowCount } = await client.query(
      "select 1 from information_schema.tables where table_schema = current_schema() and table_name = 'shop_orders'",
    );
    if ((rowCount ?? 0) === 0) throw new Error("The database does not contain a shop");
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function openDatabase(url: string): Promise<Store> {
  await assertPrepared(url);
  // Not the service's own name: other tools take that for a shop that runs.
  return openPostgresStore({ ...SHOP, url, applicationName: "trivet-check-books" });
}

/** Checks the books of a place. @throws Error when there is no shop, or its folder is in use */
export async function checkPlace(place: string): Promise<LedgerReport> {
  const store = await (isDatabase(place) ? openDatabase(place) : openFolder(resolve(place)));
  try {
    return await checkLedger(store);
  } finally {
    await store.close();
  }
}

/** Describes one fault for people. */
export function describeFault({ orderId, name, field, recorded, expected }: LedgerFault): string {
  const alone = field === "balance" ? `gift card ${name}` : `entry ${name} of the ledger`;
  const subject = orderId === undefined ? alone : `order ${name} (${orderId})`;
  return `${subject}: ${field} is ${JSON.stringify(recorded)}, by the ledger ${JSON.stringify(expected)}`;
}

/** Describes a report for people. */
export function describeReport({ orders, applied, sums, giftCards, faults }: LedgerReport): string {
  const lines = [`${orders} orders, ${applied} applied payments, refunds and chargebacks`];
  for (const [currency, { received, refunded, amountPaid }] of sums) {
    const [came, went, says] = [received, refunded, amountPaid].map((sum) => toDecimal(sum, currency));
    lines.push(`${currency}: ${came} received − ${went} given back; the orders say ${says}`);
  }
  if (giftCards > 0) lines.push(`${giftCards} gift cards`);
  lines.push(...faults.slice(0, SHOWN).map(describeFault));
  if (faults.length > SHOWN) lines.push(`and ${faults.length - SHOWN} more`);
  const count = faults.length === 1 ? "one place" : `${faults.length} places`;
  lines.push(faults.length === 0 ? "The books are right" : `The books are wrong in ${count}`);
  return lines.join("\n");
}
