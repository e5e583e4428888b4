/** Questions of people without an account: from the contact page and about orders, until the reply and beyond. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { conversations, messages } from "../../../src/shop/chat/records.ts";
import { type TestShop, ADMIN_TOKEN, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, order, setProvider } from "../goods.ts";
import { createShopBrowser } from "../pages/shop-browser.ts";
import { openOwnCenter } from "../../support/own-center.ts";
import { png } from "../../auth/pictures.ts";
import { type History, type Message, reply } from "./chat-fixture.ts";

interface Conversation {
  readonly id: string;
  readonly userId?: string;
  readonly username: string;
  readonly preview: string;
  readonly status: string;
  readonly unreadAdmin: number;
  readonly guest?: { email: string; emailVerified: boolean; orderId?: string; orderNumber?: string };
}

async function listAll(app: TestShop, query = ""): Promise<Conversation[]> {
  const page = await read<{ items: Conversation[] }>(
    await app.admin("GET", `/api/admin/chat/conversations${query}`),
  );
  return page.items;
}

async function onlyOne(app: TestShop): Promise<Conversation> {
  const [one, ...others] = await listAll(app);
  assert.ok(one);
  assert.equal(others.length, 0);
  return one;
}

async function answer(app: TestShop, id: string, body: string, more: object = {}): Promise<Message> {
  const path = `/api/admin/chat/conversations/${id}/messages`;
  return read<Message>(await app.admin("POST", path, { body, ...more }), 201);
}

/** The link of the newest email to an address. */
async function findLink(app: TestShop, address: string): Promise<string> {
  const [mail] = await app.mails(address);
  const link = /https:\/\/shop\.example\.org(\/questions\/[^\s]+)/u.exec(mail?.text ?? "")?.[1];
  assert.ok(link, mail?.text);
  return link;
}

const BEN = "ben@example.org";

function ask(app: TestShop, body: string, more: object = {}, from?: string): Promise<Response> {
  return app.send("POST", "/api/questions", {
    body: { email: BEN, body, ...more },
    ...(from === undefined ? {} : { from }),
  });
}

/** A shop where people can sign in. */
async function withCenter(work: (app: TestShop) => Promise<void>): Promise<void> {
  const center = await openOwnCenter();
  try {
    await work(await createTestShop({ center: await center.connect("shop") }));
  } finally {
    center.close();
  }
}

