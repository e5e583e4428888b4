import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { auditCollection } from "../../../src/records/audit-chain.ts";
import { fileGrants, fileNotices, storedFiles } from "../../../src/shop/files/records.ts";
import { products } from "../../../src/shop/products/records.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct } from "../goods.ts";
import {
  type AdminFile,
  addFile,
  addFileProduct,
  addVersion,
  buy,
  download,
  makeBytes,
  seeFiles,
  seeLink,
  uploadBytes,
} from "./files-fixture.ts";

const HOUR_MS = 3_600_000;

async function start(): Promise<{ app: TestShop; productId: string; path: string }> {
  const app = await createTestShop();
  const { id } = await addFileProduct(app);
  return { app, productId: id, path: `/api/admin/products/${id}/files` };
}

interface List {
  readonly items: readonly AdminFile[];
  readonly terms: Record<string, unknown>;
}

describe("the files of a product", () => {
  it("are listed in their order, renamed, and put in another", async () => {
    const { app, productId, path } = await start();
    const a = await addFile(app, productId, { bytes: makeBytes(10), fileName: "a.txt" });
    const b = await addFile(app, productId, { bytes: makeBytes(11), title: "B" });
    const list = async (): Promise<string[]> =>
      (await read<List>(await app.admin("GET", path))).items.map(({ title }) => title);
    assert.deepEqual(await list(), ["a.txt", "B"]);
    const product = await app.store.read((tx) => tx.get(products, productId));
    assert.equal(product?.fileCount, 2);
    await read(await app.admin("PUT", path, { ids: [b.id, a.id] }));
    assert.deepEqual(await list(), ["B", "a.txt"]);
    for (const ids of [[a.id], [a.id, a.id], [a.id, b.id, "fil_none"], []])
      assert.deepEqual(await code(await app.admin("PUT", path, { ids })), [422, "invalid"]);
    await read(await app.admin("PATCH", `${path}/${a.id}`, { title: "A", version: 2 }));
    assert.deepEqual(await list(), ["B", "A"]);
    const stale = await app.admin("PATCH", `${path}/${a.id}`, { title: "C", version: 2 });
    assert.deepEqual(await code(stale), [409, "version_conflict"]);
    const unknown = await app.admin("PATCH", `${path}/${a.id}`, { variantIds: ["var_none"] });
    assert.deepEqual(await code(unknown), [422, "invalid"]);
    const { items } = await app.store.read((tx) => tx.list(auditCollection, "id", { limit: 100 }));
    const actions = new Set(items.map(({ action }) => action));
    for (const action of ["upload", "add", "arrange", "change"])
      assert.ok(actions.has(`product.file.${action}`), action);
  });

  it("have terms, with limits only if they were set", async () => {
    const { app, productId, path } = await start();
    const terms = `/api/admin/products/${productId}/download-terms`;
    assert.deepEqual((await read<List>(await app.admin("GET", path))).terms, { endOnRefund: true });
    await read(await app.admin("PUT", terms, { maxDownloads: 2, endOnRefund: false }));
    const set = (await read<List>(await app.admin("GET", path))).terms;
    assert.deepEqual(set, { maxDownloads: 2, endOnRefund: false });
    await read(await app.admin("PUT", terms, {}));
    assert.deepEqual((await read<List>(await app.admin("GET", path))).terms, { endOnRefund: true });
    assert.equal((await app.admin("PUT", terms, { maxDownloads: 0 })).status, 422);
    assert.equal((await app.admin("PUT", terms, { other: 1 })).status, 422);
  });

  it("keep the terms of the day they were bought on", async () => {
    const { app, productId } = await start();
    await addFile(app, productId, { bytes: makeBytes(10) });
    const terms = `/api/admin/products/${productId}/download-terms`;
    await read(await app.admin("PUT", terms, { maxDownloads: 2 }));
    const bought = await buy(app, [{ productId, quantity: 3 }]);
    await read(await app.admin("PUT", terms, { maxDownloads: 1, expiryDays: 1 }));
    const [file] = await seeFiles(app, bought);
    assert.deepEqual([file?.downloadsLeft, file?.expiresAt], [6, undefined]);
  });

  it("are deleted before they were sold, and stay for their buyers afterward", async () => {
    const { app, productId, path } = await start();
    const first = await addFile(app, productId, { bytes: makeBytes(10) });
    assert.deepEqual(await read(await app.admin("DELETE", `${path}/${first.id}`)), { kept: false });
    assert.deepEqual(await code(await app.admin("DELETE", `${path}/${first.id}`)), [404, "not_found"]);
    app.clock.advance(HOUR_MS + 61_000);
    await app.shop.uploads.sweep();
    assert.equal(await app.store.read((tx) => tx.count(storedFiles)), 0);

    const [a, b] = [makeBytes(20, 3), makeBytes(30, 4)];
    const fileA = await addFile(app, productId, { bytes: a });
    await addFile(app, productId, { bytes: b, title: "other" });
    const before = await buy(app, [{ productId }]);
    app.clock.advance(1_000);
    assert.deepEqual(await read(await app.admin("DELETE", `${path}/${fileA.id}`)), { kept: true });
    app.clock.advance(1_000);
    const after = await buy(app, [{ productId }], { email: "ben@example.org" });
    assert.equal((await seeFiles(app, before)).length, 2);
    assert.deepEqual(await download(app, (await seeFiles(app, before))[0]?.url ?? ""), a);
    assert.deepEqual(
      (await seeFiles(app, after)).map(({ title }) => title),
      ["other"],
    );
    const product = await app.store.read((tx) => tx.get(products, productId));
    assert.equal(product?.fileCount, 1);
    assert.deepEqual(await code(await app.admin("DELETE", `/api/admin/products/${productId}`)), [
      409,
      "conflict",
    ]);
  });

  it("have versions, of which old ones can be deleted while they are being read", async () => {
    const { app, productId, path } = await start();
    const old = makeBytes(1_048_576 + 5, 1);
    const file = await addFile(app, productId, { bytes: old });
    const bought = await buy(app, [{ productId }]);
    const url = await seeLink(app, bought);
    const reading = await app.raw(url);
    const reader = reading.body?.getReader();
    const start1 = await reader?.read();
    assert.equal(start1?.value?.length, 1_048_576);
    const place = { productId, fileId: file.id };
    const next = await addVersion(app, place, { bytes: makeBytes(10, 2), label: "2" });
    assert.deepEqual(
      next.versions.map(({ number }) => number),
      [1, 2],
    );
    const newest = await app.admin("DELETE", `${path}/${file.id}/versions/2`);
    assert.deepEqual(await code(newest), [409, "conflict"]);
    assert.equal((await app.admin("DELETE", `${path}/${file.id}/versions/1`)).status, 204);
    assert.equal((await app.admin("DELETE", `${path}/${file.id}/versions/1`)).status, 404);
    await app.shop.uploads.sweep();
    assert.equal((await reader?.read())?.value?.length, 5);
    assert.equal((await app.fetch(url)).status, 404);
    app.clock.advance(HOUR_MS + 61_000);
    await app.shop.uploads.sweep();
    assert.equal(await app.store.read((tx) => tx.count(storedFiles)), 1);
  });

  it("are of products of their delivery type, which are never out of stock by themselves", async () => {
    const { app } = await start();
    const made = await read<{ id: string; stock: { mode: string } }>(
      await app.admin("POST", "/api/admin/products", { title: "Song", price: 100, deliveryType: "files" }),
      201,
    );
    assert.equal(made.stock.mode, "unlimited");
    const few = await read<{ stock: { mode: string } }>(
      await app.admin("POST", "/api/admin/products", {
        title: "Print",
        price: 100,
        deliveryType: "files",
        stockMode: "tracked",
        onHand: 5,
      }),
      201,
    );
    assert.equal(few.stock.mode, "tracked");
    const mug = await addProduct(app);
    const { id: uploadId } = await uploadBytes(app, made.id, { bytes: makeBytes(5) });
    const wrong = await app.admin("POST", `/api/admin/products/${mug.id}/files`, { uploadId });
    assert.deepEqual(await code(wrong), [409, "conflict"]);
    assert.equal((await app.send("GET", `/api/admin/products/${made.id}/files`)).status, 401);
    assert.equal((await app.admin("GET", "/api/admin/products/prd_none/files")).status, 404);
  });
});

