/** An import from another shop: trial, run with pictures, stop, undo. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type {
  ImportFaultView,
  ImportItemView,
  ImportPictureView,
} from "../../../src/shop/imports/answer-schema.ts";
import { stock } from "../../../src/shop/products/records.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { code, read } from "../app-fixture.ts";
import { PATH, createPictureServer, createRoom, readSample, type ImportRoom } from "./import-room.ts";

interface Product {
  id: string;
  slug: string;
  title: string;
  status: string;
  description: string;
  price: number;
  compareAtPrice?: number;
  categoryId?: string;
  tags: string[];
  stock: { mode: string };
  deliveryType: string;
  taxClass: string;
  weightGrams?: number;
  version: number;
  images: { alt: string; width: number; hash: string }[];
  variants: {
    id: string;
    sku: string;
    options: Record<string, string>;
    price: number;
    weightGrams?: number;
    imageHash?: string;
    stock?: { onHand: number };
  }[];
}

async function products({ shop }: ImportRoom): Promise<Product[]> {
  const { items } = await read<{ items: { id: string }[] }>(
    await shop.admin("GET", "/api/admin/products?limit=200"),
  );
  const all: Product[] = [];
  for (const { id } of items) all.push(await read(await shop.admin("GET", `/api/admin/products/${id}`)));
  return all.toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
}

async function faults({ shop }: ImportRoom, id: string, phase = "trial"): Promise<ImportFaultView[]> {
  const { items } = await read<{ items: ImportFaultView[] }>(
    await shop.admin("GET", `${PATH}/${id}/faults?phase=${phase}`),
  );
  return items;
}

describe("an import of Shopify's products", () => {
  it("is tried first, and stores nothing", async () => {
    const room = await createRoom();
    const trial = await room.check(await readSample("shopify-products.csv"));
    assert.deepEqual(
      [
        trial.state,
        trial.source,
        trial.separator,
        trial.trial.rows,
        trial.trial.created,
        trial.trial.failed,
        trial.trial.pictures,
      ],
      ["checked", "shopify", ",", 9, 3, 0, 4],
    );
    assert.deepEqual(trial.preview[0], {
      line: 2,
      title: "Linen shirt",
      price: "34.50 → 34.50 EUR",
      variants: 6,
      pictures: 3,
      outcome: "create",
    });
    assert.equal(trial.columns.find(({ header }) => header === "Variant Price")?.field, "price");
    assert.deepEqual(await products(room), []);
  });

  it("brings variants, stock, weights, categories, pictures in their order, and redirects", async () => {
    const server = createPictureServer();
    const room = await createRoom({ pictureOutbound: server.outbound });
    const done = await room.take(await readSample("shopify-products.csv"));
    assert.deepEqual(
      [done.state, done.counts.created, done.counts.picturesDone, done.counts.picturesFailed],
      ["done", 3, 4, 0],
    );
    const [mug, wrapping, shirt] = await products(room);
    assert.ok(mug && wrapping && shirt);
    assert.deepEqual(
      [shirt.status, shirt.price, shirt.compareAtPrice, shirt.tags, shirt.deliveryType, shirt.stock.mode],
      ["published", 3_450, undefined, ["linen", "summer"], "shipping", "tracked"],
    );
    assert.equal(shirt.description, "Woven in **Porto**.\n\n- Machine wash\n- Do not bleach");
    assert.deepEqual(
      shirt.images.map(({ alt }) => alt),
      ["Sand-colored shirt", "Olive shirt", "Button, close"],
    );
    assert.equal(shirt.variants.length, 6);
    assert.deepEqual(shirt.variants[4]?.options, { Color: "Olive", Size: "M" });
    assert.equal(shirt.variants[4]?.imageHash, shirt.images[1]?.hash);
    assert.equal(shirt.variants[0]?.weightGrams, 181);
    assert.ok(shirt.variants.every((variant) => variant.stock?.onHand === 7));
    assert.equal(shirt.categoryId, "shirts");
    assert.deepEqual([mug.status, mug.compareAtPrice, mug.weightGrams], ["draft", undefined, 227]);
    assert.deepEqual(
      [wrapping.stock.mode, wrapping.deliveryType, wrapping.taxClass],
      ["unlimited", "manual", "zero"],
    );
    const old = await room.shop.raw("/products/linen-shirt", { headers: { accept: "text/html" } });
    assert.deepEqual([old.status, old.headers.get("location")], [301, "/p/linen-shirt"]);
    // Twice the same file changes what is there, and makes nothing twice.
    const again = await room.take(await readSample("shopify-products.csv"));
    assert.deepEqual([again.counts.created, again.counts.changed], [0, 3]);
    const after = await products(room);
    assert.deepEqual(
      after.map(({ id }) => id),
      [mug.id, wrapping.id, shirt.id],
    );
    assert.deepEqual(
      after[2]?.variants.map(({ id }) => id),
      shirt.variants.map(({ id }) => id),
    );
    assert.equal(after[2]?.images.length, 3);
  });

  it("is undone: what it created goes, what it changed is as before, what orders use is archived", async () => {
    const room = await createRoom();
    const { shop } = room;
    const mug = { slug: "enamel-mug", title: "My own mug", price: 900, onHand: 4, status: "published" };
    await read(await shop.admin("POST", "/api/admin/products", mug), 201);
    const [before] = await products(room);
    const done = await room.take(await readSample("shopify-products.csv"));
    assert.deepEqual([done.counts.created, done.counts.changed], [2, 1]);
    const all = await products(room);
    assert.equal(all[0]?.title, "Enamel mug");
    const shirt = all[2];
    // A unit that an unpaid order reserved.
    const unit = shirt?.variants[0]?.id ?? "";
    await shop.store.transact((tx) => tx.adjust(stock, unit, { field: "reserved", by: 1 }));
    await room.move(done.id, "undo");
    await room.run();
    const undone = await room.get(done.id);
    assert.deepEqual([undone.state, undone.undone, undone.kept], ["undone", 2, 1]);
    const left = await products(room);
    assert.deepEqual(
      left.map(({ slug, status }) => [slug, status]),
      [
        ["enamel-mug", "published"],
        ["linen-shirt", "archived"],
      ],
    );
    assert.deepEqual({ ...left[0], version: 0, updatedAt: 0 }, { ...before, version: 0, updatedAt: 0 });
    const kept = await read<{ items: ImportItemView[] }>(
      await shop.admin("GET", `${PATH}/${done.id}/items?undo=archived`),
    );
    assert.equal(kept.items[0]?.title, "Linen shirt");
    assert.match(kept.items[0]?.reason ?? "", /reserved by unpaid orders|was sold/u);
    const gone = await shop.raw("/products/gift-wrapping", { headers: { accept: "text/html" } });
    assert.equal(gone.status, 404);
  });

  it("keeps what someone changed after the import", async () => {
    const room = await createRoom();
    const mug = { slug: "enamel-mug", title: "My own mug", price: 900, onHand: 4 };
    const { id: mugId } = await read<Product>(await room.shop.admin("POST", "/api/admin/products", mug), 201);
    const done = await room.take(await readSample("shopify-products.csv"));
    await read(await room.shop.admin("PATCH", `/api/admin/products/${mugId}`, { title: "A better title" }));
    await room.move(done.id, "undo");
    await room.run();
    const [left] = await products(room);
    assert.equal(left?.title, "A better title");
    assert.equal((await room.get(done.id)).kept, 1);
  });
});

describe("pictures of an import", () => {
  const failing = "https://cdn.example.com/files/mug.png";

  it("are tried three times where the server is busy, named where they fail, and tried again by hand", async () => {
    const clock = createFixedClock();
    const answers: Record<string, { kind: "answered"; status: number; text: string }> = {
      [failing]: { kind: "answered", status: 503, text: "" },
    };
    const server = createPictureServer(answers);
    const room = await createRoom({ pictureOutbound: server.outbound, clock });
    const { id } = await room.take(await readSample("shopify-products.csv"));
    assert.deepEqual([(await room.get(id)).state, (await room.get(id)).counts.picturesDone], ["running", 3]);
    for (const ms of [5_000, 60_000]) {
      clock.advance(ms);
      await room.run();
    }
    const done = await room.get(id);
    assert.deepEqual([done.state, done.counts.picturesFailed], ["done", 1]);
    assert.equal(server.sent.filter((url) => url === failing).length, 3);
    const { items } = await read<{ items: ImportPictureView[] }>(
      await room.shop.admin("GET", `${PATH}/${id}/pictures`),
    );
    assert.deepEqual(
      items.map(({ line, source, reason }) => [line, source, reason]),
      [[9, failing, "The server responded with status 503"]],
    );
    delete answers[failing];
    await room.move(id, "retry-pictures");
    await room.run();
    const after = await room.get(id);
    assert.deepEqual([after.state, after.counts.picturesDone, after.counts.picturesFailed], ["done", 4, 0]);
  });

  it("from private addresses, and files that are no pictures, fail at once with the reason", async () => {
    const page = new TextEncoder().encode("<html>Sign in</html>");
    const server = createPictureServer({
      [failing]: { kind: "refused", reason: '"cdn.example.com" is at 10.0.0.1, a private address' },
      "https://cdn.example.com/files/detail.png": { kind: "answered", status: 200, text: "", bytes: page },
      "https://cdn.example.com/files/olive.png": {
        kind: "answered",
        status: 200,
        text: "",
        bytes: undefined,
      },
    });
    const room = await createRoom({ pictureOutbound: server.outbound });
    const done = await room.take(await readSample("shopify-products.csv"));
    assert.deepEqual([done.state, done.counts.picturesDone, done.counts.picturesFailed], ["done", 1, 3]);
    const { items } = await read<{ items: ImportPictureView[] }>(
      await room.shop.admin("GET", `${PATH}/${done.id}/pictures`),
    );
    assert.match(items.map(({ reason }) => reason).join(" | "), /larger than 5 MiB.*PNG.*private address/su);
  });
});

describe("the states of an import", () => {
  it("refuse what does not fit them, and say so", async () => {
    const room = await createRoom();
    const { id } = await room.check(await readSample("shopify-products.csv"));
    assert.deepEqual(await code(await room.shop.admin("POST", `${PATH}/${id}/undo`)), [409, "conflict"]);
    assert.deepEqual(await code(await room.shop.admin("POST", `${PATH}/${id}/stop`)), [409, "conflict"]);
    assert.deepEqual(await code(await room.shop.admin("POST", `${PATH}/imp_none/start`)), [404, "not_found"]);
    const open = await read<{ id: string }>(
      await room.shop.admin("POST", PATH, { fileName: "a.csv", sizeBytes: 5 }),
      201,
    );
    const early = await room.shop.admin("POST", `${PATH}/${open.id}/check`, {});
    assert.deepEqual(await code(early), [409, "conflict"]);
    assert.equal((await room.shop.admin("DELETE", `${PATH}/${id}`)).status, 204);
    assert.deepEqual(await code(await room.shop.admin("GET", `${PATH}/${id}`)), [404, "not_found"]);
  });

  it("names faults with their line and column, and imports the rest", async () => {
    const room = await createRoom();
    const csv =
      "Handle,Title,Variant Price,Variant SKU,Variant Inventory Qty\n" +
      'a,A,"1,234",A1,3\n' +
      "b,B,12.50 USD,B1,3\n" +
      "c,,5,C1,3\n" +
      "d,D,5,D1,many\n" +
      "e,E,19.90,E1,3\n" +
      "a,A again,5,A2,3\n";
    const trial = await room.check(csv);
    assert.deepEqual([trial.trial.created, trial.trial.failed], [1, 5]);
    const found = await faults(room, trial.id);
    assert.deepEqual(
      found.map(({ line, column, code: kind }) => [line, column, kind]),
      [
        [2, "Variant Price", "ambiguous"],
        [3, "Variant Price", "invalid"],
        [4, "Title", "invalid"],
        [5, "Variant Inventory Qty", "invalid"],
        [7, "Handle", "invalid"],
      ],
    );
    assert.match(found[1]?.message ?? "", /in another currency than the shop's, EUR/u);
    // The answer to the question; the trial runs again.
    await read(await room.shop.admin("POST", `${PATH}/${trial.id}/check`, { decimalMark: "." }), 202);
    await room.run();
    const again = await room.get(trial.id);
    assert.deepEqual([again.trial.created, again.trial.failed], [2, 4]);
    assert.equal(again.preview[0]?.price, "1,234 → 1234.00 EUR");
    await room.move(trial.id, "start");
    await room.run();
    assert.deepEqual(
      (await products(room)).map(({ slug }) => slug),
      ["a", "e"],
    );
    assert.equal((await faults(room, trial.id, "run")).length, 4);
  });
});
