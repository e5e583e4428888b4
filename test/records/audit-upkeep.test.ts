import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { hashSecret } from "../../src/kit/secrets/admin-token.ts";
import { auditCollection as audit, auditHeadCollection as heads } from "../../src/records/audit-chain.ts";
import { type AuditUpkeep, openAudit } from "../../src/records/audit-upkeep.ts";
import { listAudit, verifyAudit, writeAudit } from "../../src/records/audit.ts";
import { type Log, silentLog } from "../../src/kit/observe/log.ts";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";
import type { Store } from "../../src/store/store.ts";
import { withTestKey } from "../support/audited-store.ts";
import { type FixedClock, createFixedClock } from "../support/fixed-clock.ts";

const DAY_MS = 86_400_000;
const actor = { name: "token", requestId: "request" };
let store: Store;
let clock: FixedClock;
let logged: { level: string; message: string; fields: object | undefined }[];
let log: Log;

beforeEach(() => {
  store = withTestKey(createMemoryStore({ collections: [audit, heads] }));
  clock = createFixedClock();
  logged = [];
  const note =
    (level: string) =>
    (message: string, fields?: object): void => {
      logged.push({ level, message, fields });
    };
  log = { ...silentLog, info: note("info"), warn: note("warn") };
});

function open(maxEntries?: number): Promise<AuditUpkeep> {
  return openAudit({ store, clock, log }, maxEntries);
}

async function write(count: number): Promise<void> {
  for (let number = 0; number < count; number += 1)
    await store.transact((tx) => writeAudit(tx, { actor, action: "user.change", target: "usr_x" }, clock));
}

function count(): Promise<number> {
  return store.read((tx) => tx.count(audit));
}

describe("the audit's upkeep", () => {
  it("tells the log of the head at the start and once a day", async () => {
    await open();
    await write(1);
    const upkeep = await open();
    const { items } = await listAudit(store, { limit: 1 });
    const expected = { entry: items[0]?.id, hash: items[0]?.hash, entries: 1 };
    assert.deepEqual(logged.at(-1), { level: "info", message: "Head of the audit log", fields: expected });
    logged = [];
    await upkeep.run();
    assert.deepEqual(logged, []);
    clock.advance(DAY_MS);
    await upkeep.run();
    assert.equal(logged.length, 1);
    await upkeep.run();
    assert.equal(logged.length, 1);
  });

  it("keeps entries for a year, however many there are, and the chain from there on", async () => {
    const upkeep = await open();
    await write(1_200);
    clock.advance(200 * DAY_MS);
    await write(3);
    clock.advance(160 * DAY_MS);
    await write(1);
    await upkeep.run();
    assert.equal(await count(), 1_204);
    clock.advance(10 * DAY_MS);
    await write(1);
    await upkeep.run();
    const { valid, entries, dropped } = await verifyAudit(store);
    assert.deepEqual({ valid, entries, dropped }, { valid: true, entries: 5, dropped: 1_200 });
    assert.ok(!logged.some(({ level }) => level === "warn"));
  });

  it("warns when younger entries go for want of room", async () => {
    const upkeep = await open(4);
    await write(10);
    await upkeep.run();
    const { valid, entries, dropped } = await verifyAudit(store);
    assert.deepEqual({ valid, entries, dropped }, { valid: true, entries: 4, dropped: 6 });
    assert.deepEqual(logged.at(-1)?.fields, { entries: 6, maxEntries: 4 });
    assert.equal(logged.at(-1)?.level, "warn");
  });

  it("drops nothing because of a clock that is years ahead", async () => {
    const upkeep = await open();
    await write(3);
    clock.jump(10 * 366 * DAY_MS);
    await upkeep.run();
    assert.equal(await count(), 3);
  });

  it("warns of a head that is gone", async () => {
    const upkeep = await open();
    await write(1);
    await store.transact((tx) => tx.remove(heads, "head"));
    clock.advance(DAY_MS);
    await upkeep.run();
    assert.match(logged.at(-1)?.message ?? "", /lost its head/u);
  });
});

