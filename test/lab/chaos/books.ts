/**
 * Hundreds of SIGKILLs and power cuts to the shop while buyers order and staff draft, edit, refund by line, and cancel.
 * After each fault the books are read from what is on the disk.
 */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { textOf } from "../../../src/kit/thrown.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { invoices } from "../../../src/shop/invoices/collections.ts";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { openPostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { assertBooks } from "../../shop/books-check.ts";
import { createKillLoad } from "../../shop/kill-load.ts";
import { createStaffLoad } from "../../shop/staff-load.ts";
import { type BatchLoad, cuts, kills, openDisk, toPart } from "./batches.ts";
import { type ChaosCase, type Found, type Surroundings, pause, waitFor } from "./case.ts";
import { createDatabase } from "./database.ts";
import { type Subject, createSubject } from "./subject.ts";

/** Orders at most in one batch of lives. */
const MOST = 6_000;

type Records = Parameters<NonNullable<BatchLoad["inspect"]>>[0];

/** Does something with the store: of a folder with a copy, as the next life finds it. */
async function withStore<T>(
  { dataDir, databaseUrl }: Records,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const parent = await mkdtemp(join(tmpdir(), "trivet-books-"));
  try {
    const folder = join(parent, "shop");
    if (databaseUrl === undefined) await cp(join(dataDir, "shop"), folder, { recursive: true });
    const store = await (databaseUrl === undefined
      ? openJournalStore({
          folder,
          name: "shop",
          collections: shopCollections,
          clock: systemClock,
          log: silentLog,
        })
      : openPostgresStore({ url: databaseUrl, name: "shop", collections: shopCollections }));
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

const toText = (error: unknown): string[] => [textOf(error).slice(0, 600)];

/** Buyers and staff. */
async function createBooksLoad(): Promise<BatchLoad> {
  const buyers = createKillLoad({ buyers: 2, most: MOST, stepMs: 80, hasStaff: true });
  const staff = createStaffLoad({ staff: 3, most: MOST, stepMs: 50 });
  let url = "";
  let isOver = false;
  let going: Promise<number>[] = [];
  let seen = { orders: 0, documents: 0 };
  const inspected = { faults: 0 };
  return {
    env: {},
    prepare: async (subject) => {
      url = subject.url("shop");
      await buyers.prepare(url);
      await staff.prepare(url);
    },
    start: () => {
      going = [buyers, staff].map((load) => load.go(url, () => isOver));
      for (const one of going) one.catch(() => undefined); // told by stop
    },
    isUnderWay: async () => buyers.counts().notices > 0 && staff.counts()["line refunds"] > 0,
    stop: async () => {
      isOver = true;
      await Promise.all(going);
    },
    audit: async () => {
      const problems: string[] = [];
      for (const load of [buyers, staff])
        await load.verify(url).catch((error: unknown) => problems.push(...toText(error)));
      return problems;
    },
    settle: async () => [],
    inspect: async (records) => {
      try {
        seen = await withStore(records, assertBooks);
        inspected.faults += 1;
        return [];
      } catch (error) {
        return toText(error);
      }
    },
    counts: () => {
      const { orders, notices: payments } = buyers.counts();
      return {
        "orders of buyers": orders,
        payments,
        ...staff.counts(),
        "checks of all books": inspected.faults,
        ...seen,
      };
    },
  };
}

/** Takes a credit note out of healthy books: the check has to notice. */
async function spoil(around: Surroundings): Promise<Found> {
  const subject: Subject = await createSubject(around, { services: ["shop"] });
  const load = await createBooksLoad();
  const life = await subject.start();
  await load.prepare(subject);
  load.start();
  await waitFor(load.isUnderWay, { limitMs: 60_000 });
  await pause(500);
  await life.kill();
  await load.stop().catch(() => undefined);
  const problems = await withStore({ dataDir: subject.dataDir, databaseUrl: undefined }, async (store) => {
    await assertBooks(store);
    const id = await store.transact(async (tx) => {
      const { items } = await tx.list(invoices, "id", { limit: 1_000 });
      const note = items.find(({ kind }) => kind === "credit_note");
      if (note !== undefined) await tx.remove(invoices, note.id);
      return note?.id;
    });
    if (id === undefined) throw new Error("there is no credit note to remove");
    return assertBooks(store).then(() => [], toText);
  });
  return {
    isKept: problems.length === 0,
    done: "a credit note removed from the store",
    acknowledged: "",
    found: problems.length === 0 ? "nothing" : "the check noticed",
  };
}

const shop = { services: ["shop"], createLoad: createBooksLoad } as const;

/** See the module's header. */
export const shopBooks: ChaosCase = {
  name: "shop-books",
  promise:
    "hundreds of kills and power cuts while buyers order and staff draft, edit, refund: books balanced after each one",
  isAsked: true,
  parts: [
    toPart("shop, kills, files", { ...kills, ...shop, open: async () => ({ env: {} }) }),
    toPart("shop, power cuts on ext4", { ...cuts, ...shop, open: openDisk }),
    toPart("shop, kills, PostgreSQL", {
      ...kills,
      ...shop,
      toCount: (around) => Math.ceil(around.kills / 5),
      open: async (around) => ({ env: { DATABASE_URL: await createDatabase(around) } }),
    }),
    { name: "books that lack a credit note", isControl: true, run: spoil },
  ],
};
