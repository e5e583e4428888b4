/** The check of a whole data folder: every member of what can be wrong with one is found, and nothing is changed. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { z } from "zod";
import { nodeFileLayer } from "../../src/kit/files/file-layer.ts";
import { hashBytes } from "../../src/kit/secrets/hash-bytes.ts";
import { createSecretBox } from "../../src/kit/secrets/secret-box.ts";
import { auditCollection } from "../../src/records/audit-chain.ts";
import { withAuditKey } from "../../src/records/audit-key.ts";
import { writeAudit } from "../../src/records/audit.ts";
import { assertSecret } from "../../src/records/secret-check.ts";
import { createBackup } from "../../src/service/backup/backup.ts";
import { checkFolder } from "../../src/service/check/folder-check.ts";
import { createBlobFolder } from "../../src/shop/images/blob-folder.ts";
import { invoiceCounters, invoices } from "../../src/shop/invoices/collections.ts";
import { categories } from "../../src/shop/categories/records.ts";
import { settings } from "../../src/shop/site/records.ts";
import { shopCollections, shopSecretCheck } from "../../src/shop/app/records.ts";
import { stock } from "../../src/shop/products/records.ts";
import { openJournalStore } from "../../src/store/journal/journal-store.ts";
import { type Collection, type Store, defineCollection } from "../../src/store/store.ts";
import { createFixedClock } from "../support/fixed-clock.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const SECRET = "key_of-the-test-of-checks-0123456789abcdef";

let home: string;
let data: string;
let pictureHash = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "trivet-checks-"));
  data = join(home, "data");
  const store = await open();
  const blobs = createBlobFolder(nodeFileLayer, join(data, "shop", "blobs"));
  const bytes = new TextEncoder().encode("a picture");
  pictureHash = await hashBytes(bytes);
  await blobs.put(pictureHash, bytes);
  await store.transact(async (tx) => {
    const image = {
      hash: pictureHash,
      mediaType: "image/png",
      width: 1,
      height: 1,
      bytes: 9,
      alt: "",
    } as const;
    const shown = {
      title: "One",
      description: "",
      translations: {},
      sortOrder: 0,
      status: "published",
    } as const;
    await tx.insert(categories, { id: "one", ...shown, image, createdAt: NOW, updatedAt: NOW });
    await tx.insert(stock, { id: "prd_1", productId: "prd_1", onHand: 5, reserved: 0, sold: 0 });
  });
  const audited = withAuditKey(store, createSecretBox(SECRET));
  for (const target of ["a", "b", "c"]) {
    const entry = { actor: { name: "me", requestId: "" }, action: "product.change", target };
    await audited.transact((tx) => writeAudit(tx, entry, createFixedClock()));
  }
  await assertSecret(store, createSecretBox(SECRET), shopSecretCheck);
  await store.close();
  await writeFile(join(data, "shop-secret.json"), JSON.stringify({ secret: SECRET }));
});
afterEach(() => rm(home, { recursive: true }));

function open(collections: readonly Collection[] = shopCollections): Promise<Store> {
  return openJournalStore({ folder: join(data, "shop"), name: "shop", collections });
}

/** The same collection, which takes anything: as a program with a bug, or a hand, would write it. */
function loose({
  name,
  revision,
}: Collection): Collection<{ id: string; version: number; [field: string]: unknown }> {
  return defineCollection({
    name,
    revision,
    schema: z.looseObject({ id: z.string(), version: z.number() }),
  });
}

/** Changes a record past its schema. */
async function change(collection: Collection, id: string, fields: object): Promise<void> {
  const any = loose(collection);
  const store = await open(shopCollections.map((one) => (one.name === collection.name ? any : one)));
  await store.transact(async (tx) => {
    const record = await tx.get(any, id);
    if (record === undefined) await tx.insert(any, { id, ...fields });
    else await tx.put(any, { ...record, ...fields });
  });
  await store.close();
}

/** Every file with its bytes. */
async function readTree(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const name of (await readdir(data, { recursive: true })).sort())
    if ((await stat(join(data, name))).isFile()) files.set(name, await readFile(join(data, name), "latin1"));
  return files;
}

const check = async (folder = data): Promise<string[]> =>
  (await checkFolder(folder, {})).findings.map(({ level, where, problem }) => `${level} ${where} ${problem}`);