describe("a question from the contact page", () => {
  it("is answered by email, whose link proves the mailbox and takes the next message", async () => {
    const app = await createTestShop();
    await app.setSmtp({ adminAddress: "owner@example.org" });
    const { id: productId, slug } = await addProduct(app);
    const browser = createShopBrowser(app);
    const page = await browser.open(`/contact?product=${slug}`);
    const sent = await browser.send(page, { email: BEN, question: "Is it <b>blue</b>?" });
    assert.equal(sent.path, "/contact?done=sent");
    assert.match(sent.text, /We’ve received your question/u);
    const asked = await onlyOne(app);
    assert.equal(asked.userId, undefined);
    assert.equal(asked.username, BEN);
    assert.equal(asked.unreadAdmin, 1);
    assert.deepEqual(asked.guest, { email: BEN, emailVerified: false });
    const [owners] = await app.mails("owner@example.org");
    assert.match(owners?.text ?? "", /not verified yet/u);
    assert.ok(owners?.text.includes(`https://shop.example.org/admin/chat/${asked.id}`));
    assert.equal((await app.mails(BEN)).length, 0);

    const first = await app.store.read((tx) => tx.list(messages, "inOrder", { limit: 5 }));
    assert.equal(first.items[0]?.productId, productId);
    await answer(app, asked.id, "Yes, it is.");
    const [mail] = await app.mails(BEN);
    assert.match(mail?.text ?? "", /Yes, it is\.[\s\S]*Your question: Is it <b>blue<\/b>\?/u);

    const link = await findLink(app, BEN);
    const opened = await browser.open(link);
    assert.equal(opened.path, `/questions/${asked.id}`);
    assert.match(opened.text, /Is it &lt;b&gt;blue&lt;\/b&gt;\?[\s\S]*Yes, it is\./u);
    assert.equal((await onlyOne(app)).guest?.emailVerified, true);
    const more = await browser.send(opened, { question: "And the large one?" });
    assert.equal(more.status, 200);
    assert.match(more.text, /And the large one\?/u);
    const after = await onlyOne(app);
    assert.deepEqual([after.unreadAdmin, after.preview], [2, "And the large one?"]);
  });

  it("is read only through the link that its mailbox got", async () => {
    const app = await createTestShop();
    await ask(app, "Where are you?");
    const { id } = await onlyOne(app);
    await answer(app, id, "In a secret place");
    const link = await findLink(app, BEN);
    const browser = createShopBrowser(app);
    for (const path of [
      `/questions/${id}`,
      `${link}x`,
      link.replace(id, "gst_other"),
      "/questions/x?token=",
    ]) {
      const page = await browser.open(path);
      assert.equal(page.status, 404, path);
      assert.doesNotMatch(page.text, /secret place/u);
    }
    assert.equal((await onlyOne(app)).guest?.emailVerified, false);
    const page = await browser.open("/contact");
    assert.equal((await browser.send(page, { question: "Me too" }, `/questions/${id}`)).status, 404);
    assert.equal((await onlyOne(app)).unreadAdmin, 1);
  });

  it("is limited by network address and by mailbox, and stores a repeat once", async () => {
    const app = await createTestShop();
    for (let time = 0; time < 2; time += 1)
      assert.equal((await ask(app, "Hello?", { clientId: "page-1" })).status, 204);
    for (let count = 0; count < 3; count += 1)
      assert.equal((await ask(app, `No. ${count}`, {}, `192.0.2.${count + 10}`)).status, 204);
    assert.deepEqual(await code(await ask(app, "Once more", {}, "192.0.2.99")), [429, "rate_limited"]);
    for (let count = 0; count < 8; count += 1) await ask(app, "Hi", { email: `guest${count}@example.org` });
    assert.deepEqual(await code(await ask(app, "Hi", { email: "last@example.org" })), [429, "rate_limited"]);
    app.clock.advance(2 * 3_600_000);
    assert.equal((await ask(app, "Later")).status, 204);
  });

  it("is dropped without a word when a program filled in the field that people don't see", async () => {
    const app = await createTestShop();
    const browser = createShopBrowser(app);
    const page = await browser.open("/contact");
    const sent = await browser.send(page, { email: BEN, question: "Buy", website: "https://spam.example" });
    assert.equal(sent.path, "/contact?done=sent");
    assert.deepEqual(await listAll(app), []);
  });

  it("asks about a mistyped address once, and keeps what was typed", async () => {
    const app = await createTestShop();
    await app.setSite({ languages: ["en", "de", "zh"] });
    const browser = createShopBrowser(app, { language: "de" });
    const page = await browser.open("/contact");
    const asked = await browser.send(page, { email: "ben@gmial.com", question: "Guten Tag" });
    assert.equal(asked.status, 422);
    assert.match(asked.text, /Meinten Sie ben@gmail\.com\?/u);
    assert.deepEqual(await listAll(app), []);
    const meant = await browser.send(asked, { do: "use:email" });
    await browser.send(meant, {});
    assert.equal((await onlyOne(app)).username, "ben@gmail.com");
    const empty = await browser.send(await browser.open("/contact"), { email: "ben", question: " " });
    assert.equal(empty.status, 422);
    assert.match(empty.text, /href="#field-email"[\s\S]*href="#field-question"/u);
  });

  it("rejects what is no question", async () => {
    const app = await createTestShop();
    for (const body of [
      { body: "x" },
      { email: "ben", body: "x" },
      { email: BEN, body: "  " },
      { email: BEN, body: "x".repeat(4_001) },
      { email: BEN, body: "x", productId: "prd_none" },
      { email: BEN, body: "x", attachments: [] },
    ])
      assert.deepEqual(await code(await app.send("POST", "/api/questions", { body })), [422, "invalid"]);
  });

  it("leads those who are signed in to their chat, and guests from the chat's page here", async () => {
    const app = await createTestShop();
    const headers = { authorization: "Bearer token-ann", accept: "text/html" };
    const led = await app.raw("/contact?product=mug", { headers });
    assert.deepEqual([led.status, led.headers.get("location")], [303, "/chat?product=mug"]);
    const alone = await createShopBrowser(app).open("/chat?product=mug");
    assert.equal(alone.path, "/contact?product=mug");
    await withCenter(async (shop) => {
      const page = await createShopBrowser(shop).open("/chat?product=mug");
      assert.equal(page.path, "/chat?product=mug");
      assert.match(page.text, /href="\/contact\?product=mug"/u);
    });
  });
});

