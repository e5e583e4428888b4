/** Pictures in the chat. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createChatRemoval } from "../../../src/shop/chat/removal.ts";
import { attachments } from "../../../src/shop/chat/records.ts";
import { jpeg, png } from "../../auth/pictures.ts";
import { type TestShop, ADMIN_TOKEN, code, createTestShop, read } from "../app-fixture.ts";
import { reply, write } from "./chat-fixture.ts";

const MESSAGES = "/api/chat/messages";
const MINUTE = 60_000;

interface Picture {
  readonly id: string;
  readonly url: string;
}

function sendPicture(
  app: TestShop,
  bytes: Uint8Array<ArrayBuffer>,
  { as = "ann", type = "image/png" } = {},
): Promise<Response> {
  const isAdmin = as === "admin";
  const credential: Record<string, string> = isAdmin
    ? { "x-admin-token": ADMIN_TOKEN }
    : { authorization: `Bearer token-${as}` };
  return app.fetch(isAdmin ? "/api/admin/chat/attachments" : "/api/chat/attachments", {
    method: "POST",
    headers: { "content-type": type, ...credential },
    body: bytes,
  });
}

async function take(app: TestShop, as = "ann", bytes = png(640, 480)): Promise<Picture> {
  return read<Picture>(await sendPicture(app, bytes, { as }), 201);
}

/** A rejected message. */
async function refused(app: TestShop, as: string, id: string): Promise<void> {
  const answer = await app.send("POST", MESSAGES, { as, body: { body: "x", attachments: [id] } });
  assert.match(await answer.clone().text(), /"\/attachments\/0"/u);
  assert.deepEqual(await code(answer), [422, "invalid"]);
}

describe("POST /api/chat/attachments", () => {
  it("keeps a picture that messages of the conversation can name", async () => {
    const app = await createTestShop();
    const picture = await take(app);
    assert.match(picture.id, /^att_/u);
    assert.deepEqual(picture, {
      id: picture.id,
      mediaType: "image/png",
      width: 640,
      height: 480,
      bytes: png(640, 480).length,
      url: `/api/chat/attachments/${picture.id}`,
    });
    const message = await write(app, "ann", "", { attachments: [picture.id], clientId: "p" });
    assert.deepEqual(message.attachments, [picture]);
    const answered = await reply(app, "ann", "I see", { attachments: [picture.id] });
    assert.deepEqual(answered.attachments, [picture]);
    const again = { body: "", attachments: [picture.id], clientId: "p" };
    assert.equal((await app.send("POST", MESSAGES, { as: "ann", body: again })).status, 200);
  });

  it("refuses what is no picture, too large, or too much", async () => {
    const app = await createTestShop();
    const text = new TextEncoder().encode("<svg/>");
    assert.deepEqual(await code(await sendPicture(app, text)), [422, "invalid"]);
    const svg = await sendPicture(app, text, { type: "image/svg+xml" });
    assert.deepEqual(await code(svg), [415, "unsupported_media_type"]);
    assert.deepEqual(await code(await sendPicture(app, jpeg(9_000, 1))), [422, "invalid"]);
    const large = new Uint8Array(5_242_881);
    large.set(png(1, 1));
    assert.deepEqual(await code(await sendPicture(app, large)), [413, "too_large"]);
    for (let i = 0; i < 18; i += 1) await sendPicture(app, png(1, 1));
    assert.deepEqual(await code(await sendPicture(app, png(1, 1))), [429, "rate_limited"]);
  });

  it("keeps no more than a share for each user, in a day and in all", async () => {
    const app = await createTestShop();
    const quota = { picturesPerDay: 4, megabytesPerDay: 100, pictures: 6, megabytes: 100 };
    await app.setSite({ chatQuota: quota });
    const send = async (): Promise<number> => (await sendPicture(app, png(1, 1))).status;
    const first = await take(app, "ann", png(1, 1));
    for (let i = 0; i < 3; i += 1) assert.equal(await send(), 201);
    assert.deepEqual(await code(await sendPicture(app, png(1, 1))), [409, "conflict"]);
    assert.equal((await sendPicture(app, png(1, 1), { as: "ben" })).status, 201);
    // Neither taking back nor waiting for the sweep gives more of the day.
    assert.equal((await app.send("DELETE", first.url, { as: "ann" })).status, 204);
    assert.equal(await send(), 409);
    app.clock.advance(62 * MINUTE);
    while ((await app.shop.chat.attachments.sweep()) > 0);
    assert.equal(await send(), 409);
    app.clock.advance(24 * 60 * MINUTE);
    while ((await app.shop.chat.attachments.sweep()) > 0);
    assert.equal(await app.store.read((tx) => tx.count(attachments)), 0);
    // What was sent counts for ever.
    for (let day = 0; day < 2; day += 1) {
      for (let i = 0; i < 3; i += 1)
        await write(app, "ann", "", { attachments: [(await take(app, "ann", png(1, 1))).id] });
      app.clock.advance(25 * 60 * MINUTE);
    }
    assert.equal(await send(), 409);
    await app.setSite({ chatQuota: { ...quota, pictures: 7 } });
    assert.equal(await send(), 201);
  });

  it("counts bytes, too", async () => {
    const app = await createTestShop();
    await app.setSite({
      chatQuota: { picturesPerDay: 100, megabytesPerDay: 1, pictures: 100, megabytes: 100 },
    });
    const half = new Uint8Array(png(1, 1).length + 600_000);
    half.set(png(1, 1));
    const [one, two] = [await sendPicture(app, half), await sendPicture(app, half)];
    // What is no picture is cut off before it counts.
    assert.deepEqual([one.status, two.status], [201, 201]);
    const { items } = await app.store.read((tx) => tx.list(attachments, "id", { limit: 2 }));
    const [record] = items;
    assert.ok(record !== undefined);
    await app.store.transact((tx) => tx.put(attachments, { ...record, bytes: 1_048_576 }));
    assert.deepEqual(await code(await sendPicture(app, png(1, 1))), [409, "conflict"]);
  });

  it("does not accept a picture of another conversation", async () => {
    const app = await createTestShop();
    const { id } = await take(app, "ben");
    await refused(app, "ann", id);
    await write(app, "ann", "hello");
    const answer = await app.admin("POST", "/api/admin/chat/conversations/usr_ann/messages", {
      body: "x",
      attachments: [id],
    });
    assert.deepEqual(await code(answer), [422, "invalid"]);
    const own = await take(app, "admin");
    await refused(app, "ann", own.id);
  });
});

