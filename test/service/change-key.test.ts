/** A sealing key that is replaced: all values open with the new one, whenever the change was interrupted. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type FileLayer, nodeFileLayer } from "../../src/kit/files/file-layer.ts";
import { createSecretBox } from "../../src/kit/secrets/secret-box.ts";
import { parseSecretFile } from "../../src/kit/secrets/secret-file.ts";
import { withAuditKey } from "../../src/records/audit-key.ts";
import { openAudit } from "../../src/records/audit-upkeep.ts";
import { verifyAudit, writeAudit } from "../../src/records/audit.ts";
import { assertSecret, toFingerprint } from "../../src/records/secret-check.ts";
import { silentLog } from "../../src/kit/observe/log.ts";
import { auditCollection } from "../../src/records/audit-chain.ts";
import { checkFolder } from "../../src/service/check/folder-check.ts";
import { createBackup } from "../../src/service/backup/backup.ts";
import { restoreBackup } from "../../src/service/backup/restore.ts";
import { serviceCollections } from "../../src/service/collections.ts";
import { changeKeyCommand } from "../../src/service/commands/change-key-command.ts";
import { type KeyChange, changeKey } from "../../src/service/keys/change-key.ts";
import { secretChecks } from "../../src/service/secret-checks.ts";
import { secrets } from "../../src/shop/products/records.ts";
import { settings } from "../../src/shop/site/records.ts";
import { webhookEndpoints } from "../../src/shop/webhooks-out/records.ts";
import type { EndpointRecord } from "../../src/shop/webhooks-out/schema.ts";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";
import { openJournalStore } from "../../src/store/journal/journal-store.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createFixedClock } from "../support/fixed-clock.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { toRunArguments } from "../support/own-runtime.ts";
import { projectFolder, runProcess } from "../support/process.ts";

const OLD = "the old secret of the shop, which is long enough";
const services = ["monitor", "auth", "shop"] as const;
const collections = serviceCollections["shop"] ?? [];
const clock = createFixedClock(Date.UTC(2026, 10, 29));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-change-key-"));
});
afterEach(async () => {
  for (const path of [folder, `${folder}-backup`]) await rm(path, { recursive: true, force: true });
});

const keyIn = async (which = ""): Promise<string | undefined> => {
  const text = await readFile(join(folder, `shop-secret${which}.json`), "utf8").catch(() => undefined);
  return text === undefined ? undefined : parseSecretFile(text);
};
const writeKey = (secret: string): Promise<void> =>
  writeFile(join(folder, "shop-secret.json"), JSON.stringify({ secret }));

/** A shop with license keys that are found by their keyed hash, and an entry of its audit log. */
async function fill(store: Store, count = 3): Promise<void> {
  const box = await assertSecret(store, createSecretBox(OLD), secretChecks.shop);
  await store.transact(async (tx) => {
    for (let n = 0; n < count; n += 1) {
      const sealed = box.seal(`KEY-${n}`, "secret");
      const mac = box.lookup(`KEY-${n}`, "secret");
      const fields = { productId: "p", stockId: "p", state: "free" as const, addedAt: 0 };
      await tx.insert(secrets, { id: `sec_${String(n).padStart(6, "0")}`, sealed, mac, ...fields });
    }
  });
  const audited = withAuditKey(store, box);
  await openAudit({ store: audited, clock, log: silentLog });
  const actor = { name: "ann", requestId: "r" };
  await audited.transact((tx) => writeAudit(tx, { actor, action: "a", target: "t" }, clock));
}

/** Starts as a service does, and reads everything. */
async function assertWhole(store: Store, secret: string, count = 3): Promise<void> {
  const box = await assertSecret(store, createSecretBox(secret), secretChecks.shop);
  const { items } = await store.read((tx) => tx.list(secrets, "id", { limit: 1_000 }));
  assert.equal(items.length, count);
  for (const [n, { sealed, mac }] of items.entries()) {
    assert.equal(box.open(sealed, "secret"), `KEY-${n}`);
    assert.equal(mac, box.lookup(`KEY-${n}`, "secret"));
  }
  assert.equal((await verifyAudit(withAuditKey(store, box))).valid, true);
}