describe("a new version", () => {
  it("is announced to each buyer with access, once, in the language of the order", async () => {
    const { app, productId } = await start();
    const file = await addFile(app, productId, { bytes: makeBytes(10) });
    const anns = await buy(app, [{ productId }], { email: "ann@example.org" });
    await buy(app, [{ productId }], { email: "Ann@example.org" });
    const bens = await buy(app, [{ productId }], { email: "ben@example.org" });
    const refunded = await buy(app, [{ productId }], { email: "cay@example.org" });
    await read(
      await app.admin("POST", `/api/admin/orders/${refunded.order.id}/refund`, {
        amount: refunded.order.total,
        note: "",
      }),
    );
    for (let index = 0; index < 60; index += 1)
      await app.shop.store.transact(async (tx) => {
        await tx.insert(fileGrants, {
          id: `${bens.order.id}:x${index}`,
          orderId: bens.order.id,
          lineId: `x${index}`,
          productId,
          emailLower: "ben@example.org",
          grantedAt: 1,
          endOnRefund: true,
          used: [],
        });
      });
    const place = { productId, fileId: file.id };
    await addVersion(app, place, { bytes: makeBytes(11) });
    assert.equal(await app.shop.versionNotices.run(), 0);
    await addVersion(app, place, { bytes: makeBytes(12), label: "3.0", notify: true });
    const told = async (): Promise<string[]> =>
      (await app.mails()).filter(({ kind }) => kind === "file_version").map(({ to }) => to.toLowerCase());
    assert.deepEqual(await told(), []);
    assert.equal(await app.shop.versionNotices.run(), 1);
    assert.equal(await app.shop.versionNotices.run(), 0);
    assert.deepEqual((await told()).sort(), ["ann@example.org", "ben@example.org"]);
    await app.shop.versionNotices.run();
    assert.equal((await told()).length, 2);
    const mail = (await app.mails()).find(({ kind }) => kind === "file_version");
    assert.ok(mail?.text.includes("3.0"));
    assert.ok(mail?.text.includes("ot_"));
    assert.ok(!mail?.text.includes("/api/downloads/"));
    assert.ok(anns.token.startsWith("ot_"));
  });

  it("is not announced if such emails are off, or a newer one came", async () => {
    const { app, productId } = await start();
    const file = await addFile(app, productId, { bytes: makeBytes(10) });
    await buy(app, [{ productId }]);
    const place = { productId, fileId: file.id };
    await addVersion(app, place, { bytes: makeBytes(12), notify: true });
    await addVersion(app, place, { bytes: makeBytes(13), notify: true });
    assert.equal(await app.shop.versionNotices.run(), 0);
    const told = (await app.mails()).filter(({ kind }) => kind === "file_version");
    assert.equal(told.length, 1);
    assert.equal(await app.store.read((tx) => tx.count(fileNotices)), 0);
  });
});