describe("GET /api/chat/attachments/{id}", () => {
  const get = (app: TestShop, { url }: Picture, as?: string): Promise<Response> =>
    app.send("GET", url, { as });

  it("serves the picture to the two sides of the conversation only", async () => {
    const app = await createTestShop();
    const picture = await take(app);
    await write(app, "ann", "", { attachments: [picture.id] });
    for (const answer of [await get(app, picture, "ann"), await app.admin("GET", picture.url)]) {
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get("cache-control"), "private, no-store");
      assert.equal(answer.headers.get("content-type"), "image/png");
      assert.equal(answer.headers.get("cross-origin-resource-policy"), "same-origin");
      assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), png(640, 480));
    }
    assert.deepEqual(await code(await get(app, picture, "ben")), [404, "not_found"]);
    assert.deepEqual(await code(await get(app, picture)), [401, "unauthenticated"]);
    const wrong = await app.send("GET", picture.url, { headers: { "x-admin-token": "wrong" } });
    assert.equal(wrong.status, 401);
    const { hash } = (await app.store.read((tx) => tx.get(attachments, picture.id))) ?? { hash: "" };
    assert.equal((await app.send("GET", `/api/images/${hash}`)).status, 404);
  });

  it("serves an administrator's picture to the user once it was sent", async () => {
    const app = await createTestShop();
    await write(app, "ann", "hello");
    const picture = await take(app, "admin");
    assert.equal((await get(app, picture, "ann")).status, 404);
    await reply(app, "ann", "here", { attachments: [picture.id] });
    assert.equal((await get(app, picture, "ann")).status, 200);
    assert.equal((await get(app, picture, "ben")).status, 404);
  });

  it("forgets what no message named within an hour, and keeps the rest", async () => {
    const app = await createTestShop();
    const [used, unused] = [await take(app), await take(app)];
    await write(app, "ann", "", { attachments: [used.id] });
    app.clock.advance(60 * MINUTE);
    await refused(app, "ann", unused.id);
    assert.equal(await app.shop.chat.attachments.sweep(), 0);
    app.clock.advance(2 * MINUTE);
    const { hash } = (await app.store.read((tx) => tx.get(attachments, unused.id))) ?? { hash: "" };
    assert.notEqual(await app.shop.deps.blobs.get(hash), undefined);
    assert.equal(await app.shop.chat.attachments.sweep(), 1);
    assert.equal(await app.shop.deps.blobs.get(hash), undefined);
    assert.equal((await get(app, unused, "ann")).status, 404);
    assert.equal((await get(app, used, "ann")).status, 200);
  });
});