describe("a question about an order", () => {
  async function placeOrder(app: TestShop, email = BEN) {
    await setProvider(app);
    const { id: productId } = await addProduct(app);
    return order(app, [{ productId }], { email });
  }

  it("is one conversation with the buyer, on the order's page and by email", async () => {
    const app = await createTestShop();
    const { order: placed, orderToken } = await placeOrder(app);
    const browser = createShopBrowser(app);
    const path = `/orders/${placed.number}`;
    const page = await browser.open(`${path}?token=${orderToken}`);
    const sent = await browser.send(page, { question: "When does it ship?" }, `${path}/question`);
    assert.match(sent.path, /\?done=asked#questions$|\?done=asked$/u);
    assert.match(sent.text, /When does it ship\?/u);
    const asked = await onlyOne(app);
    assert.deepEqual(asked.guest, {
      email: BEN,
      emailVerified: false,
      orderId: placed.id,
      orderNumber: placed.number,
    });
    await answer(app, asked.id, "Tomorrow");
    assert.match((await browser.open(path)).text, /Tomorrow/u);
    const elsewhere = createShopBrowser(app, { language: "zh" });
    const opened = await elsewhere.open(await findLink(app, BEN));
    assert.match(opened.text, /Tomorrow/u);
    await elsewhere.send(opened, { question: "Thank you" });
    const history = await read<History>(
      await app.send("GET", `/api/orders/${placed.id}/messages`, {
        headers: { "x-order-token": orderToken },
      }),
    );
    assert.deepEqual(
      history.items.map(({ body, sender }) => [sender, body]),
      [
        ["user", "Thank you"],
        ["admin", "Tomorrow"],
        ["user", "When does it ship?"],
      ],
    );
    assert.equal(history.items[2]?.orderId, placed.id);
  });

  it("goes through the API for the holder of the order's token alone", async () => {
    const app = await createTestShop();
    const { order: placed, orderToken } = await placeOrder(app);
    const path = `/api/orders/${placed.id}/messages`;
    const body = { body: "Hello", clientId: "a-1" };
    const headers = { "x-order-token": orderToken };
    const sent = await read<Message>(await app.send("POST", path, { body, headers }), 201);
    assert.equal((await read<Message>(await app.send("POST", path, { body, headers }))).id, sent.id);
    const other = { body: "Else", clientId: "a-1" };
    assert.deepEqual(await code(await app.send("POST", path, { body: other, headers })), [409, "conflict"]);
    assert.equal((await app.send("POST", path, { body })).status, 401);
    assert.equal((await app.send("POST", path, { body, as: "bob" })).status, 404);
    const wrong = { "x-order-token": `${orderToken}x` };
    assert.equal((await app.send("GET", path, { headers: wrong })).status, 404);
    assert.deepEqual(
      await code(await app.send("POST", path, { body, headers: { "x-admin-token": ADMIN_TOKEN } })),
      [403, "forbidden"],
    );
    for (let count = 0; count < 19; count += 1)
      await app.send("POST", path, { body: { body: `${count}` }, headers });
    assert.equal((await app.send("POST", path, { body: { body: "More" }, headers })).status, 429);
  });

  it("of an account goes to its chat", () =>
    withCenter(async (app) => {
      await setProvider(app);
      const { id: productId } = await addProduct(app);
      const { order: placed, orderToken } = await order(app, [{ productId }], { userId: "usr_ann" });
      const browser = createShopBrowser(app);
      const page = await browser.open(`/orders/${placed.number}?token=${orderToken}`);
      assert.match(page.text, new RegExp(`href="/chat\\?order=${placed.number}"`, "u"));
      const refused = await app.send("POST", `/api/orders/${placed.id}/messages`, {
        body: { body: "x" },
        headers: { "x-order-token": orderToken },
      });
      assert.deepEqual(await code(refused), [409, "conflict"]);
      const ann = createShopBrowser(app, { headers: { authorization: "Bearer token-ann" } });
      await ann.send(await ann.open(`/chat?order=${placed.number}`), { body: "When?" }, "/chat");
      const { items } = await app.store.read((tx) => tx.list(messages, "inOrder", { limit: 5 }));
      assert.deepEqual([items[0]?.orderId, items[0]?.conversationId], [placed.id, "usr_ann"]);
    }));

  it("is answered at the email address that the order has now, and no former link opens it", async () => {
    const app = await createTestShop();
    const { order: placed, orderToken } = await placeOrder(app);
    const headers = { "x-order-token": orderToken };
    await app.send("POST", `/api/orders/${placed.id}/messages`, { body: { body: "Hello" }, headers });
    const { id } = await onlyOne(app);
    await answer(app, id, "First");
    const former = await findLink(app, BEN);
    await createShopBrowser(app).open(former);
    const { version } = await read<{ version: number }>(
      await app.admin("GET", `/api/admin/orders/${placed.id}`),
    );
    await read(
      await app.admin("POST", `/api/admin/orders/${placed.id}/edit`, { version, email: "new@example.org" }),
    );
    await answer(app, id, "Second");
    assert.match((await app.mails("new@example.org"))[0]?.text ?? "", /Second/u);
    assert.equal((await createShopBrowser(app).open(former)).status, 404);
    assert.deepEqual((await onlyOne(app)).guest?.emailVerified, false);
    assert.equal((await createShopBrowser(app).open(await findLink(app, "new@example.org"))).status, 200);
  });
});

describe("a picture in a reply to a guest", () => {
  it("opens with the key of its URL alone", async () => {
    const app = await createTestShop();
    await ask(app, "What does it look like?");
    const { id } = await onlyOne(app);
    const uploaded = await read<{ id: string }>(
      await app.fetch("/api/admin/chat/attachments", {
        method: "POST",
        headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "image/png" },
        body: png(3, 5),
      }),
      201,
    );
    await answer(app, id, "", { attachments: [uploaded.id] });
    const page = await createShopBrowser(app).open(await findLink(app, BEN));
    const url = /<img class="chat-picture" src="([^"]+)"/u.exec(page.text)?.[1] ?? "";
    assert.match(url, /\?key=/u);
    assert.equal((await app.fetch(url)).status, 200);
    assert.equal((await app.fetch(`${url}x`)).status, 401);
    assert.equal((await app.fetch(`/api/chat/attachments/${uploaded.id}`)).status, 401);
  });
});

