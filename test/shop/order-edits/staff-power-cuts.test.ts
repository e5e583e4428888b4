/**
 * The program is killed, or the power is cut, after a step on the disk while staff draft, place, edit, refund by line,
 * cancel, and deliver: the books are balanced at once, and each order comes to its end.
 * STAFF_CUTS=all tries every step on the disk of every kind of order.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { type JournalStore, openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { FaultyFiles, createRandom } from "../../store/faulty-files.ts";
import { type FixedClock, createFixedClock } from "../../support/fixed-clock.ts";
import { ADMIN_TOKEN, type TestShop, createTestShop } from "../app-fixture.ts";
import { assertBooks } from "../books-check.ts";
import { NotNow } from "../kill-load.ts";
import { type Send, type StaffLoad, createStaffLoad } from "../staff-load.ts";
import { openShop } from "./edit-room.ts";

/** Orders of all kinds: see the numbers of the load. */
const KINDS = process.env["STAFF_CUTS"] === "all" ? 20 : 12;
const tries = process.env["STAFF_CUTS"];
const random = createRandom(44);
let lives = 0;

function open(files: FaultyFiles, clock: FixedClock): Promise<JournalStore> {
  lives += 1;
  const identity = { pid: lives, bootId: `boot ${lives}`, namespace: "one", startTicks: "1" };
  const lock = { watchMs: 0, identity };
  return openJournalStore({
    folder: "/data/shop",
    name: "shop",
    collections: shopCollections,
    clock,
    files,
    lock,
  });
}

type Fault = "kill" | "powerCut";

/** One order with a fault after so many steps on the disk; gives how many steps it had. */
async function tryFault(first: number, at: number, fault: Fault): Promise<number> {
  const clock = createFixedClock();
  const files = new FaultyFiles();
  const store = await open(files, clock);
  let app: TestShop = await openShop({}, { clock, store });
  const send: Send = async (_url, path, { method = "POST", headers, body }) => {
    clock.advance(1_000);
    const given = { headers: { ...headers, "x-admin-token": ADMIN_TOKEN }, body };
    const answer = await app.send(method, path, given);
    return { status: answer.status, json: await answer.json() };
  };
  const load: StaffLoad = createStaffLoad({ staff: 1, most: 1, first, send });
  await load.prepare("");
  const start = files.operations;
  files.powerCutAfter = start + at;
  await load.finish("").catch((error: unknown) => {
    if (files.operations < start + at || !(error instanceof NotNow)) throw error;
  });
  const operations = files.operations - start;
  await store.close().catch(() => undefined);

  const kept = fault === "kill" ? files.afterKill() : files.afterPowerCut(random);
  const after = await open(kept, clock);
  await assertBooks(after);
  app = await createTestShop({ clock, store: after });
  await load.finish("");
  await load.verify("");
  const { orders } = await assertBooks(after);
  assert.equal(orders, 1, "the order is there once");
  await after.close();
  return operations;
}

describe("orders of staff", () => {
  for (const [fault, name] of [
    ["kill", "a kill"],
    ["powerCut", "a power cut"],
  ] as const)
    it(`lose nothing and stay balanced after ${name} at any step on the disk`, async () => {
      let faults = 0;
      for (let first = 0; first < KINDS; first += 1) {
        const operations = await tryFault(first, Number.MAX_SAFE_INTEGER, fault);
        assert.ok(operations > 10);
        const all = Array.from({ length: operations + 1 }, (_, at) => at);
        const chosen = tries === "all" ? all : [Math.floor(random() * operations)];
        for (const at of chosen) await tryFault(first, at, fault);
        faults += chosen.length;
      }
      assert.ok(faults >= KINDS);
      if (tries === "all") console.log(`${faults} times ${name}`);
    });
});
