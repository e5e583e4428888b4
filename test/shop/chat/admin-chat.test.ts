/** The chat as administrators have it: conversations and their filters, answers, who has which, mails about answers. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { auditCollection } from "../../../src/records/audit-chain.ts";
import { png } from "../../auth/pictures.ts";
import { type TestShop, ADMIN_TOKEN, code, createTestShop, read } from "../app-fixture.ts";
import { type History, type State, insertOrder, openStream, reply, write } from "./chat-fixture.ts";

const BASE = "/api/admin/chat/conversations";

interface ConversationPage {
  readonly items: State[];
  readonly nextCursor?: string;
}

async function list(app: TestShop, query = ""): Promise<ConversationPage> {
  return read<ConversationPage>(await app.admin("GET", `${BASE}${query}`));
}

async function names(app: TestShop, query = ""): Promise<(string | undefined)[]> {
  const { items, nextCursor } = await list(app, query);
  assert.equal(nextCursor, undefined);
  return items.map(({ username }) => username);
}

async function change(app: TestShop, name: string, step: string, body: object): Promise<State> {
  return read<State>(await app.admin("POST", `${BASE}/usr_${name}/${step}`, body));
}

/** Conversations of ann (resolved), ben (unread, Kim's), cem (read, Kim's), dan (unread). */
async function createFour(): Promise<TestShop> {
  const app = await createTestShop();
  for (const name of ["ann", "ben", "cem", "dan"]) {
    app.clock.advance(1_000);
    await write(app, name, `Hello from ${name}`);
  }
  await change(app, "ann", "read", {});
  await change(app, "ann", "status", { status: "resolved" });
  await change(app, "ben", "assign", { assignee: "Kim" });
  await change(app, "cem", "assign", { assignee: "Kim" });
  await change(app, "cem", "read", {});
  return app;
}

describe("GET /api/admin/chat/conversations", () => {
  it("lists the one that was written in last first, by filters alone and together", async () => {
    const app = await createFour();
    assert.deepEqual(await names(app), ["dan", "cem", "ben", "ann"]);
    assert.deepEqual(await names(app, "?status=open"), ["dan", "cem", "ben"]);
    assert.deepEqual(await names(app, "?status=resolved"), ["ann"]);
    assert.deepEqual(await names(app, "?unread=true"), ["dan", "ben"]);
    assert.deepEqual(await names(app, "?unread=false"), ["cem", "ann"]);
    assert.deepEqual(await names(app, "?assignee=Kim"), ["cem", "ben"]);
    assert.deepEqual(await names(app, "?assignee="), ["dan", "ann"]);
    assert.deepEqual(await names(app, "?assignee=Kim&unread=true"), ["ben"]);
    assert.deepEqual(await names(app, "?q=FROM%20D"), ["dan"]);
    assert.deepEqual(await names(app, "?q=hello&status=open"), ["dan", "cem", "ben"]);
    assert.deepEqual(await names(app, "?q=nothing"), []);
    app.clock.advance(1_000);
    await write(app, "ann", "again");
    assert.deepEqual(await names(app, "?status=open"), ["ann", "dan", "cem", "ben"]);
  });

  it("pages through all of them once, with and without filters", async () => {
    const app = await createFour();
    for (const filter of ["limit=1", "limit=3", "limit=2&q=hello", "limit=1&unread=false", "limit=2&q=ben"]) {
      const all = (await list(app, `?${filter.replace(/limit=\d/u, "limit=100")}`)).items;
      const seen = [];
      let cursor = "";
      do {
        const page = await list(app, `?${filter}${cursor}`);
        seen.push(...page.items);
        cursor = page.nextCursor === undefined ? "" : `&cursor=${page.nextCursor}`;
      } while (cursor !== "");
      assert.deepEqual(seen, all, filter);
    }
  });

  it("rejects other filters, a foreign cursor and everyone else", async () => {
    const app = await createTestShop();
    for (const query of ["?status=closed", "?unread=1", "?limit=0", "?q="])
      assert.deepEqual(await code(await app.admin("GET", `${BASE}${query}`)), [422, "invalid"], query);
    assert.deepEqual(await code(await app.admin("GET", `${BASE}?cursor=x`)), [400, "bad_request"]);
    const routes: [string, string][] = [
      ["GET", BASE],
      ["GET", `${BASE}/usr_ann`],
      ["GET", `${BASE}/usr_ann/messages`],
      ["POST", `${BASE}/usr_ann/messages`],
      ["POST", `${BASE}/usr_ann/read`],
      ["POST", `${BASE}/usr_ann/assign`],
      ["POST", `${BASE}/usr_ann/status`],
      ["POST", "/api/admin/chat/attachments"],
    ];
    for (const [index, [method, path]] of routes.entries()) {
      assert.deepEqual(await code(await app.send(method, path)), [401, "unauthenticated"]);
      // Further wrong tokens of one address are rejected unchecked.
      const from = `192.0.2.${index + 10}`;
      const headers = { "x-admin-token": "adm_wrong" };
      const wrong = await app.send(method, path, { as: "ann", from, headers });
      assert.deepEqual(await code(wrong), [401, "unauthenticated"]);
    }
  });

  it("answers 404 for a conversation that has not begun, on every route", async () => {
    const app = await createTestShop();
    const routes: [string, string, object?][] = [
      ["GET", ""],
      ["GET", "/messages"],
      ["POST", "/messages", { body: "x" }],
      ["POST", "/read", {}],
      ["POST", "/assign", { assignee: "Kim" }],
      ["POST", "/status", { status: "open" }],
    ];
    for (const [method, path, body] of routes)
      assert.deepEqual(await code(await app.admin(method, `${BASE}/usr_x${path}`, body)), [404, "not_found"]);
  });
});