describe("removing pictures", () => {
  it("lets their user take back what was not sent, and nothing else", async () => {
    const app = await createTestShop();
    const picture = await take(app);
    assert.equal((await app.send("DELETE", picture.url)).status, 401);
    assert.deepEqual(await code(await app.send("DELETE", picture.url, { as: "ben" })), [404, "not_found"]);
    const { hash } = (await app.store.read((tx) => tx.get(attachments, picture.id))) ?? { hash: "" };
    assert.equal((await app.send("DELETE", picture.url, { as: "ann" })).status, 204);
    assert.equal(await app.shop.deps.blobs.get(hash), undefined);
    assert.equal((await app.send("GET", picture.url, { as: "ann" })).status, 404);
    assert.deepEqual(await code(await app.send("DELETE", picture.url, { as: "ann" })), [404, "not_found"]);
    await refused(app, "ann", picture.id);
    const sent = await take(app);
    await write(app, "ann", "", { attachments: [sent.id] });
    assert.deepEqual(await code(await app.send("DELETE", sent.url, { as: "ann" })), [409, "conflict"]);
    assert.equal((await app.send("GET", sent.url, { as: "ann" })).status, 200);
  });

  it("lets administrators remove any, and the messages say so", async () => {
    const app = await createTestShop();
    const [picture, other] = [await take(app), await take(app)];
    await write(app, "ann", "see", { attachments: [picture.id, other.id] });
    await reply(app, "ann", "this one?", { attachments: [picture.id] });
    const path = `/api/admin/chat/attachments/${picture.id}`;
    assert.equal((await app.send("DELETE", path)).status, 401);
    assert.equal((await app.admin("DELETE", path)).status, 204);
    assert.deepEqual(await code(await app.admin("DELETE", path)), [404, "not_found"]);
    assert.equal((await app.send("GET", picture.url, { as: "ann" })).status, 404);
    assert.equal((await app.admin("GET", picture.url)).status, 404);
    const { items } = await read<{ items: { attachments: { id: string; url?: string }[] }[] }>(
      await app.send("GET", MESSAGES, { as: "ann" }),
    );
    const urls = items.flatMap((message) => message.attachments.map(({ url }) => url));
    assert.deepEqual(urls, [undefined, undefined, other.url]);
    assert.equal((await app.send("GET", other.url, { as: "ann" })).status, 200);
  });

  it("is finished by the sweep where it was cut off", async () => {
    const app = await createTestShop();
    const picture = await take(app);
    await write(app, "ann", "", { attachments: [picture.id] });
    const { hash } = (await app.store.read((tx) => tx.get(attachments, picture.id))) ?? { hash: "" };
    const { blobs } = app.shop.deps;
    const chat = createChatRemoval(
      { ...app.shop.deps, blobs: { ...blobs, remove: () => Promise.reject(new Error("killed")) } },
      () => undefined,
    );
    const actor = { name: "test", clientId: "test", requestId: "test" };
    await assert.rejects(chat.removePicture(picture.id, actor), /killed/u);
    assert.equal((await app.send("GET", picture.url, { as: "ann" })).status, 404);
    assert.notEqual(await blobs.get(hash), undefined);
    assert.equal(await app.shop.chat.attachments.sweep(), 1);
    assert.equal(await blobs.get(hash), undefined);
  });

  it("goes with the conversation", async () => {
    const app = await createTestShop();
    const pictures = [await take(app), await take(app), await take(app)];
    await write(app, "ann", "", { attachments: [pictures[0]?.id ?? ""] });
    for (let i = 0; i < 110; i += 1) await reply(app, "ann", `answer ${i}`);
    await reply(app, "ann", "", { attachments: [(await take(app, "admin")).id] });
    const bens = await take(app, "ben");
    await write(app, "ben", "", { attachments: [bens.id] });
    const path = "/api/admin/chat/conversations/usr_ann";
    assert.equal((await app.send("DELETE", path)).status, 401);
    assert.equal((await app.admin("DELETE", path)).status, 204);
    assert.deepEqual(await code(await app.admin("DELETE", path)), [404, "not_found"]);
    for (const { url } of pictures) assert.equal((await app.send("GET", url, { as: "ann" })).status, 404);
    const { items } = await app.store.read((tx) => tx.list(attachments, "id", { limit: 100 }));
    const left: string[] = [];
    for (const { id, hash } of items) if ((await app.shop.deps.blobs.get(hash)) !== undefined) left.push(id);
    assert.deepEqual(left, [bens.id]);
    const seen = await read<{ items: unknown[] }>(await app.send("GET", MESSAGES, { as: "ann" }));
    assert.deepEqual(seen.items, []);
    assert.equal((await app.send("GET", bens.url, { as: "ben" })).status, 200);
    await write(app, "ann", "hello again");
    assert.equal((await app.admin("GET", path)).status, 200);
  });
});
