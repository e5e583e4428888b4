/** The chat's page: who may write, what is shown, pictures, and forms of other sites. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type TestShop, createTestShop } from "../app-fixture.ts";
import { addProduct } from "../goods.ts";
import { createShopBrowser } from "./shop-browser.ts";

const signedIn = { authorization: "Bearer token-ann", accept: "text/html" };

/** The smallest PNG: one pixel. */
const PNG = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (character) => character.charCodeAt(0),
);

interface Seen {
  readonly cookie: string;
  readonly token: string;
  readonly page: string;
}

async function open(app: TestShop, path = "/chat"): Promise<Seen> {
  const answer = await app.raw(path, { headers: signedIn });
  const cookie = (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const page = await answer.text();
  return { cookie, page, token: / name="form" value="([^"]+)"/u.exec(page)?.[1] ?? "" };
}

function write(
  app: TestShop,
  { cookie, token }: Pick<Seen, "cookie" | "token">,
  fields: Record<string, string | File>,
): Promise<Response> {
  const body = new FormData();
  body.set("form", token);
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return app.raw("/chat", { method: "POST", headers: { ...signedIn, cookie }, body });
}

describe("the chat's page", () => {
  it("leads guests of a shop without accounts to the contact page", async () => {
    const app = await createTestShop();
    await app.setSite({ contact: { email: "owner@example.org", phone: "", url: "" } });
    const page = await createShopBrowser(app).open("/chat");
    assert.equal(page.path, "/contact");
    assert.match(page.text, /owner@example\.org/u);
    assert.match(page.text, /<textarea/u);
  });

  it("keeps a message once however often it is sent, and shows what the shop answers", async () => {
    const app = await createTestShop();
    const { slug, title } = await addProduct(app);
    const seen = await open(app, `/chat?product=${slug}`);
    assert.ok(seen.page.includes(title));
    const fields = { body: "Is it <b>blue</b>?", clientId: "page-1" };
    for (let times = 0; times < 2; times += 1) {
      const answer = await write(app, seen, fields);
      assert.deepEqual([answer.status, answer.headers.get("location")], [303, "/chat"]);
    }
    await app.admin("POST", "/api/admin/chat/conversations/usr_ann/messages", { body: "Yes" });
    const { page } = await open(app);
    assert.equal(page.split("Is it &lt;b&gt;blue&lt;/b&gt;?").length, 2, page);
    assert.match(page, /is-admin.*Yes/su);
    const state = await app.shop.chat.get("usr_ann");
    assert.deepEqual([state.unreadUser, state.unreadAdmin], [0, 1]);
  });

  it("takes a picture, refuses what is none, and keeps what was typed", async () => {
    const app = await createTestShop();
    const seen = await open(app);
    const good = await write(app, seen, {
      body: "",
      picture: new File([PNG], "a.png", { type: "image/png" }),
    });
    assert.equal(good.status, 303);
    assert.match((await open(app)).page, /<img class="chat-picture" src="\/api\/chat\/attachments\/att_/u);
    const text = new File(["x"], "a.txt", { type: "text/plain" });
    const bad = await write(app, seen, { body: "Look at this", picture: text });
    assert.equal(bad.status, 422);
    assert.match(await bad.text(), /Look at this<\/textarea>/u);
    assert.equal((await write(app, seen, { body: "  " })).status, 422);
  });

  it("rejects forms of other sites, and says whether a visitor is signed in", async () => {
    const app = await createTestShop();
    const { page, cookie } = await open(app);
    assert.match(page, /We’re offline right now/u);
    assert.equal((await write(app, { cookie, token: "wrong" }, { body: "Hi" })).status, 403);
    const feed = await app.shop.chat.open({ kind: "admin" }, { lastSeq: undefined });
    assert.match((await open(app)).page, /We’re online now/u);
    feed.close();
  });
});