describe("answers of administrators", () => {
  it("are stored once, and appear in the same history", async () => {
    const app = await createTestShop();
    await write(app, "ann", "question", { clientId: "same" });
    const answer = await reply(app, "ann", "answer", { clientId: "same" });
    assert.deepEqual([answer.sender, answer.seq], ["admin", 2]);
    const again = { body: "answer", clientId: "same" };
    assert.deepEqual(await read(await app.admin("POST", `${BASE}/usr_ann/messages`, again)), answer);
    const other = await app.admin("POST", `${BASE}/usr_ann/messages`, { ...again, body: "other" });
    assert.deepEqual(await code(other), [409, "conflict"]);
    const { items, conversation } = await read<History>(await app.admin("GET", `${BASE}/usr_ann/messages`));
    assert.deepEqual(
      items.map(({ body }) => body),
      ["answer", "question"],
    );
    assert.deepEqual(
      [conversation.unreadAdmin, conversation.unreadUser, conversation.preview],
      [1, 1, "answer"],
    );
    const forward = await read<History>(await app.admin("GET", `${BASE}/usr_ann/messages?after=1`));
    assert.deepEqual(
      forward.items.map(({ seq }) => seq),
      [2],
    );
  });

  it("are refused when empty or about another user's order", async () => {
    const app = await createTestShop();
    await write(app, "ann", "question");
    await insertOrder(app.store, { id: "ord_ben", userId: "usr_ben", email: "ben@example.org" });
    for (const body of [{ body: "" }, { body: "x", orderId: "ord_ben" }, { body: "x", userId: "usr_ben" }]) {
      const response = await app.admin("POST", `${BASE}/usr_ann/messages`, body);
      assert.deepEqual(await code(response), [422, "invalid"]);
    }
  });

  it("may have pictures", async () => {
    const app = await createTestShop();
    const send = (type: string): Promise<Response> =>
      app.fetch("/api/admin/chat/attachments", {
        method: "POST",
        headers: { "x-admin-token": ADMIN_TOKEN, "content-type": type },
        body: png(2, 3),
      });
    const picture = await read<{ id: string; height: number }>(await send("image/png"), 201);
    assert.equal(picture.height, 3);
    assert.deepEqual(await code(await send("text/plain")), [415, "unsupported_media_type"]);
  });
});