const toChange = (store: Store, change: Partial<KeyChange> = {}): KeyChange => ({
  service: "shop",
  collections,
  check: secretChecks.shop,
  store,
  files: nodeFileLayer,
  folder,
  given: undefined,
  clock,
  leavesUnreadable: false,
  ...change,
});

describe("changeKey", () => {
  let store: Store;
  beforeEach(async () => {
    store = createMemoryStore({ collections });
    await fill(store);
    await writeKey(OLD);
  });

  it("seals everything with a new key, and keeps the old one for earlier backups", async () => {
    const { values, resumed } = await changeKey(toChange(store));
    assert.deepEqual([values, resumed], [3, false]);
    const key = (await keyIn()) ?? assert.fail();
    assert.notEqual(key, OLD);
    assert.deepEqual([await keyIn(".previous"), await keyIn(".next")], [OLD, undefined]);
    await assert.rejects(changeKey(toChange(store)), /previous\.json" is the key before the last change/u);
    assert.equal(await keyIn(), key);
    assert.equal((await stat(join(folder, "shop-secret.json"))).mode & 0o777, 0o600);
    await assertWhole(store, key);
    await assert.rejects(assertSecret(store, createSecretBox(OLD), secretChecks.shop), /is not the one/u);
    const { items } = await store.read((tx) => tx.list(secrets, "id", { limit: 10 }));
    for (const { sealed } of items) assert.throws(() => createSecretBox(OLD).open(sealed, "secret"));
    // Earlier versions compare with the bare fingerprint, and know no lookups: they must not start.
    assert.notEqual((await store.read(secretChecks.shop.read))?.check, toFingerprint(createSecretBox(key)));
    const { items: entries } = await store.read((tx) => tx.list(auditCollection, "id", { limit: 10 }));
    assert.deepEqual(
      entries.map(({ action }) => action),
      ["a", "sealing-key.change"],
    );
  });

  it("makes links and cookies of the old key invalid, again at the second change", async () => {
    const before = await assertSecret(store, createSecretBox(OLD), secretChecks.shop);
    for (let round = 0; round < 2; round += 1) {
      await rm(join(folder, "shop-secret.previous.json"), { force: true });
      const known = (await keyIn()) ?? assert.fail();
      const last = await assertSecret(store, createSecretBox(known), secretChecks.shop);
      await changeKey(toChange(store));
      const key = (await keyIn()) ?? assert.fail();
      await assertWhole(store, key);
      const box = await assertSecret(store, createSecretBox(key), secretChecks.shop);
      assert.notEqual(box.mac("ord_1", "order-token"), last.mac("ord_1", "order-token"));
      assert.equal(box.lookup("KEY-0", "secret"), before.lookup("KEY-0", "secret"));
    }
  });

  it("keeps the audit log safe from who has the old key", async () => {
    await changeKey(toChange(store));
    const forger = withAuditKey(store, createSecretBox(OLD));
    const actor = { name: "mallory", requestId: "r" };
    await forger.transact((tx) => writeAudit(tx, { actor, action: "a", target: "t" }, clock));
    const box = await assertSecret(store, createSecretBox((await keyIn()) ?? ""), secretChecks.shop);
    assert.equal((await verifyAudit(withAuditKey(store, box))).valid, false);
  });

  it("refuses a key that is not that of the records, and changes nothing", async () => {
    await writeKey("another secret, which is long enough as well");
    await assert.rejects(changeKey(toChange(store)), /did not seal the records of the shop. Nothing was/u);
    assert.equal(await keyIn(".next"), undefined);
    await assertWhole(store, OLD);
    await rm(join(folder, "shop-secret.json"));
    await assert.rejects(changeKey(toChange(store)), /is missing/u);
  });

  it("names values that the key cannot open before it changes anything, and leaves them on request", async () => {
    const foreign = createSecretBox("the secret of another shop, long enough").seal("x", "webhook-out");
    const endpoint: Omit<EndpointRecord, "version"> = {
      id: "whe_1",
      url: "https://example.org",
      types: ["order.paid"],
      description: "v1.2",
      sealedSecret: foreign,
      createdAt: 0,
      updatedAt: 0,
    };
    await store.transact((tx) => tx.insert(webhookEndpoints, endpoint));
    await assert.rejects(
      changeKey(toChange(store)),
      /cannot open values in webhookEndpoints "whe_1"\. Nothing/u,
    );
    await assertWhole(store, OLD);
    assert.equal((await changeKey(toChange(store, { leavesUnreadable: true }))).values, 3);
    await assertWhole(store, (await keyIn()) ?? "");
    const left = await store.read((tx) => tx.get(webhookEndpoints, "whe_1"));
    assert.equal(left?.version, 1);
  });

  it("leaves the new key in its file if a variable gives the present one", async () => {
    await rm(join(folder, "shop-secret.json"));
    const change = toChange(store, { given: OLD });
    const { keyFile } = await changeKey(change);
    const next = (await keyIn(".next")) ?? assert.fail();
    assert.equal(keyFile, join(folder, "shop-secret.next.json"));
    await assertWhole(store, next);
    // The variable has not been changed yet: nothing to do. Once it is, the next change takes another key.
    assert.deepEqual(await changeKey(change), { values: 0, resumed: true, keyFile });
    assert.equal((await changeKey(toChange(store, { given: next }))).values, 3);
    assert.notEqual(await keyIn(".next"), next);
    assert.equal(await keyIn(), undefined);
  });
});

/** Breaks off at the step with this number, before or after its effect, and at all later ones. */
function breakOff(store: Store, step: { readonly at: number; readonly isDone: boolean }) {
  let count = 0;
  const guard = async <R>(work: () => Promise<R>): Promise<R> => {
    count += 1;
    if (count > step.at || (count === step.at && !step.isDone)) throw new Error("killed");
    const result = await work();
    if (count === step.at) throw new Error("killed");
    return result;
  };
  const files: FileLayer = {
    ...nodeFileLayer,
    rename: (from, to) => guard(() => nodeFileLayer.rename(from, to)),
    remove: (path) => guard(() => nodeFileLayer.remove(path)),
  };
  const breaking: Store = {
    ...store,
    read: (work) => store.read(work),
    close: () => store.close(),
    check: () => store.check(),
    transact: (work) => guard(() => store.transact(work)),
  };
  return { files, store: breaking };
}

describe("a change of the key that is killed", () => {
  for (const given of [undefined, OLD])
    it(`goes on when it is run again, whichever step was the last (${given === undefined ? "file" : "variable"})`, async () => {
      let steps = 0;
      for (const isDone of [false, true])
        for (let at = 1; ; at += 1) {
          const store = createMemoryStore({ collections });
          await fill(store);
          for (const name of await readdir(folder)) await rm(join(folder, name));
          if (given === undefined) await writeKey(OLD);
          const change = { given, collections: [settings, secrets, auditCollection] };
          const broken = changeKey(toChange(store, { ...change, ...breakOff(store, { at, isDone }) }));
          const hasEnded = await broken.then(
            () => true,
            () => false,
          );
          if (hasEnded) break;
          steps += 1;
          // A start in between works, with the old key before the first change, or says what to do.
          await assertWhole(store, (await keyIn()) ?? OLD).catch((error: unknown) => {
            assert.match(
              String(error),
              /has not finished. Run "trivet change-key shop" again|is not the one/u,
            );
          });
          await changeKey(toChange(store, change)).catch((error: unknown) => {
            assert.match(String(error), /is the key before the last change/u); // it was the last step
          });
          const isFile = given === undefined;
          await assertWhole(store, (await keyIn(isFile ? "" : ".next")) ?? assert.fail());
          if (isFile) assert.deepEqual([await keyIn(".next"), await keyIn(".previous")], [undefined, OLD]);
        }
      assert.ok(steps >= (given === undefined ? 16 : 12), `${steps} steps`);
    });
});

/** What a command says. */
async function listen(args: readonly string[], variables: Record<string, string>): Promise<string> {
  const said = mock.method(console, "log", () => undefined);
  try {
    await changeKeyCommand.run(args, { DATA_DIR: variables["DATA_DIR"], variables });
    return said.mock.calls.map(({ arguments: [line] }) => String(line)).join("\n");
  } finally {
    said.mock.restore();
  }
}

describe("trivet change-key", () => {
  it("changes the keys of a whole install, after which its records, books and audit logs are sound", async () => {
    const fixture = join(projectFolder, "test/upgrade/2026-11-29-release.tar.gz");
    const args = ["-C", folder, "-xzf", fixture, "--no-same-owner"];
    assert.equal((await runProcess({ command: "tar", args })).code, 0);
    const before = await checkFolder(folder, {});
    const backup = `${folder}-backup`;
    await createBackup({ data: folder, to: backup, now: 0, withKeys: false });
    const said = await listen(services, { DATA_DIR: folder });
    assert.match(said, /^monitor: The sealing key is new, \d+ values sealed again/mu);
    const counts = [...said.matchAll(/(\d+) values/gu)].map(([, count]) => Number(count));
    assert.ok(
      counts.every((count) => count > 0),
      said,
    );
    const after = await checkFolder(folder, {});
    assert.deepEqual(after.findings, before.findings);
    // An earlier backup needs the key before, which a restore finds beside the new one.
    const { keys } = await restoreBackup({ backup, data: folder, now: 1 });
    assert.deepEqual(new Set(keys.map(({ state }) => state)), new Set(["kept"]));
    assert.deepEqual((await checkFolder(folder, {})).findings, before.findings);
  });

  it("goes on after SIGKILL", async () => {
    const store = await openJournalStore({ folder: join(folder, "shop"), name: "shop", collections });
    await fill(store, 900);
    await store.close();
    await writeKey(OLD);
    const args = [...toRunArguments("src/main.ts"), "change-key", "shop"];
    const env = { ...process.env, DATA_DIR: folder };
    const child = spawn(process.execPath, args, { cwd: projectFolder, env, stdio: "ignore" });
    const ended = once(child, "exit");
    while ((await keyIn(".next").catch(() => undefined)) === undefined && child.exitCode === null)
      await pause(1);
    child.kill("SIGKILL");
    await ended;
    const { code, output } = await runProcess({ command: process.execPath, args, env: { DATA_DIR: folder } });
    assert.equal(code, 0, output);
    const again = await openJournalStore({ folder: join(folder, "shop"), name: "shop", collections });
    await assertWhole(again, (await keyIn()) ?? "", 900);
    await again.close();
    assert.equal(await keyIn(".next"), undefined);
  });

  it("works on PostgreSQL, not while a node runs there", async () => {
    const database = await createTestDatabase();
    try {
      const node = await openPostgresStore({ url: database.url, name: "shop", collections });
      await fill(node);
      const variables = { DATA_DIR: folder, DATABASE_URL: database.url, SHOP_SECRET: OLD };
      await assert.rejects(listen(["shop"], variables), /The shop is running on this database/u);
      await node.close();
      assert.match(await listen(["shop"], variables), /3 values sealed again.*set SHOP_SECRET to it/u);
      const after = await openPostgresStore({ url: database.url, name: "shop", collections });
      await assertWhole(after, (await keyIn(".next")) ?? "");
      await after.close();
    } finally {
      await database.drop();
    }
  });

  it("says how it is called", async () => {
    await assert.rejects(listen([], {}), /Name the service/u);
    await assert.rejects(listen(["shops"], {}), /Unknown service "shops"/u);
    await assert.rejects(listen(["shop"], { DATA_DIR: folder }), /has no records yet/u);
    const file = join(folder, "..", "no-such.env");
    await assert.rejects(listen(["shop", "--env", file], { DATA_DIR: folder }), /ENOENT/u);
    if (process.getuid?.() !== 0) return;
    await chown(folder, 65_534, 65_534);
    await assert.rejects(listen(["shop"], { DATA_DIR: folder }), /Run this command as the owner/u);
    assert.deepEqual(await readdir(folder), []);
  });
});
