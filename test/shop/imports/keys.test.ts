/** License keys that other shops sold: programs find them, buyers find them, and they leave again. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { importFaults, importItems, imports } from "../../../src/shop/imports/records.ts";
import { licenses } from "../../../src/shop/licence-keys/records.ts";
import { secrets } from "../../../src/shop/products/records.ts";
import { checkStock } from "../../../src/shop/operation/records-check.ts";
import { type ImportRoom, createRoom, listFaults, readSample } from "./import-room.ts";

const kind = "keys";
const ANNS = "AAAAAAAA-11111111-BBBBBBBB-22222222";

async function ask({ shop }: ImportRoom, action: string, body: object): Promise<Record<string, unknown>> {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  return (await (await shop.fetch(`/v1/licenses/${action}`, init)).json()) as Record<string, unknown>;
}

async function createProducts(room: ImportRoom): Promise<void> {
  const done = await room.take(
    "Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant SKU\npixel,Pixel Studio,Edition,Basic,19,PX-B\npixel,,,Pro,29,PX-P\n",
  );
  assert.equal(done.counts.created, 1);
}

describe("an import of license keys", () => {
  it("of Gumroad's sales: with variant and buyer; refunded and disputed ones are disabled", async () => {
    const room = await createRoom();
    await createProducts(room);
    const done = await room.take(await readSample("gumroad-sales.csv"), { kind });
    assert.deepEqual(
      [done.source, done.counts.created, done.counts.failed, done.counts.noted],
      ["gumroad", 3, 1, 1],
    );
    const { items } = await room.shop.store.read((tx) => tx.list(licenses, "byTime", { limit: 10 }));
    assert.deepEqual(
      items.map(({ holderEmail, disabledAt, expiresAt }) => [
        holderEmail,
        disabledAt !== undefined,
        expiresAt,
      ]),
      [
        ["ann@example.org", false, undefined],
        ["bob@example.org", true, undefined],
        ["cat@example.org", true, Date.parse("2025-01-01T00:00:00Z")],
      ],
    );
    const valid = await ask(room, "validate", { license_key: ANNS });
    assert.deepEqual([valid["valid"], JSON.stringify(valid["meta"]).includes("Pro")], [true, true]);
    assert.equal(
      (await ask(room, "activate", { license_key: ANNS, instance_name: "Mac" }))["activated"],
      true,
    );
    assert.deepEqual(
      (await listFaults(room, done.id, "run")).map(({ title, level, text }) => [title, level, text?.key]),
      [
        ["••••2222", "note", "import.key.activations"],
        ["••••5555", "error", "import.key.product"],
      ],
    );
    // Delivered keys are those of orders, or of none.
    assert.deepEqual(await checkStock(room.shop.store), []);
    // What is not encrypted names no key.
    const plain = await room.shop.store.read(async (tx) =>
      JSON.stringify([
        await tx.list(imports, "byCreated", { limit: 10 }),
        await tx.list(importItems, "byImport", { limit: 50 }),
        await tx.list(importFaults, "byPhase", { limit: 50 }),
      ]),
    );
    assert.doesNotMatch(plain, /BBBBBBBB/u);
  });

  it("of Lemon Squeezy keeps limits, expiry, and status; again, it skips what is there", async () => {
    const room = await createRoom();
    await createProducts(room);
    const file = await readSample("lemonsqueezy-license-keys.csv");
    const done = await room.take(file, { kind });
    assert.deepEqual([done.source, done.counts.created, done.counts.failed], ["lemonsqueezy", 3, 0]);
    const states: unknown[] = [];
    for (const end of ["abe", "abf", "ac0"]) {
      const answer = await ask(room, "validate", { license_key: `80e15db5-c796-436b-850c-8f9c98a48${end}` });
      const { status, activation_limit: limit } = answer["license_key"] as Record<string, unknown>;
      states.push([answer["valid"], status, limit]);
    }
    assert.deepEqual(states, [
      [true, "inactive", 5],
      [false, "disabled", null],
      [false, "expired", 1],
    ]);
    const again = await room.take(file, { kind });
    assert.deepEqual([again.counts.created, again.counts.skipped], [0, 3]);
  });

  it("shows keys to who signed in with the verified address that bought them, and to no one else", async () => {
    const room = await createRoom();
    await createProducts(room);
    await room.take(await readSample("gumroad-sales.csv"), { kind });
    const { listHolderKeys } = room.shop.shop;
    assert.deepEqual(
      (await listHolderKeys(["Ann@example.org"])).map(({ title, value, status }) => [title, value, status]),
      [["Pixel Studio", ANNS, "inactive"]],
    );
    assert.equal((await listHolderKeys(["bob@example.org"]))[0]?.status, "disabled");
    assert.deepEqual(await listHolderKeys(["ann+1@example.org", "other@example.org"]), []);
  });

  it("is undone, but for keys that a program activated since", async () => {
    const room = await createRoom();
    await createProducts(room);
    const done = await room.take(
      "Key;Product;Email\nK-1111-1111;PX-P;a@example.org\nK-2222-2222;Pixel Studio;b@example.org\n",
      {
        kind,
      },
    );
    assert.equal(done.counts.created, 2);
    await ask(room, "activate", { license_key: "K-1111-1111", instance_name: "PC" });
    await room.move(done.id, "undo");
    await room.run();
    const undone = await room.get(done.id);
    assert.deepEqual([undone.state, undone.undone, undone.kept], ["undone", 1, 1]);
    assert.equal((await ask(room, "validate", { license_key: "K-1111-1111" }))["valid"], true);
    assert.equal((await ask(room, "validate", { license_key: "K-2222-2222" }))["valid"], false);
    assert.equal(await room.shop.store.read((tx) => tx.count(secrets)), 1);
  });

  it("names what is wrong by row, and asks for unsold keys elsewhere", async () => {
    const room = await createRoom();
    await createProducts(room);
    const csv =
      "Key;Product;Email;Status;Activation limit;Expires\n" +
      "K-1111-1111;pixel;a@example.org;;many;\nK-1111-1111;pixel;a@example.org;;;\n;pixel;a@example.org;;;\n" +
      "K-2222-2222;;a@example.org;;;\nK-3333-3333;pixel;nobody;;;\nK-4444-4444;pixel;;available;;\nK-5555-5555;pixel;a@example.org;;;soon\n";
    const trial = await room.check(csv, { kind });
    assert.deepEqual([trial.trial.created, trial.trial.failed], [0, 7]);
    assert.deepEqual(
      (await listFaults(room, trial.id)).toSorted((a, b) => a.line - b.line).map(({ text }) => text?.key),
      [
        "import.count",
        "import.key.twin",
        "import.required",
        "import.required",
        "import.customer.email",
        "import.key.unsold",
        "import.coupon.date",
      ],
    );
  });
});