describe("what administrators change", () => {
  it("is read up to a message and never goes back", async () => {
    const app = await createTestShop();
    for (const body of ["1", "2", "3"]) await write(app, "ann", body);
    const steps = [];
    for (const upTo of [2, 1, 900]) {
      const { unreadAdmin, readByAdmin } = await change(app, "ann", "read", { upTo });
      steps.push([unreadAdmin, readByAdmin]);
    }
    assert.deepEqual(steps, [
      [1, 2],
      [1, 2],
      [0, 3],
    ]);
    assert.deepEqual(await names(app, "?unread=true"), []);
  });

  it("is the status and who has it, each audited once", async () => {
    const app = await createTestShop();
    await write(app, "ann", "hello");
    for (const status of ["resolved", "resolved", "open"])
      assert.equal((await change(app, "ann", "status", { status })).status, status);
    for (const assignee of ["Kim", "Kim", null])
      assert.equal((await change(app, "ann", "assign", { assignee })).assignee, assignee ?? undefined);
    const { items } = await app.store.read((tx) => tx.list(auditCollection, "id", { limit: 100 }));
    assert.deepEqual(
      items.map(({ action, target }) => [action, target]),
      [
        ["chat.resolve", "usr_ann"],
        ["chat.reopen", "usr_ann"],
        ["chat.assign", "usr_ann"],
        ["chat.assign", "usr_ann"],
      ],
    );
    for (const [step, body] of [
      ["status", { status: "closed" }],
      ["assign", { assignee: "" }],
      ["assign", {}],
    ] as const)
      assert.deepEqual(await code(await app.admin("POST", `${BASE}/usr_ann/${step}`, body)), [
        422,
        "invalid",
      ]);
  });

  it("stays resolved when an administrator writes, and opens again when the user does", async () => {
    const app = await createTestShop();
    await write(app, "ann", "hello");
    await change(app, "ann", "status", { status: "resolved" });
    await reply(app, "ann", "good bye");
    assert.deepEqual(await names(app, "?status=resolved"), ["ann"]);
    await write(app, "ann", "wait");
    assert.deepEqual(await names(app, "?status=resolved"), []);
  });
});

describe("the mail about an answer", () => {
  async function createApp(): Promise<TestShop> {
    const app = await createTestShop();
    await insertOrder(app.store, { id: "o1", userId: "usr_ann", email: "old@example.org", createdAt: 1 });
    await insertOrder(app.store, { id: "o2", userId: "usr_ann", email: "new@example.org", createdAt: 2 });
    await write(app, "ann", "question");
    return app;
  }

  it("goes to the address that was verified when the user wrote, at most once an hour", async () => {
    const app = await createApp();
    await reply(app, "ann", "Yes, it is");
    await reply(app, "ann", "And red");
    const mails = await app.mails();
    assert.deepEqual(
      mails.map(({ to, kind }) => [to, kind]),
      [["ann@example.org", "chat_reply"]],
    );
    assert.match(mails[0]?.text ?? "", /Yes, it is[\s\S]*https:\/\/shop\.example\.org/u);
    app.clock.advance(3_599_000);
    await reply(app, "ann", "Still");
    assert.equal((await app.mails()).length, 1);
    app.clock.advance(1_000);
    await reply(app, "ann", "Now");
    assert.equal((await app.mails()).length, 2);
  });

  it("is not written while the auth center returned no address, and the message is stored all the same", async () => {
    const app = await createTestShop();
    await insertOrder(app.store, { id: "o1", userId: "usr_ann", email: "old@example.org", createdAt: 1 });
    app.setAuth("no_addresses");
    await write(app, "ann", "question");
    await reply(app, "ann", "answer");
    assert.deepEqual(await app.mails(), []);
    app.setAuth("up");
    app.setAddresses("ann", ["ann@work.example"]);
    await write(app, "ann", "another");
    await reply(app, "ann", "answer");
    assert.deepEqual(
      (await app.mails()).map(({ to }) => to),
      ["ann@work.example"],
    );
  });

  it("is not written to a user who has a stream, without a verified address, or when switched off", async () => {
    const app = await createApp();
    const stream = await openStream(app, "ann");
    await reply(app, "ann", "seen");
    await stream.cancel();
    app.setAddresses("ben", []);
    await write(app, "ben", "no address");
    await reply(app, "ben", "answer");
    await app.setSmtp({
      notify: {
        order_placed: true,
        order_paid: true,
        order_delivered: true,
        order_shipped: true,
        order_canceled: true,
        order_expired: true,
        order_refunded: true,
        order_edited: true,
        file_version: true,
        restock: true,
        price_drop: true,
        admin_attention: true,
        new_order: true,
        new_message: true,
        low_stock: true,
        withdrawal: true,
        dispute: true,
        chat_reply: false,
      },
    });
    await reply(app, "ann", "switched off");
    assert.deepEqual(await app.mails(), []);
  });
});
