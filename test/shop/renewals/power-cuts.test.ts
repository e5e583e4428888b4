/**
 * The program is killed, or the power is cut, after a step on the disk while a period is ordered and charged: afterwards
 * there is one order for it, paid once. RENEWAL_CUTS=all tries every step.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { type JournalStore, openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { FaultyFiles, createRandom } from "../../store/faulty-files.ts";
import { type FixedClock, createFixedClock } from "../../support/fixed-clock.ts";
import { openBillingRoom } from "./billing-room.ts";
import { DAY, HOUR, MONTHLY, assertRenewalBooks, listRenewals, onlySubscription } from "./renewal-room.ts";

const random = createRandom(46);
const CHOSEN = 6;
let lives = 0;

function open(files: FaultyFiles, clock: FixedClock): Promise<JournalStore> {
  lives += 1;
  const identity = { pid: lives, bootId: `boot ${lives}`, namespace: "one", startTicks: "1" };
  const lock = { watchMs: 0, identity };
  const shared = { folder: "/data/shop", name: "shop", collections: shopCollections };
  return openJournalStore({ ...shared, clock, files, lock });
}

/** A period with a fault after so many steps on the disk; gives how many it had. */
async function tryFault(at: number, fault: "kill" | "powerCut"): Promise<number> {
  const clock = createFixedClock(Date.parse("2026-01-31T09:00:00Z"));
  const files = new FaultyFiles();
  const store = await open(files, clock);
  const first = await openBillingRoom(MONTHLY, { store, clock });
  await first.buy();
  await first.pass(12 * DAY, DAY);
  const start = files.operations;
  files.powerCutAfter = start + at;
  await first.pass(20 * DAY, 12 * HOUR).catch(() => undefined);
  const operations = files.operations - start;
  await store.close().catch(() => undefined);
  const kept = fault === "kill" ? files.afterKill() : files.afterPowerCut(random);
  const after = await open(kept, clock);
  const room = await openBillingRoom(MONTHLY, { store: after, after: first });
  await assertRenewalBooks(room.app);
  // Up to the same day, however early it broke off.
  await room.pass(Date.parse("2026-03-10T09:00:00Z") - clock.now(), 12 * HOUR);
  await assertRenewalBooks(room.app);
  const all = await listRenewals(room.app);
  assert.deepEqual(
    all.map(({ state }) => state),
    ["paid"],
    `step ${at}`,
  );
  assert.equal(room.billing.subscriptions.length, 1);
  assert.equal(room.billing.invoices.filter(({ status }) => status === "paid").length, 1);
  assert.equal((await onlySubscription(room.app)).paid, 2);
  await after.close();
  return operations;
}

describe("a renewal that Stripe charges", () => {
  for (const fault of ["kill", "powerCut"] as const)
    it(`is ordered and paid once after a ${fault} at any step on the disk`, async () => {
      const operations = await tryFault(Number.MAX_SAFE_INTEGER, fault);
      assert.ok(operations > 10, String(operations));
      const steps = Array.from({ length: operations }, (_, at) => at);
      const chosen =
        process.env["RENEWAL_CUTS"] === "all"
          ? steps
          : Array.from({ length: CHOSEN }, () => Math.floor(random() * operations));
      for (const at of chosen) await tryFault(at, fault);
    });
});