describe("an audit of an older release", () => {
  const common = {
    actor: "token",
    action: "a.b",
    target: "x",
    requestId: "r",
    changes: [],
    result: "ok" as const,
  };

  /** Entries in a chain without a key, as the auth center and the shop wrote them. */
  async function writeUnkeyedChain(entries: number): Promise<void> {
    let prevHash = "0".repeat(64);
    await store.transact(async (tx) => {
      for (let number = 1; number <= entries; number += 1) {
        const id = `aud_${String(number).padStart(12, "0")}`;
        const record = { id, at: number, ...common, clientId: "c" };
        const { actor: who, action, target, result, clientId, requestId, changes } = record;
        const members = [id, number, who, action, target, result, clientId, requestId, changes, prevHash];
        const hash = hashSecret(JSON.stringify(members));
        await tx.insert(audit, { ...record, prevHash, hash });
        prevHash = hash;
      }
      const ends = { dropped: 0, anchorHash: "0".repeat(64), keyedFrom: 0, idOffset: 0, mac: "" };
      await tx.insert(heads, { id: "head", count: entries, hash: prevHash, ...ends });
    });
  }

  /** Entries without a chain, as the monitor wrote them. */
  async function writePlainEntries(ids: readonly string[]): Promise<void> {
    await store.transact(async (tx) => {
      for (const id of ids)
        await tx.insert(audit, { id, at: clock.now(), ...common, clientId: "", prevHash: "", hash: "" });
    });
  }

  it("is verified as it was, and has a key from there on", async () => {
    await writeUnkeyedChain(3);
    await open();
    assert.deepEqual(
      logged.map(({ level }) => level),
      ["warn", "info"],
    );
    await write(2);
    const { valid, entries, unkeyed } = await verifyAudit(store);
    assert.deepEqual({ valid, entries, unkeyed }, { valid: true, entries: 5, unkeyed: 3 });
    logged = [];
    await open();
    assert.deepEqual(
      logged.map(({ level }) => level),
      ["info"],
    );
  });

  it("shows older entries that are rewritten afterwards, with hashes that fit", async () => {
    await writeUnkeyedChain(3);
    await open();
    await write(1);
    const { items } = await listAudit(store, { limit: 4 });
    await store.transact(async (tx) => {
      for (const { id } of items.slice(1)) await tx.remove(audit, id);
      await tx.remove(heads, "head");
    });
    await writeUnkeyedChain(3);
    assert.equal((await verifyAudit(store)).valid, false);
  });

  it("without a chain keeps its entries in their order and covers them", async () => {
    await writePlainEntries(["aud_01m80phpzt3prfnwa54ynadzh0", "aud_01m80phpzt3prfnwa54ynadzh1"]);
    await open();
    await write(2);
    const { items } = await listAudit(store, { limit: 10 });
    assert.deepEqual(
      items.slice(2).map(({ id }) => id),
      ["aud_01m80phpzt3prfnwa54ynadzh1", "aud_01m80phpzt3prfnwa54ynadzh0"],
    );
    assert.equal((await verifyAudit(store)).valid, true);

    const [, , last] = items;
    assert.ok(last);
    await store.transact((tx) => tx.put(audit, { ...last, target: "y" }));
    const { valid, brokenAt } = await verifyAudit(store);
    assert.deepEqual([valid, brokenAt], [false, items[1]?.id]);
  });

  it("without a chain loses its oldest entries and stays whole", async () => {
    await writePlainEntries(["aud_01m80phpzt3prfnwa54ynadzh0", "aud_01m80phpzt3prfnwa54ynadzh1"]);
    const upkeep = await open(3);
    await write(2);
    await upkeep.run();
    const { valid, entries, unkeyed } = await verifyAudit(store);
    assert.deepEqual({ valid, entries, unkeyed }, { valid: true, entries: 3, unkeyed: 1 });
  });
});
