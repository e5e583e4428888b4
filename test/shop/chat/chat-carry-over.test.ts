/** Pictures of messages from before pictures of the chat were private. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { carryOverAttachments } from "../../../src/shop/chat/carry-over.ts";
import { takeImage } from "../../../src/shop/images/images.ts";
import { messages } from "../../../src/shop/chat/records.ts";
import { products } from "../../../src/shop/products/records.ts";
import { DamagedPicture } from "../../../src/shop/images/verified-blobs.ts";
import { StoreError } from "../../../src/store/store.ts";
import { png } from "../../auth/pictures.ts";
import { type TestShop, createTestShop } from "../app-fixture.ts";
import { type Message, insertProduct, write } from "./chat-fixture.ts";

/** A message as the shop stored it when pictures had no ids. */
async function writeOld(app: TestShop, as: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const image = await takeImage(app.shop.deps.blobs, bytes);
  const { id } = await write(app, as, "look");
  await app.store.transact(async (tx) => {
    const message = await tx.get(messages, id);
    assert.ok(message);
    await tx.put(messages, { ...message, attachments: [image] });
  });
  return `/api/images/${image.hash}`;
}

async function readPictures(app: TestShop, as: string): Promise<Message["attachments"]> {
  const answer = await app.send("GET", "/api/chat/messages", { as });
  const { items }: { items: Message[] } = await answer.json();
  return items.flatMap(({ attachments }) => attachments);
}

const status = async (app: TestShop, path: string, as?: string): Promise<number> =>
  (await app.send("GET", path, { as })).status;

describe("carryOverAttachments", () => {
  it("makes pictures private to each conversation, and removes their public URLs", async () => {
    const app = await createTestShop();
    const address = await writeOld(app, "ann", png(2, 3));
    assert.equal(await writeOld(app, "ben", png(2, 3)), address);
    const [before] = await readPictures(app, "ann");
    assert.equal(await status(app, address), 200);

    assert.equal(await carryOverAttachments(app.shop.deps), 2);
    assert.equal(await status(app, address), 404);
    const [after] = await readPictures(app, "ann");
    assert.deepEqual(after, before);
    assert.ok(after);
    assert.equal(await status(app, after.url, "ann"), 200);
    assert.equal(await status(app, after.url, "ben"), 404);
    const [other] = await readPictures(app, "ben");
    assert.equal(await status(app, other?.url ?? "", "ben"), 200);
  });

  it("leaves what a product shows, and does nothing the second time", async () => {
    const app = await createTestShop();
    const address = await writeOld(app, "ann", png(4, 4));
    await insertProduct(app.store, { id: "prd_1", status: "published" });
    const image = await takeImage(app.shop.deps.blobs, png(4, 4));
    await app.store.transact(async (tx) => {
      const product = await tx.get(products, "prd_1");
      assert.ok(product);
      await tx.put(products, { ...product, images: [{ ...image, alt: "" }] });
    });
    assert.equal(await carryOverAttachments(app.shop.deps), 1);
    assert.equal(await carryOverAttachments(app.shop.deps), 0);
    assert.equal(await status(app, address), 200);
  });

  it("loses nothing while the store of pictures is away", async () => {
    const app = await createTestShop();
    const address = await writeOld(app, "ann", png(5, 2));
    const { blobs } = app.shop.deps;
    const away: typeof blobs = {
      ...blobs,
      get: () => Promise.reject(new StoreError("store_unavailable", "PostgreSQL cannot be reached")),
    };
    await assert.rejects(carryOverAttachments({ ...app.shop.deps, blobs: away }), StoreError);
    assert.equal(await status(app, address), 200);
    assert.equal(await carryOverAttachments(app.shop.deps), 1);
    const [picture] = await readPictures(app, "ann");
    assert.equal(await status(app, picture?.url ?? "", "ann"), 200);
  });

  it("goes on behind a damaged picture", async () => {
    const app = await createTestShop();
    const damaged = await writeOld(app, "ann", png(6, 2));
    await writeOld(app, "ben", png(7, 2));
    const { blobs } = app.shop.deps;
    const spoilt: typeof blobs = {
      ...blobs,
      get: (hash) => (damaged.endsWith(hash) ? Promise.reject(new DamagedPicture()) : blobs.get(hash)),
    };
    assert.equal(await carryOverAttachments({ ...app.shop.deps, blobs: spoilt }), 2);
    const [whole] = await readPictures(app, "ben");
    assert.equal(await status(app, whole?.url ?? "", "ben"), 200);
  });
});
