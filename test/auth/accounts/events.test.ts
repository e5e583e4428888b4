/** The bound of an account's security events. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { writeEvent } from "../../../src/auth/accounts/events.ts";
import { events } from "../../../src/auth/accounts/records.ts";
import { createTestApp, testCaller } from "../app-fixture.ts";

const KEPT = 1_000;

it("an account keeps its last 1,000 events; another account's stay", async () => {
  const app = await createTestApp();
  const write = (userId: string, times: readonly number[]): Promise<void> =>
    app.store.transact(async (tx) => {
      for (const atMs of times) await writeEvent(tx, { userId, kind: "sign-in", caller: testCaller, atMs });
    });
  await write("usr_b", [1]);
  for (let start = 0; start < KEPT + 100; start += 100)
    await write(
      "usr_a",
      Array.from({ length: 100 }, (_none, index) => start + index + 1),
    );
  const { items } = await app.store.read((tx) =>
    tx.list(events, "byUser", { prefix: ["usr_a"], limit: KEPT }),
  );
  const times = items.map(({ at }) => at).toSorted((a, b) => a - b);
  assert.deepEqual([times.length, times[0], times.at(-1)], [KEPT, 101, KEPT + 100]);
  const count = (userId: string): Promise<number> =>
    app.store.read((tx) => tx.count(events, "byUser", { prefix: [userId] }));
  assert.deepEqual([await count("usr_a"), await count("usr_b")], [KEPT, 1]);
});
