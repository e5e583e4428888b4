/** The shop in a process of its own that is killed under load: no acknowledged order or payment is lost or done twice. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { systemClock } from "../src/kit/time/clock.ts";
import { silentLog } from "../src/kit/observe/log.ts";
import { shopCollections } from "../src/shop/app/records.ts";
import { openJournalStore } from "../src/store/journal/journal-store.ts";
import { openPostgresStore } from "../src/store/postgres/postgres-store.ts";
import type { Store } from "../src/store/store.ts";
import { ADMIN_TOKEN, createKillLoad } from "./shop/kill-load.ts";
import { assertConsistent } from "./shop/race-checks.ts";
import { createTestDatabase } from "./support/postgres.ts";
import { type Program, type Programs, createPrograms, terminate } from "./support/program.ts";

let programs: Programs;
beforeEach(async () => {
  programs = await createPrograms(["shop"]);
});
afterEach(() => programs.dispose());

/** Kills the shop after so many answers in each life; everything must be there in the last one. */
async function killUnderLoad(lives: readonly number[], env: Record<string, string> = {}): Promise<void> {
  const load = createKillLoad({ buyers: 8, most: 2_000, hasStaff: true });
  const start = async (): Promise<{ program: Program; url: string }> => {
    const program = programs.run({ ADMIN_TOKEN, ...env });
    return { program, url: await programs.shopUrl(program) };
  };
  for (const [life, answers] of lives.entries()) {
    const { program, url } = await start();
    if (life === 0) await load.prepare(url);
    await load.run(url, { answers, kill: () => void program.child.kill("SIGKILL") });
    await program.ended;
  }
  const told = load.counts();
  assert.ok(told.orders >= told.notices && told.notices > 0);
  const { program, url } = await start();
  await load.verify(url);
  terminate(program);
  assert.equal(await program.ended, 0);
}

async function assertAndClose(store: Store): Promise<void> {
  await assertConsistent(store);
  await store.close();
}

describe("SIGKILL under load", () => {
  it("loses nothing of the JSON store in several lives of one folder", async () => {
    await killUnderLoad([1, 40, 80]);
    const folder = join(programs.folder, "data", "shop");
    const options = { folder, name: "shop", collections: shopCollections };
    await assertAndClose(await openJournalStore({ ...options, clock: systemClock, log: silentLog }));
  });

  it("loses nothing on PostgreSQL", async () => {
    const { url, drop } = await createTestDatabase();
    await killUnderLoad([40], { DATABASE_URL: url });
    await assertAndClose(await openPostgresStore({ url, name: "shop", collections: shopCollections }));
    await drop();
  });
});
