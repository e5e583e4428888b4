/** The chat as users have it: messages, how far they are read, waiting. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { postSystemMessage } from "../../../src/shop/chat/messages.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { START } from "../../support/fixed-clock.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { type History, type State, insertOrder, insertProduct, reply, write } from "./chat-fixture.ts";
import { until } from "../../support/eventually.ts";

const MESSAGES = "/api/chat/messages";
const nobody = `att_${"0".repeat(26)}`;

async function history(app: TestShop, query = "", as = "ann"): Promise<History> {
  return read<History>(await app.send("GET", `${MESSAGES}${query}`, { as }));
}

function bodies({ items }: History): string[] {
  return items.map(({ body }) => body);
}

describe("POST /api/chat/messages", () => {
  it("stores a message with the next number, and begins a conversation", async () => {
    const app = await createTestShop();
    const first = await write(app, "ann", "hello", { clientId: "a-1" });
    assert.deepEqual(first, {
      id: "msg_000000000001",
      seq: 1,
      conversationId: "usr_ann",
      sender: "user",
      body: "hello",
      clientId: "a-1",
      attachments: [],
      createdAt: "2026-01-31T12:00:00.000+00:00",
    });
    assert.equal((await write(app, "ben", "hi")).seq, 2);
    const { conversation, items } = await history(app);
    assert.equal(items.length, 1);
    assert.deepEqual([conversation.status, conversation.unreadAdmin, conversation.lastSeq], ["open", 1, 1]);
  });

  it("answers the stored one when the same comes again, and 409 for another under its clientId", async () => {
    const app = await createTestShop();
    const first = await write(app, "ann", "hello", { clientId: "a-1" });
    const body = { body: "hello", clientId: "a-1" };
    assert.deepEqual(await read(await app.send("POST", MESSAGES, { as: "ann", body })), first);
    const other = await app.send("POST", MESSAGES, { as: "ann", body: { ...body, body: "bye" } });
    assert.deepEqual(await code(other), [409, "conflict"]);
    assert.equal((await write(app, "ben", "hello", { clientId: "a-1" })).seq, 2);
    assert.equal((await history(app)).items.length, 1);
  });

  it("stores one of many that come at once under one clientId, and numbers all without gaps", async () => {
    const store = createMemoryStore({ collections: shopCollections, forceReruns: true });
    const app = await createTestShop({ store });
    const same = Array.from({ length: 8 }, () =>
      app.send("POST", MESSAGES, { as: "ann", body: { body: "once", clientId: "x" } }),
    );
    const others = Array.from({ length: 8 }, (_, i) => write(app, "ben", `number ${i}`));
    const statuses = (await Promise.all(same)).map(({ status }) => status);
    await Promise.all(others);
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, 200, 200, 200, 200, 200, 200, 201],
    );
    const found = [...(await history(app)).items, ...(await history(app, "", "ben")).items];
    assert.deepEqual(
      found.map(({ seq }) => seq).toSorted((a, b) => a - b),
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
  });

  it("takes orders of the user's own and products of the catalogue only", async () => {
    const app = await createTestShop();
    await insertOrder(app.store, { id: "ord_ann", userId: "usr_ann", email: "ann@example.org" });
    await insertOrder(app.store, { id: "ord_ben", userId: "usr_ben", email: "ben@example.org" });
    await insertProduct(app.store, { id: "prd_shown", status: "published" });
    await insertProduct(app.store, { id: "prd_draft", status: "draft" });
    const about = { orderId: "ord_ann", productId: "prd_shown" };
    assert.equal((await write(app, "ann", "about these", about)).orderId, "ord_ann");
    for (const wrong of [{ orderId: "ord_ben" }, { orderId: "none" }, { productId: "prd_draft" }]) {
      const response = await app.send("POST", MESSAGES, { as: "ann", body: { body: "x", ...wrong } });
      assert.deepEqual(await code(response), [422, "invalid"]);
    }
    assert.equal((await history(app)).items.length, 1);
  });

  it("takes 20 a minute of a user, and repeats beyond", async () => {
    const app = await createTestShop();
    for (let i = 0; i < 20; i += 1) await write(app, "ann", `m ${i}`, { clientId: `c-${i}` });
    const more = await app.send("POST", MESSAGES, { as: "ann", body: { body: "one more" } });
    assert.ok(Number(more.headers.get("retry-after")) >= 1);
    assert.deepEqual(await code(more), [429, "rate_limited"]);
    const again = await app.send("POST", MESSAGES, { as: "ann", body: { body: "m 3", clientId: "c-3" } });
    assert.equal(again.status, 200);
    await write(app, "ben", "not my limit");
    app.clock.advance(120_000);
    await write(app, "ann", "later");
  });

  it("refuses what is empty, too long, or no text that can be kept", async () => {
    const app = await createTestShop();
    for (const body of [
      {},
      { body: " \n " },
      { body: "x".repeat(4_001) },
      { body: "bell \u0007" },
      { body: "x", clientId: "msg_000000000001" },
      { body: "x", clientId: "a b" },
      { body: "x", sender: "admin" },
      { body: "x", attachments: Array.from({ length: 6 }, (_, i) => `${nobody}${i}`) },
      { body: "x", attachments: ["../secret"] },
      { body: "x", attachments: [nobody, nobody] },
      { body: "x", attachments: [nobody] },
    ]) {
      const response = await app.send("POST", MESSAGES, { as: "ann", body });
      assert.deepEqual(await code(response), [422, "invalid"], JSON.stringify(body).slice(0, 80));
    }
    const json = { authorization: "Bearer token-ann", "content-type": "application/json" };
    const post = (body: string): Promise<Response> =>
      app.fetch(MESSAGES, { method: "POST", headers: json, body });
    assert.deepEqual(await code(await post('{"body":')), [400, "bad_request"]);
    assert.deepEqual(await code(await post(String.raw`{"body":"\ud800"}`)), [400, "bad_request"]);
    assert.deepEqual(await code(await post(`{"body":"${"x".repeat(300_000)}"}`)), [413, "too_large"]);
    await write(app, "ann", "😀".repeat(2_000));
  });

  it("rejects requests without a session on every route, and says when the auth center is unavailable", async () => {
    const app = await createTestShop();
    const routes: [string, string, object?][] = [
      ["GET", MESSAGES],
      ["POST", MESSAGES, { body: "x" }],
      ["POST", "/api/chat/read", {}],
      ["POST", "/api/chat/attachments", {}],
      ["GET", "/api/chat/stream"],
    ];
    for (const [method, path, body] of routes) {
      assert.deepEqual(await code(await app.send(method, path, { body })), [401, "unauthenticated"]);
      const wrong = { authorization: "Bearer other" };
      const refused = await app.send(method, path, { body, headers: wrong });
      assert.deepEqual(await code(refused), [401, "token_invalid"]);
      app.setAuth("down");
      const away = await app.send(method, path, { body, as: "ann" });
      assert.deepEqual(await code(away), [503, "auth_unavailable"]);
      app.setAuth("up");
    }
  });
});

describe("GET /api/chat/messages", () => {
  it("pages backward and forward, and only shows the user's own", async () => {
    const app = await createTestShop();
    assert.deepEqual(await history(app), {
      items: [],
      conversation: {
        status: "open",
        unreadUser: 0,
        unreadAdmin: 0,
        readByUser: 0,
        readByAdmin: 0,
        lastSeq: 0,
      },
    });
    for (const body of ["a", "b", "c", "d", "e"]) {
      await write(app, "ann", body);
      await write(app, "ben", "other");
    }
    const newest = await history(app, "?limit=2");
    assert.deepEqual(bodies(newest), ["e", "d"]);
    const older = await history(app, `?limit=2&cursor=${newest.nextCursor}`);
    assert.deepEqual(bodies(older), ["c", "b"]);
    const last = await history(app, `?limit=2&cursor=${older.nextCursor}`);
    assert.deepEqual([bodies(last), last.nextCursor], [["a"], undefined]);
    const forward = await history(app, "?limit=3&order=newer");
    assert.deepEqual(bodies(forward), ["a", "b", "c"]);
    assert.deepEqual(bodies(await history(app, `?order=newer&cursor=${forward.nextCursor}`)), ["d", "e"]);
    assert.deepEqual(bodies(await history(app, "?after=5")), ["d", "e"]);
    const bad = await app.send("GET", `${MESSAGES}?cursor=nonsense`, { as: "ann" });
    assert.deepEqual(await code(bad), [400, "bad_request"]);
    const wrong = await app.send("GET", `${MESSAGES}?order=sideways`, { as: "ann" });
    assert.deepEqual(await code(wrong), [422, "invalid"]);
  });

  it("waits for a message, and answers empty when the time is over", async () => {
    const app = await createTestShop();
    await write(app, "ann", "old");
    const waiting = history(app, "?after=1&wait=25");
    await until(() => app.shop.chat.openPlaces() === 1);
    // Other people's news do not end it.
    await write(app, "ben", "other");
    await reply(app, "ann", "the answer");
    assert.deepEqual(bodies(await waiting), ["the answer"]);

    const empty = history(app, "?after=3&wait=10");
    let isDone = false;
    void empty.then(() => {
      isDone = true;
    });
    await until(() => app.shop.chat.openPlaces() === 1);
    app.clock.advance(9_999);
    await app.shop.chat.follow();
    await app.shop.chat.follow();
    assert.equal(isDone, false);
    app.clock.advance(1);
    await app.shop.chat.follow();
    assert.deepEqual(bodies(await empty), []);
  });

  it("waits with a place of the five that a user has, which a client that goes away frees", async () => {
    const app = await createTestShop();
    const leave = new AbortController();
    const path = `${MESSAGES}?after=0&wait=25`;
    const headers = { authorization: "Bearer token-ann" };
    const waiting = Array.from({ length: 5 }, () => app.fetch(path, { headers, signal: leave.signal }));
    await until(() => app.shop.chat.openPlaces() === 5);
    assert.deepEqual(await code(await app.fetch(path, { headers })), [429, "rate_limited"]);
    leave.abort();
    await Promise.allSettled(waiting);
    assert.equal(app.shop.chat.openPlaces(), 0);
    await write(app, "ann", "there");
    assert.deepEqual(bodies(await history(app, "?after=0&wait=25")), ["there"]);
    const alone = await app.send("GET", `${MESSAGES}?wait=5`, { as: "ann" });
    assert.deepEqual(await code(alone), [422, "invalid"]);
    const long = await app.send("GET", `${path}0`, { as: "ann" });
    assert.deepEqual(await code(long), [422, "invalid"]);
  });
});

describe("POST /api/chat/read", () => {
  async function readUpTo(app: TestShop, body: object): Promise<number[]> {
    const response = await app.send("POST", "/api/chat/read", { as: "ann", body });
    const { unreadUser, readByUser, lastSeq } = await read<State>(response);
    return [unreadUser, readByUser, lastSeq];
  }

  it("counts what is unread right after every step, and never goes back", async () => {
    const app = await createTestShop();
    await write(app, "ann", "q");
    for (const body of ["1", "2", "3"]) await reply(app, "ann", body);
    assert.equal((await history(app)).conversation.unreadUser, 3);
    assert.deepEqual(await readUpTo(app, { upTo: 3 }), [1, 3, 4]);
    assert.deepEqual(await readUpTo(app, { upTo: 2 }), [1, 3, 4]);
    assert.deepEqual(await readUpTo(app, { upTo: 3 }), [1, 3, 4]);
    // What is not written yet cannot have been read.
    assert.deepEqual(await readUpTo(app, { upTo: 1_000 }), [0, 4, 4]);
    await reply(app, "ann", "4");
    assert.deepEqual(await readUpTo(app, { upTo: 4 }), [1, 4, 5]);
    assert.deepEqual(await readUpTo(app, {}), [0, 5, 5]);
  });

  it("takes several tabs at once, in any order", async () => {
    const store = createMemoryStore({ collections: shopCollections, forceReruns: true });
    const app = await createTestShop({ store });
    await write(app, "ann", "q");
    for (let i = 0; i < 9; i += 1) await reply(app, "ann", `${i}`);
    await Promise.all([7, 3, 9, 5, 2].map((upTo) => readUpTo(app, { upTo })));
    const { conversation } = await history(app);
    assert.deepEqual([conversation.readByUser, conversation.unreadUser], [9, 1]);
  });

  it("has nothing to read before the first message, and refuses other values", async () => {
    const app = await createTestShop();
    assert.deepEqual(await readUpTo(app, { upTo: 5 }), [0, 0, 0]);
    for (const body of [{ upTo: -1 }, { upTo: 1.5 }, { upTo: "3" }, { all: true }]) {
      const response = await app.send("POST", "/api/chat/read", { as: "ann", body });
      assert.deepEqual(await code(response), [422, "invalid"]);
    }
  });
});

describe("messages of the shop itself", () => {
  it("appear in the conversation, which they begin, and count as unread for the user", async () => {
    const app = await createTestShop();
    await app.store.transact((tx) =>
      postSystemMessage(tx, { userId: "usr_ann", body: "It was sent", orderId: "ord_1", nowMs: START }),
    );
    const { items, conversation } = await history(app);
    assert.deepEqual(
      items.map(({ sender, body, orderId }) => [sender, body, orderId]),
      [["system", "It was sent", "ord_1"]],
    );
    assert.deepEqual([conversation.unreadUser, conversation.unreadAdmin], [1, 0]);
    await write(app, "ann", "thank you");
    const view = await read<State>(await app.admin("GET", "/api/admin/chat/conversations/usr_ann"));
    assert.deepEqual([view.username, view.unreadAdmin, view.unreadUser], ["ann", 1, 1]);
  });
});
