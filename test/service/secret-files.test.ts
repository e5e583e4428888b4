/** The secret that seals a service's records: a start without it creates none beside them, and a migration brings it along. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { loadConfig } from "../../src/config.ts";
import { createSecretBox } from "../../src/kit/secrets/secret-box.ts";
import { silentLog } from "../../src/kit/observe/log.ts";
import { assertSecret } from "../../src/records/secret-check.ts";
import { serviceCollections } from "../../src/service/collections.ts";
import { migrateCommand } from "../../src/service/commands/migrate-command.ts";
import { readFingerprint } from "../../src/service/fingerprint.ts";
import { secretChecks } from "../../src/service/secret-checks.ts";
import { findServiceSecret, loadServiceSecret } from "../../src/service/secrets.ts";
import { openJournalStore } from "../../src/store/journal/journal-store.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { type TestDatabase, createTestDatabase } from "../support/postgres.ts";

const services = ["monitor", "auth", "shop"] as const;
const secretOf = (service: string): string => `the secret of the ${service}, which is long enough`;

describe("the secrets of services", () => {
  let folder: string;
  let data: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-secrets-"));
    data = join(folder, "data");
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const files = async (place = data): Promise<string[]> =>
    (await readdir(place)).filter((name) => name.endsWith("-secret.json")).sort();
  const context = (env: Record<string, string> = {}, place = data) => ({
    config: loadConfig({ DATA_DIR: place, ...env }),
    log: silentLog,
  });

  /** Records of each service that its secret sealed, and optionally the secrets' files. */
  async function fill(place = data, hasFiles = true): Promise<void> {
    for (const service of services) {
      const collections = serviceCollections[service] ?? [];
      const store = await openJournalStore({ folder: join(place, service), name: service, collections });
      await assertSecret(store, createSecretBox(secretOf(service)), secretChecks[service]);
      await store.close();
      if (hasFiles)
        await writeFile(join(place, `${service}-secret.json`), JSON.stringify({ secret: secretOf(service) }));
    }
  }

  it("are created for an empty folder, once", async () => {
    await mkdir(data);
    const secret = await loadServiceSecret(context(), "auth");
    assert.equal(await loadServiceSecret(context(), "auth"), secret);
    assert.deepEqual(await files(), ["auth-secret.json"]);
  });

  for (const service of services)
    it(`are not created beside records that another one sealed: ${service}`, async () => {
      await fill(data, false);
      const missing = new RegExp(
        `The ${service} has records, but .*/${service}-secret\\.json", is missing: copy ${service}-secret\\.json into .* or set ${service.toUpperCase()}_SECRET.*No new secret was created`,
        "u",
      );
      await assert.rejects(loadServiceSecret(context(), service), missing);
      // The services of one process work out each other's before those are open.
      await assert.rejects(findServiceSecret({ ...context(), services }, service), missing);
      assert.deepEqual(await files(), []);
      const given = { [`${service.toUpperCase()}_SECRET`]: secretOf(service) };
      assert.equal(await loadServiceSecret(context(given), service), secretOf(service));
    });

  describe("with PostgreSQL", () => {
    let database: TestDatabase;
    beforeEach(async () => {
      database = await createTestDatabase();
    });
    afterEach(() => database.drop());

    async function migrate(args: readonly string[], variables: Record<string, string> = {}): Promise<string> {
      const said = mock.method(console, "log", () => undefined);
      try {
        await migrateCommand.run(args, { DATA_DIR: variables["DATA_DIR"], variables });
        return said.mock.calls.map(({ arguments: [line] }) => String(line)).join("\n");
      } finally {
        said.mock.restore();
      }
    }

    it("are not created beside a database that another one sealed, and are for an empty one", async () => {
      await mkdir(data);
      const env = { DATABASE_URL: database.url };
      const empty = await readFingerprint(context(env).config, secretChecks.shop);
      assert.equal(empty, undefined);
      const collections = serviceCollections["shop"] ?? [];
      const store = await openPostgresStore({ url: database.url, name: "shop", collections });
      await assertSecret(store, createSecretBox(secretOf("shop")), secretChecks.shop);
      await store.close();
      await assert.rejects(loadServiceSecret(context(env), "shop"), /shop-secret\.json", is missing/u);
      assert.deepEqual(await files(), []);
      await loadServiceSecret(context(env), "auth");
      assert.deepEqual(await files(), ["auth-secret.json"]);
    });

    it("follow the records there and back, and the start takes them", async () => {
      await fill();
      const there = await migrate(["--from", data, "--to", database.url]);
      assert.match(
        there,
        /the same DATA_DIR: recent reports and the secrets \(\*-secret\.json\) stay there/u,
      );
      const back = join(folder, "back");
      const said = await migrate(["--from", database.url, "--to", back], { DATA_DIR: data });
      for (const service of services) {
        assert.match(said, new RegExp(`^${service}: copied ${service}-secret\\.json from "${data}"`, "mu"));
        assert.equal(await loadServiceSecret(context({}, back), service), secretOf(service));
      }
      const again = await migrate(["--from", database.url, "--to", back, "--secrets", data]);
      assert.match(again, /^auth: auth-secret\.json is already in the folder$/mu);
    });

    it("are required when no folder has them, and never overwritten", async () => {
      await fill();
      await migrate(["--from", data, "--to", database.url]);
      const back = join(folder, "back");
      const elsewhere = join(folder, "elsewhere");
      await mkdir(back);
      await mkdir(elsewhere);
      const other = JSON.stringify({ secret: "a secret of some other records, which is long" });
      await writeFile(join(back, "shop-secret.json"), other);
      await writeFile(join(elsewhere, "auth-secret.json"), other);
      const said = await migrate(["--from", database.url, "--to", back], {
        DATA_DIR: elsewhere,
        MONITOR_SECRET: secretOf("monitor"),
      });
      assert.match(said, /^monitor: set MONITOR_SECRET to the current value when you start the service$/mu);
      assert.match(said, /^auth: auth-secret\.json was not found \(use --secrets\)/mu);
      assert.match(said, /^shop: shop-secret\.json in the folder belongs to other records/mu);
      assert.deepEqual(await files(back), ["shop-secret.json"]);
      assert.equal(await readFile(join(back, "shop-secret.json"), "utf8"), other);
    });
  });
});