describe("what somebody asked before they had an account", () => {
  it("joins their chat once the mailbox is proved on both sides", async () => {
    const app = await createTestShop();
    app.setAddresses("ben", [BEN]);
    await ask(app, "First, as a guest");
    await ask(app, "Not from Ben", { email: BEN });
    const [, first] = await listAll(app);
    assert.equal(first?.preview, "First, as a guest");
    const id = first?.id ?? "";
    await answer(app, id, "Hello guest");
    const link = await findLink(app, BEN);
    await createShopBrowser(app).open(link);
    const before = await read<Message>(
      await app.send("POST", "/api/chat/messages", { as: "ben", body: { body: "As a user" } }),
      201,
    );
    const ben = createShopBrowser(app, { headers: { authorization: "Bearer token-ben" } });
    const page = await ben.open("/chat");
    assert.match(page.text, /First, as a guest[\s\S]*Hello guest[\s\S]*As a user/u);
    assert.doesNotMatch(page.text, /Not from Ben/u);
    const all = await listAll(app);
    assert.deepEqual(
      all.map(({ username, unreadAdmin }) => [username, unreadAdmin]),
      [
        ["ben", 2],
        [BEN, 1],
      ],
    );
    await read(await app.admin("POST", "/api/admin/chat/conversations/usr_ben/read", { upTo: before.seq }));
    await reply(app, "ben", "Hello again");
    const repeat = await app.send("POST", "/api/chat/messages", { as: "ben", body: { body: "Thanks" } });
    assert.equal(repeat.status, 201);
    const gone = await createShopBrowser(app).open(link);
    assert.equal(gone.status, 404);
    assert.match(gone.text, /part of your account/u);
  });

  it("stays where it is while the auth center does not say whose mailbox it is", async () => {
    const app = await createTestShop();
    await ask(app, "As a guest");
    const { id } = await onlyOne(app);
    await answer(app, id, "Hello");
    await createShopBrowser(app).open(await findLink(app, BEN));
    for (const addresses of [[], ["other@example.org"]]) {
      app.setAddresses("ben", addresses);
      await createShopBrowser(app, { headers: { authorization: "Bearer token-ben" } }).open("/chat");
      app.clock.advance(3_600_001);
    }
    assert.equal((await onlyOne(app)).id, id);
  });
});

describe("personal data of a guest who asked", () => {
  it("is in the export where the mailbox or the order proves it, and goes with the customer", async () => {
    const app = await createTestShop();
    await setProvider(app);
    const { id: productId } = await addProduct(app);
    const { order: placed, orderToken } = await order(app, [{ productId }], { email: BEN });
    const headers = { "x-order-token": orderToken };
    await app.send("POST", `/api/orders/${placed.id}/messages`, { body: { body: "My order" }, headers });
    await ask(app, "Unproved");
    await ask(app, "Of another", { email: "eve@example.org" });
    const { items } = await read<{ items: { id: string }[] }>(await app.admin("GET", "/api/admin/customers"));
    const path = `/api/admin/customers/${items[0]?.id ?? ""}`;
    const data = await read<{ messages: { body: string }[] }>(await app.admin("GET", `${path}/export`));
    assert.deepEqual(
      data.messages.map(({ body }) => body),
      ["My order"],
    );
    await read(await app.admin("POST", `/api/admin/orders/${placed.id}/cancel`, {}));
    await read(await app.admin("POST", `${path}/anonymise`));
    assert.deepEqual(
      (await listAll(app)).map(({ preview }) => preview),
      ["Of another"],
    );
    const left = await app.store.read((tx) => tx.list(messages, "inOrder", { limit: 9 }));
    assert.deepEqual(
      left.items.map(({ body }) => body),
      ["Of another"],
    );
    assert.equal(await app.store.read((tx) => tx.count(conversations, "byMailbox", { prefix: [BEN] })), 0);
  });
});
