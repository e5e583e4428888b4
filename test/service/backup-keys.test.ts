/** Backups omit the sealing keys by default, and a restore says which are missing and where they go. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import type { ServiceName } from "../../src/kit/services.ts";
import { createSecretBox } from "../../src/kit/secrets/secret-box.ts";
import { assertSecret } from "../../src/records/secret-check.ts";
import { openBackupFolder } from "../../src/service/backup/backup-folder.ts";
import { createBackup } from "../../src/service/backup/backup.ts";
import { restoreBackup } from "../../src/service/backup/restore.ts";
import { serviceCollections } from "../../src/service/collections.ts";
import { backupCommand } from "../../src/service/commands/backup-command.ts";
import { restoreCommand } from "../../src/service/commands/restore-command.ts";
import { secretChecks } from "../../src/service/secret-checks.ts";
import { openJournalStore } from "../../src/store/journal/journal-store.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const services = ["monitor", "auth", "shop"] as const;
const keyFiles = services.map((service) => `${service}-secret.json`);
const secretOf = (service: string): string => `the secret of the ${service}, which is long enough`;

let home: string;
let data: string;
let backup: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "trivet-keys-"));
  data = join(home, "data");
  backup = join(home, "backup");
  for (const service of services) {
    const collections = serviceCollections[service] ?? [];
    const store = await openJournalStore({ folder: join(data, service), name: service, collections });
    await assertSecret(store, createSecretBox(secretOf(service)), secretChecks[service]);
    await store.close();
    await writeKey(service, secretOf(service));
  }
});
afterEach(() => rm(home, { recursive: true }));

const writeKey = (service: ServiceName, secret: string): Promise<void> =>
  writeFile(join(data, `${service}-secret.json`), JSON.stringify({ secret }));

const keysIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith("-secret.json")).sort();

/** What a command says. */
async function listen(run: () => Promise<void>): Promise<string> {
  const said = mock.method(console, "log", () => undefined);
  try {
    await run();
    return said.mock.calls.map(({ arguments: [line] }) => String(line)).join("\n");
  } finally {
    said.mock.restore();
  }
}

describe("backups and sealing keys", () => {
  it("leave them out, name them, and hold none of their text", async () => {
    const variables = {};
    const said = await listen(() => backupCommand.run(["--data", data, "--to", backup], { variables }));
    assert.deepEqual(await keysIn(backup), []);
    assert.match(
      said,
      /Not included: auth-secret\.json, monitor-secret\.json, shop-secret\.json\. Keep copies/u,
    );
    const files = await readdir(backup, { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile()))
      assert.doesNotMatch(await readFile(join(file.parentPath, file.name), "utf8"), /which is long enough/u);
    assert.equal((await openBackupFolder(home).list()).length, 0);
  });

  it("include them on request, by the option or by BACKUP_KEYS", async () => {
    for (const [n, [args, variables]] of (
      [
        [["--keys"], {}],
        [[], { BACKUP_KEYS: "1" }],
      ] as const
    ).entries()) {
      const to = `${backup}-${n}`;
      await listen(() => backupCommand.run(["--data", data, "--to", to, ...args], { variables }));
      assert.deepEqual(await keysIn(to), keyFiles.toSorted());
      const target = join(home, `target-${n}`);
      const { keys } = await restoreBackup({ backup: to, data: target, now: NOW });
      assert.deepEqual([keys, await keysIn(target)], [[], keyFiles.toSorted()]);
    }
  });

  it("keep those of the folder at a restore when they sealed the records", async () => {
    await createBackup({ data, to: backup, now: NOW });
    const { keys } = await restoreBackup({ backup, data, now: NOW });
    assert.deepEqual(
      keys.map(({ service, state }) => `${service} ${state}`),
      ["monitor kept", "auth kept", "shop kept"],
    );
    assert.match(await readFile(join(data, "auth-secret.json"), "utf8"), /the secret of the auth/u);
  });

  it("say which are missing and where they go: in a new folder, and where another one was", async () => {
    await createBackup({ data, to: backup, now: NOW });
    await writeKey("auth", "another secret, which is long enough too");
    const variables = { SHOP_SECRET: secretOf("shop") };
    const there = await listen(() => restoreCommand.run([backup, "--data", data], { variables }));
    assert.match(
      there,
      /monitor-secret\.json is not in this backup\. The existing file in the folder is kept/u,
    );
    assert.match(
      there,
      /auth-secret\.json is missing, .* copy auth-secret\.json into ".*data" .* AUTH_SECRET/u,
    );
    assert.match(there, /shop-secret\.json is not in this backup\. The shop uses SHOP_SECRET/u);
    assert.deepEqual(await keysIn(data), ["monitor-secret.json"]);
    const elsewhere = join(home, "new");
    const said = await listen(() => restoreCommand.run([backup, "--data", elsewhere], { variables: {} }));
    for (const service of services) assert.ok(said.includes(`Before you start the ${service}, copy`), said);
  });

  it("keep those of a folder whose records are in a database", async () => {
    for (const service of services) await rm(join(data, service), { recursive: true });
    await mkdir(join(data, "shop"));
    await writeFile(join(data, "admin-token.json"), "{}");
    await createBackup({ data, to: backup, now: NOW });
    const { keys } = await restoreBackup({ backup, data, now: NOW });
    assert.deepEqual(
      keys.map(({ state }) => state),
      ["kept", "kept", "kept"],
    );
    assert.deepEqual(await keysIn(data), keyFiles.toSorted());
  });

  it("of earlier versions, which have them, restore as before", async () => {
    await createBackup({ data, to: backup, now: NOW, withKeys: true });
    await rm(data, { recursive: true });
    const { keys } = await restoreBackup({ backup, data, now: NOW });
    assert.deepEqual([keys, await keysIn(data)], [[], keyFiles.toSorted()]);
  });
});
