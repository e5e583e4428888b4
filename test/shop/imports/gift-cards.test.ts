/** Gift cards that another shop sold: their holders pay with them here, and the books say what was taken over. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { giftCards } from "../../../src/shop/gift-cards/records.ts";
import { checkCards, sumCards } from "../../../src/shop/gift-cards/report.ts";
import { importFaults, importItems, imports } from "../../../src/shop/imports/records.ts";
import { code, read } from "../app-fixture.ts";
import { addProduct, liftLimits } from "../goods.ts";
import { PATH, type ImportRoom, createRoom, listFaults, readSample } from "./import-room.ts";

const kind = "giftCards";

async function listCards({ shop }: ImportRoom) {
  const { items } = await shop.store.read((tx) => tx.list(giftCards, "byCreated", { limit: 20 }));
  return items;
}

async function assertBooks({ shop }: ImportRoom, closing: number): Promise<void> {
  assert.deepEqual((await checkCards(shop.store)).faults, []);
  const [sums] = await sumCards(shop.store, { fromMs: 0, toMs: shop.clock.now() + 1 });
  assert.equal(sums?.closing ?? 0, closing);
}

describe("an import of gift cards", () => {
  it("takes over what is left on a card, which pays here; disabled ones do not", async () => {
    const room = await createRoom();
    const { shop } = room;
    await liftLimits(shop);
    const done = await room.take(await readSample("matrixify-gift-cards.csv"), { kind });
    assert.deepEqual(
      [done.source, done.counts.created, done.counts.skipped, done.counts.failed],
      ["shopify", 2, 1, 2],
    );
    assert.deepEqual(
      (await listFaults(room, done.id, "run")).map(({ title, text }) => [title, text?.key]),
      [
        ["••••IGN1", "import.amount.foreign"],
        ["••••8F3K", "import.giftCard.hidden"],
      ],
    );
    const cards = await listCards(room);
    const [first, second] = ["MPXA", "3K2N"].map((end) => cards.find(({ lastFour }) => lastFour === end));
    assert.deepEqual(
      [first?.balance, first?.initial, first?.source, first?.recipientEmail, first?.note, first?.sealed],
      [2_000, 2_000, "import", "ann@example.org", "Christmas", undefined],
    );
    // Until the end of that day.
    assert.equal(new Date(first?.expiresAt ?? 0).toISOString(), "2031-01-01T00:00:00.000Z");
    assert.equal(second?.disabledReason, "staff");
    await assertBooks(room, 4_500);
    const mug = await addProduct(shop, { price: 1_500, onHand: 9 });
    const order = (card: string): Promise<Response> =>
      shop.send("POST", "/api/checkout", {
        body: {
          items: [{ productId: mug.id, quantity: 1 }],
          contact: { email: "ann@example.org" },
          giftCardCodes: [card],
        },
      });
    const paid = await read<{ order: { status: string } }>(await order("gift-7kq4 mpxa"), 201);
    assert.equal(paid.order.status, "paid");
    assert.deepEqual(await code(await order("GIFT2C8F3K2N")), [422, "gift_card_invalid"]);
    await assertBooks(room, 3_000);
    // What is not encrypted has no code.
    const plain = await shop.store.read(async (tx) =>
      JSON.stringify([
        await tx.list(imports, "byCreated", { limit: 10 }),
        await tx.list(importItems, "byImport", { limit: 50 }),
        await tx.list(importFaults, "byPhase", { limit: 50 }),
        await tx.list(giftCards, "byCreated", { limit: 50 }),
      ]),
    );
    assert.doesNotMatch(plain, /GIFT7KQ4|GIFT2C8F/u);
  });

  it("of plugins of WooCommerce reads amounts and dates as people write them, and refuses codes that can be guessed", async () => {
    const room = await createRoom();
    const done = await room.take(await readSample("woocommerce-gift-cards.csv"), { kind });
    assert.deepEqual([done.source, done.counts.created, done.counts.failed], ["woocommerce", 1, 2]);
    assert.deepEqual(
      (await listFaults(room, done.id)).map(({ line, text }) => [line, text?.key]),
      [
        [3, "import.leastLong"],
        [4, "import.giftCard.twin"],
      ],
    );
    const [card] = await listCards(room);
    assert.deepEqual([card?.balance, card?.recipientEmail], [123_450, "ben@example.org"]);
  });

  it("of Shopify's own export says where the codes are, because it has their ends only", async () => {
    const room = await createRoom();
    const done = await room.check(await readSample("shopify-gift-cards.csv"), { kind });
    assert.deepEqual([done.source, done.trial.created, done.trial.failed], ["shopify", 0, 1]);
    const [fault] = await listFaults(room, done.id);
    assert.deepEqual([fault?.column, fault?.text?.key], ["Last Characters", "import.giftCard.hidden"]);
  });

  it("is no second card when repeated, and goes with an undo unless someone paid with it", async () => {
    const room = await createRoom();
    const file = "code,balance\nGIFTAAAA1111,10.00\nGIFTBBBB2222,10.00\n";
    const done = await room.take(file, { kind });
    const again = await room.take(file, { kind });
    assert.deepEqual([again.counts.created, again.counts.skipped], [0, 2]);
    const [used] = await listCards(room);
    const path = `/api/admin/gift-cards/${used?.id}/adjust`;
    await read(await room.shop.admin("POST", path, { amount: -400, reason: "phone order" }));
    await room.move(done.id, "undo");
    await room.run();
    const undone = await room.get(done.id);
    assert.deepEqual([undone.undone, undone.kept], [1, 1]);
    assert.equal((await listCards(room)).length, 1);
    await assertBooks(room, 600);
  });

  it("needs the right to change orders, and is left out of the list without the right to see them", async () => {
    const room = await createRoom();
    const made = await read<{ key: string }>(
      await room.shop.admin("POST", "/api/admin/api-keys", { name: "goods", scopes: ["products:write"] }),
      201,
    );
    const send = (method: string, path: string, body?: object): Promise<Response> =>
      room.shop.fetch(path, {
        method,
        headers: { authorization: `Bearer ${made.key}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const body = { kind, fileName: "cards.csv", sizeBytes: 10 };
    assert.equal((await send("POST", PATH, body)).status, 403);
    await room.check("code,balance\nGIFTAAAA1111,10.00\n", { kind });
    assert.deepEqual(await read(await send("GET", PATH)), { items: [] });
  });
});

describe("an export of gift cards", () => {
  it("has all balances, without codes", async () => {
    const room = await createRoom();
    await room.take(await readSample("matrixify-gift-cards.csv"), { kind });
    const answer = await room.shop.admin("GET", "/api/admin/gift-cards/balances?separator=semicolon");
    assert.equal(answer.status, 200);
    const [head = "", ...rows] = (await answer.text()).replace("\uFEFF", "").trim().split(/\r?\n/u);
    assert.match(head, /^code;balance;initial;currency;state/u);
    assert.equal(rows.length, 2);
    assert.ok(
      rows.some((row) => row.startsWith("••••MPXA;20,00;20,00;EUR;active;2031-01-01")),
      rows.join("\n"),
    );
    const disabled = await room.shop.admin("GET", "/api/admin/gift-cards/balances?state=disabled");
    assert.match(await disabled.text(), /3K2N/u);
  });
});