const flip = async (path: string): Promise<void> => {
  const bytes = await readFile(path);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  await writeFile(path, bytes);
};

const picturePath = (): string => join(data, "shop", "blobs", pictureHash.slice(0, 2), pictureHash);

describe("checkFolder", () => {
  it("finds nothing in a sound folder, a running one and a backup, and changes nothing", async () => {
    const before = await readTree();
    const { findings, checked } = await checkFolder(data, {});
    assert.deepEqual(findings, []);
    assert.deepEqual(
      checked.map(({ what }) => what),
      [
        "images and parts of files",
        "records of the shop",
        "audit entries of the shop",
        "orders with verified books",
        "references to images and parts of files",
      ],
    );
    assert.deepEqual(await readTree(), before);
    const store = await open();
    assert.deepEqual(await check(), []);
    await store.close();
    await createBackup({ data, to: join(home, "backup"), now: NOW, withKeys: true });
    assert.deepEqual(await check(join(home, "backup")), []);
    await assert.rejects(
      check(join(home, "nothing")),
      /does not contain data\. Specify the data folder or a backup/u,
    );
  });

  const damages: readonly [name: string, damage: () => Promise<unknown>, found: RegExp][] = [
    ["a bit of the snapshot", () => flip(join(data, "shop", "shop.json")), /^error .*shop\.json/u],
    [
      "a snapshot that is gone",
      () => rm(join(data, "shop", "shop.json")),
      /^error .*is missing, but there is a journal/u,
    ],
    ["a journal that is gone", async () => rm(await findJournal()), /^error .*\.journal" is missing/u],
    [
      "a bit of the index",
      () => flip(join(data, "shop", "shop.000002.index")),
      /^warning .*index is incomplete/u,
    ],
    ["a bit of a picture", () => flip(picturePath()), /^error .*does not match the checksum in its name/u],
    ["a picture that is gone", () => rm(picturePath()), /^error .*category "one" refers to it/u],
    [
      "a bit of the secret",
      () => flip(join(data, "shop-secret.json")),
      /^error .*shop-secret\.json is not the secret that sealed the records/u,
    ],
    [
      "a bit of the secret of records without a fingerprint",
      async () => {
        await change(settings, "secret", { fields: {} });
        await flip(join(data, "shop-secret.json"));
      },
      /^error shop the chain of the audit/u,
    ],
    [
      "a secret that is gone",
      () => rm(join(data, "shop-secret.json")),
      /^warning shop the audit log could not be verified/u,
    ],
    [
      "an entry of the audit",
      () => change(auditCollection, "aud_000000000002", { target: "z" }),
      /audit log is broken at/u,
    ],
    [
      "units that nobody ordered",
      () => change(stock, "prd_1", { reserved: 2 }),
      /says 2 reserved, open orders reserve 0/u,
    ],
    ["a rule", () => change(stock, "prd_1", { reserved: 9 }), /breaks the rule "neverOversold"/u],
    [
      "a record that no schema takes",
      () => change(categories, "one", { title: 5 }),
      /record "one" of "categories" is invalid at "title"/u,
    ],
    ["a counter of invoices", addInvoices, /numbers 1 to 3 of "invoice:2026" lack 1/u],
    [
      "the administrator token",
      () => writeFile(join(data, "admin-token.json"), "{}"),
      /admin-token\.json has invalid content/u,
    ],
  ];
  for (const [name, damage, found] of damages)
    it(`finds what is wrong with ${name}`, async () => {
      await damage();
      const findings = await check();
      assert.ok(
        findings.some((finding) => found.test(finding)),
        findings.join("\n"),
      );
    });

  it("finds a file of a backup that is not what was backed up", async () => {
    const backup = join(home, "backup");
    await createBackup({ data, to: backup, now: NOW, withKeys: true });
    await flip(join(backup, "shop-secret.json"));
    assert.match((await check(backup)).join(), /differs from the checksum in the backup/u);
  });
});

async function findJournal(): Promise<string> {
  const names = await readdir(join(data, "shop"));
  return join(data, "shop", names.find((name) => name.endsWith(".journal")) ?? "");
}

async function addInvoices(): Promise<void> {
  for (const sequence of [1, 3])
    await change(invoices, `inv_${sequence}`, { series: "invoice:2026", sequence, number: `R${sequence}` });
  await change(invoiceCounters, "invoice:2026", { last: 3 });
}
