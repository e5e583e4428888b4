import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { newId } from "../../../src/kit/secrets/id.ts";
import { toDownloadUrl } from "../../../src/shop/files/links.ts";
import { fileGrants } from "../../../src/shop/files/records.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { code, createTestShop, read } from "../app-fixture.ts";
import { order, sendNotice, setProvider, toNotice } from "../goods.ts";
import {
  type Bought,
  addFile,
  addFileProduct,
  buy,
  makeBytes,
  seeFiles,
  sha256Of,
} from "../files/files-fixture.ts";
import { DAY_MS, sell } from "./downloads-fixture.ts";

describe("the files of an order", () => {
  it("are handed over with the payment, and seen with name, size, version and a link", async () => {
    const sold = await sell({ maxDownloads: 3, expiryDays: 30 });
    const { app, bytes } = sold;
    const { items } = await app.store.read((tx) => tx.list(orders, "id", { limit: 1 }));
    assert.equal(items[0]?.status, "delivered");
    const [file] = await seeFiles(app, sold);
    assert.deepEqual(
      [file?.fileName, file?.sizeBytes, file?.number, file?.state, file?.downloads, file?.downloadsLeft],
      ["guide.pdf", bytes.length, 1, "usable", 0, 3],
    );
    assert.equal(file?.sha256, sha256Of(bytes));
    assert.equal(Date.parse(file?.expiresAt ?? ""), app.clock.now() + 30 * DAY_MS);
    assert.ok(file?.url?.includes(sold.token) === false);
    const [mail] = await app.mails("ann@example.org");
    assert.ok(mail?.text.includes("guide.pdf"));
    assert.ok(!mail?.text.includes("/api/downloads/"));
  });

  it("are not seen before the payment, nor by an administrator in the buyer's place", async () => {
    const app = await createTestShop();
    await setProvider(app);
    const { id: productId } = await addFileProduct(app);
    await addFile(app, productId, { bytes: makeBytes(10) });
    const placed = await order(app, [{ productId }], { userId: "usr_ann" });
    const bought = { order: placed.order, token: placed.orderToken };
    assert.deepEqual(await seeFiles(app, bought), []);
    await sendNotice(app, toNotice(placed.order));
    assert.equal((await seeFiles(app, bought)).length, 1);
    const path = `/api/orders/${placed.order.id}`;
    const inPlace = await read<{ lines: { files?: unknown }[] }>(
      await app.send("GET", path, { as: "ann-by-root" }),
    );
    assert.equal(inPlace.lines[0]?.files, undefined);
    assert.equal((await app.send("GET", path, { as: "ben" })).status, 404);
  });

  it("are those of the variant that was bought", async () => {
    const app = await createTestShop();
    const [id1, id2] = [newId("var"), newId("var")];
    const variant = { sku: "", options: {}, price: 1_000 };
    const variants = [
      { ...variant, id: id1 },
      { ...variant, id: id2, sku: "b" },
    ];
    const { id: productId } = await addFileProduct(app, { variants });
    await addFile(app, productId, { bytes: makeBytes(10), title: "for all" });
    await addFile(app, productId, { bytes: makeBytes(11), title: "for one", variantIds: [id1] });
    const one = await buy(app, [{ productId, variantId: id1 }]);
    const two = await buy(app, [{ productId, variantId: id2 }]);
    const titles = async (bought: Bought): Promise<string[]> =>
      (await seeFiles(app, bought)).map(({ title }) => title);
    assert.deepEqual(await titles(one), ["for all", "for one"]);
    assert.deepEqual(await titles(two), ["for all"]);
    const [, file] = await seeFiles(app, one);
    // A link of one line opens nothing of another.
    const grant = await app.store.read((tx) =>
      tx.list(fileGrants, "byOrder", { prefix: [two.order.id], limit: 1 }),
    );
    const forged = toDownloadUrl(app.shop.deps.box, {
      orderId: two.order.id,
      lineId: grant.items[0]?.lineId ?? "",
      fileId: file?.fileId ?? "",
      number: 1,
      id: "x",
      untilMs: app.clock.now() + 1_000,
    });
    assert.deepEqual(await code(await app.fetch(forged)), [404, "not_found"]);
  });

  it("cannot be bought while there are none", async () => {
    const app = await createTestShop();
    await setProvider(app);
    const { id: productId } = await addFileProduct(app);
    await assert.rejects(order(app, [{ productId }]), { code: "out_of_stock" });
  });
});
