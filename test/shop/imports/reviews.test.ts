/** Reviews that another shop collected: shown as imported, never as verified, and with their writers' data. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ratings, reviews } from "../../../src/shop/reviews/records.ts";
import { read } from "../app-fixture.ts";
import { addProduct, liftLimits, order, sendNotice, setProvider, toNotice } from "../goods.ts";
import { type ImportRoom, createRoom, listFaults, readSample } from "./import-room.ts";

const kind = "reviews";

async function openRoom(): Promise<ImportRoom & { productId: string }> {
  const room = await createRoom();
  await liftLimits(room.shop);
  await setProvider(room.shop);
  await room.shop.setSite({
    reviews: { isOn: true, moderation: "before", invite: false, inviteDays: 7 },
  });
  const goods = { title: "Red mug", slug: "red-mug", sku: "MUG-1", keys: ["A", "B"] };
  const { id: productId } = await addProduct(room.shop, goods);
  return { ...room, productId };
}

async function list({ shop }: ImportRoom) {
  return (await shop.store.read((tx) => tx.list(reviews, "byCreated", { limit: 20 }))).items;
}

const page = async ({ shop }: ImportRoom): Promise<string> =>
  (await shop.raw("/p/red-mug", { headers: { accept: "text/html", "accept-language": "en" } })).text();

describe("an import of reviews", () => {
  it("of Judge.me keeps stars, texts, dates, and replies, and says that no purchase was verified", async () => {
    const room = await openRoom();
    const done = await room.take(await readSample("judgeme-reviews.csv"), { kind });
    assert.deepEqual(
      [done.source, done.counts.created, done.counts.failed, done.counts.noted],
      ["shopify", 3, 2, 1],
    );
    assert.deepEqual(
      (await listFaults(room, done.id, "run")).map(({ level, text }) => [level, text?.key]),
      [
        ["note", "import.review.pictures"],
        ["error", "import.key.product"],
        ["error", "import.review.stars"],
      ],
    );
    const [warm, fine, spam] = await list(room);
    assert.deepEqual(
      [warm?.stars, warm?.title, warm?.text, warm?.author, warm?.answer, warm?.state, warm?.isImported],
      [5, "Warm", "Keeps tea warm.\nTwo hours at least.", "Ann E.", "Thank you!", "published", true],
    );
    assert.equal(warm?.createdAt, Date.parse("2025-03-02T10:11:12Z"));
    assert.equal(warm?.answeredAt, Date.parse("2025-03-03T08:00:00Z"));
    assert.deepEqual([fine?.text, spam?.state], ["Fine & light", "rejected"]);
    const rating = await room.shop.store.read((tx) => tx.get(ratings, room.productId));
    assert.deepEqual([rating?.count, rating?.stars], [2, 9]);
    const shown = await page(room);
    assert.match(shown, /Ann E\., from our former shop; purchase not verified here/u);
    assert.doesNotMatch(shown, /verified buyer/u);
    assert.doesNotMatch(shown, /ann@example\.org|my shop/u);
    const { items } = await read<{ items: { isImported?: boolean }[] }>(
      await room.shop.send("GET", "/api/products/red-mug/reviews"),
    );
    assert.deepEqual(
      items.map(({ isImported }) => isImported),
      [true, true],
    );
    // The store has no address.
    assert.doesNotMatch(JSON.stringify(await list(room)), /@/u);
  });

  it("of WooCommerce finds products by SKU; what was not approved there waits here", async () => {
    const room = await openRoom();
    const done = await room.take(await readSample("woocommerce-reviews.csv"), { kind });
    assert.deepEqual([done.source, done.counts.created], ["woocommerce", 2]);
    assert.deepEqual(
      (await list(room)).map(({ author, state }) => [author, state]),
      [
        ["Dora", "published"],
        ["Emil", "pending"],
      ],
    );
  });

  it("can wait for approval, is none when repeated, and goes with an undo unless it was decided since", async () => {
    const room = await openRoom();
    const file = await readSample("judgeme-reviews.csv");
    const { id } = await room.check(file, { kind, status: "draft" });
    await room.move(id, "start");
    await room.run();
    assert.ok((await list(room)).every(({ state }) => state === "pending"));
    const again = await room.take(file, { kind });
    assert.deepEqual([again.counts.created, again.counts.skipped], [0, 3]);
    const [first] = await list(room);
    await read(await room.shop.admin("PATCH", `/api/admin/reviews/${first?.id}`, { state: "published" }));
    await room.move(id, "undo");
    await room.run();
    const undone = await room.get(id);
    assert.deepEqual([undone.undone, undone.kept], [2, 1]);
    const rating = await room.shop.store.read((tx) => tx.get(ratings, room.productId));
    assert.deepEqual([rating?.count, rating?.stars], [1, 5]);
  });

  it("belongs to its writer: who buys here edits it, and it is verified then; it goes with their data", async () => {
    const room = await openRoom();
    await room.take(await readSample("judgeme-reviews.csv"), { kind });
    const { shop, productId } = room;
    const placed = await order(shop, [{ productId, quantity: 1 }], { email: "ann@example.org" });
    await sendNotice(shop, toNotice(placed.order));
    const sent = await shop.send("POST", `/api/orders/${placed.order.id}/reviews`, {
      body: { productId, stars: 3, text: "The handle broke", author: "Ann" },
      headers: { "x-order-token": placed.orderToken },
    });
    assert.equal(sent.status, 200);
    const own = (await list(room)).find(({ author }) => author === "Ann");
    assert.deepEqual([own?.isImported, own?.orderId, own?.stars], [undefined, placed.order.id, 3]);
    assert.equal((await list(room)).length, 3);
    const { items } = await read<{ items: { id: string }[] }>(
      await shop.admin("GET", "/api/admin/customers"),
    );
    const path = `/api/admin/customers/${items[0]?.id}`;
    assert.ok((await shop.admin("POST", `${path}/anonymise`, {})).status < 300);
    assert.equal((await list(room)).length, 2);
  });
});

describe("an export of reviews", () => {
  it("has the columns that an import reads: nothing is lost on the way", async () => {
    const room = await openRoom();
    await room.take(await readSample("judgeme-reviews.csv"), { kind });
    const text = await (await room.shop.admin("GET", "/api/admin/reviews/export")).text();
    assert.doesNotMatch(text, /@/u);
    const other = await openRoom();
    const done = await other.take(text, { kind });
    assert.deepEqual([done.counts.created, done.counts.failed], [3, 0]);
    const words = async (from: ImportRoom): Promise<unknown> =>
      (await list(from)).map(({ stars, title, text: body, author, answer, state, createdAt }) => [
        stars,
        title,
        body,
        author,
        answer,
        state,
        createdAt,
      ]);
    assert.deepEqual(await words(other), await words(room));
  });
});
