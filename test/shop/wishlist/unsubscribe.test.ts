/** The links in notices that switch them off. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { conversations } from "../../../src/shop/chat/records.ts";
import { wishes } from "../../../src/shop/wishlist/records.ts";
import type { MailMessage } from "../../../src/kit/mail/mail.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { reply, write } from "../chat/chat-fixture.ts";

const BASE = "https://shop.example.org";

/** A shop with ann's wish, about which she was notified, and a reply in her conversation; with the sent emails. */
async function createApp(): Promise<{ app: TestShop; sent: MailMessage[] }> {
  const sent: MailMessage[] = [];
  const app = await createTestShop({
    sender: {
      send: async (message) => {
        sent.push(message);
        return { status: "sent" };
      },
      close: () => undefined,
    },
  });
  const created = await app.admin("POST", "/api/admin/products", {
    title: "Mug <b>",
    price: 500,
    status: "published",
  });
  const { id } = await read<{ id: string }>(created, 201);
  const body = { productId: id, notifyRestock: true, notifyPriceDrop: true };
  await read(await app.send("POST", "/api/wishlist", { as: "ann", body }), 201);
  await read(await app.admin("POST", `/api/admin/products/${id}/stock`, { onHand: 1, reason: "Delivery" }));
  await app.shop.wishNotices.run();
  await write(app, "ann", "question");
  await reply(app, "ann", "answer");
  await app.shop.deps.outbox.deliver();
  return { app, sent };
}

function linkOf(sent: readonly MailMessage[], kind: string): string {
  const found = sent.map(({ unsubscribe = "" }) => unsubscribe).find((url) => url.includes(`/${kind}/`));
  assert.ok(found !== undefined);
  assert.ok(found.startsWith(`${BASE}/api/unsubscribe/${kind}/`));
  return found.slice(BASE.length);
}

async function readWish(app: TestShop): Promise<[boolean, boolean, string | undefined]> {
  const { items } = await app.store.read((tx) =>
    tx.list(wishes, "byUser", { prefix: ["usr_ann"], limit: 1 }),
  );
  const [wish] = items;
  assert.ok(wish !== undefined);
  return [wish.notifyRestock, wish.notifyPriceDrop, wish.watched];
}

function post(app: TestShop, path: string, body = "List-Unsubscribe=One-Click"): Promise<Response> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return app.fetch(path, { method: "POST", headers, body });
}

describe("/api/unsubscribe", () => {
  it("shows a page that changes nothing, and switches that notice off by one POST", async () => {
    const { app, sent } = await createApp();
    const path = linkOf(sent, "restock");
    const mail = sent.find(({ unsubscribe }) => unsubscribe === `${BASE}${path}`);
    assert.ok(mail?.text.includes(`${BASE}${path}`), "it stands in the text too");
    const page = await app.fetch(path);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /<form method="post">[^]*value="off"/u);
    assert.deepEqual(await readWish(app), [true, true, "yes"]);
    const done = await post(app, path);
    assert.equal(done.status, 200);
    assert.match(await done.text(), /unsubscribed from these emails/u);
    assert.deepEqual(await readWish(app), [false, true, "yes"]);
    await post(app, path, "notice=on");
    assert.deepEqual(await readWish(app), [true, true, "yes"]);
  });

  it("takes the form that mail programs send as multipart, and says so of what is gone", async () => {
    const { app, sent } = await createApp();
    const path = linkOf(sent, "restock");
    const form = new FormData();
    form.set("List-Unsubscribe", "One-Click");
    assert.equal((await app.fetch(path, { method: "POST", body: form })).status, 200);
    assert.deepEqual(await readWish(app), [false, true, "yes"]);
    await app.store.transact(async (tx) => {
      const { items } = await tx.list(wishes, "byUser", { prefix: ["usr_ann"], limit: 1 });
      for (const { id } of items) await tx.remove(wishes, id);
    });
    assert.equal((await post(app, path, "notice=on")).status, 200);
    assert.match(await (await app.fetch(path)).text(), /unsubscribed from these emails/u);
  });

  it("switches mails about answers off", async () => {
    const { app, sent } = await createApp();
    const path = linkOf(sent, "chat_reply");
    assert.equal((await post(app, path)).status, 200);
    app.clock.advance(3_600_000);
    await write(app, "ann", "again");
    await reply(app, "ann", "again");
    assert.equal((await app.mails()).filter(({ kind }) => kind === "chat_reply").length, 1);
    const found = await app.store.read((tx) => tx.get(conversations, "usr_ann"));
    assert.equal(found?.isReplyMailOff, true);
  });

  it("rejects a signature for another notification or another person, and an invalid one", async () => {
    const { app, sent } = await createApp();
    const path = linkOf(sent, "restock");
    const token = path.slice(path.lastIndexOf("/") + 1);
    const wrong = [
      path.replace("/restock/", "/price_drop/"),
      path.replace("usr_ann", "usr_bob"),
      path.slice(0, -1),
      `/api/unsubscribe/chat_reply/usr_ann/${token}`,
    ];
    for (const one of wrong) {
      assert.deepEqual(await code(await app.fetch(one)), [404, "not_found"], one);
      assert.deepEqual(await code(await post(app, one)), [404, "not_found"], one);
    }
    const unknown = await app.fetch(path.replace("/restock/", "/order_paid/"));
    assert.deepEqual(await code(unknown), [422, "invalid"]);
    assert.deepEqual(await readWish(app), [true, true, "yes"]);
  });
});
