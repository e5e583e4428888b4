/** One person asks for what another one has, by its real id, on every route that takes one: there is nothing, and nothing changes. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMIN_TOKEN, code, createTestApp } from "../auth/app-fixture.ts";
import { png } from "../auth/pictures.ts";
import { createTestShop, read } from "../shop/app-fixture.ts";
import { type History, openStream, reply, write } from "../shop/chat/chat-fixture.ts";
import { addProduct, order } from "../shop/goods.ts";
import { authCollections } from "../../src/auth/app/records.ts";
import { shopCollections } from "../../src/shop/app/records.ts";
import { type Route, type Subject, dumpStore, listRoutes, takesJson } from "./route-cases.ts";

/** The path of Ann's record for a route with placeholders; undefined if the record has no owner. */
type Owned = (route: Route) => string | undefined;

type Asker = Pick<Subject, "store" | "collections" | "fetch">;

/** Sends every route to Ann's things as Bob; the routes that were tried. */
async function askAsBob(
  subject: Asker,
  routes: readonly Route[],
  scope: { owned: Owned; credentials: readonly Readonly<Record<string, string>>[] },
): Promise<string[]> {
  const tried: string[] = [];
  for (const route of routes) {
    const path = scope.owned(route);
    if (path === undefined || route.schemes.join() === "adminToken") continue;
    tried.push(route.name);
    for (const credential of scope.credentials) {
      const before = await dumpStore(subject);
      const headers = { ...credential, ...(takesJson(route) ? { "content-type": "application/json" } : {}) };
      const body = takesJson(route) ? { body: JSON.stringify(route.example) } : {};
      const response = await subject.fetch(path, { method: route.method, headers, ...body });
      assert.equal(response.status, 404, `${route.name} → ${await response.clone().text()}`);
      assert.deepEqual(await dumpStore(subject), before, route.name);
    }
  }
  return tried;
}

describe("what another person has", () => {
  it("is not there on any route of the auth center", async () => {
    const app = await createTestApp();
    const ann = await app.signUp("ann");
    const bob = await app.signUp("bob");
    const added = await app.send("POST", "/api/auth/emails", {
      token: ann.accessToken,
      body: { address: "ann@work.example", purposes: ["notify"] },
    });
    const { id: email }: { id: string } = await added.json();
    const list: { items: { id: string }[] } = await (
      await app.send("GET", "/api/auth/sessions", { token: ann.accessToken })
    ).json();
    const session = list.items[0]?.id ?? "";
    const subject = { ...app, collections: authCollections };
    const routes = await listRoutes({
      ...subject,
      name: "auth",
      places: () => "",
      credentials: async () => ({}),
    });
    const tried = await askAsBob(subject, routes, {
      credentials: [{ authorization: `Bearer ${bob.accessToken}` }],
      owned: ({ template }) => {
        if (template.startsWith("/api/auth/emails/{id}")) return template.replace("{id}", email);
        return template === "/api/auth/sessions/{id}" ? template.replace("{id}", session) : undefined;
      },
    });
    assert.equal(tried.length, 6, tried.join());
    // Still hers, and still good.
    for (const path of ["/api/auth/validate", "/api/auth/emails"])
      assert.equal((await app.send("GET", path, { token: ann.accessToken })).status, 200);
  });

  it("is not there on any route of the shop, nor in a message", async () => {
    const app = await createTestShop();
    const product = await addProduct(app, { id: `prd_${"1".repeat(26)}`, onHand: 50 });
    const { order: bought } = await order(app, [{ productId: product.id }], { userId: "usr_ann" });
    const { order: bobs } = await order(app, [{ productId: product.id }], { userId: "usr_bob" });
    assert.equal(
      (await app.send("POST", "/api/wishlist", { as: "ann", body: { productId: product.id } })).status,
      201,
    );
    const subject = { ...app, collections: shopCollections };
    const routes = await listRoutes({
      ...subject,
      name: "shop",
      places: () => "",
      credentials: async () => ({}),
      document: async () => (await app.fetch("/openapi.json")).json(),
    });
    const tried = await askAsBob(subject, routes, {
      credentials: [
        { authorization: "Bearer token-bob" },
        { "x-order-token": "ot_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" },
      ],
      owned: ({ template }) =>
        template.startsWith("/api/orders/{id}") ? template.replace("{id}", bought.id) : undefined,
    });
    assert.equal(tried.length, 13, tried.join());
    const wishes = await askAsBob(subject, routes, {
      credentials: [{ authorization: "Bearer token-bob" }],
      owned: ({ template }) =>
        template === "/api/wishlist/{productId}" ? template.replace("{productId}", product.id) : undefined,
    });
    assert.equal(wishes.length, 2, wishes.join());
    const say = (orderId: string): Promise<Response> =>
      app.send("POST", "/api/chat/messages", {
        as: "bob",
        body: { body: "mine?", clientId: orderId, orderId },
      });
    assert.ok([404, 422].includes((await say(bought.id)).status));
    assert.equal((await say(bobs.id)).status, 201);
    for (const token of ["", "wrong"])
      assert.equal((await app.fetch(`/demo-pay/${bought.id}?token=${token}`)).status, 404);
    // Who may not see it may not wait for it either.
    const waited = await app.send("GET", `/api/orders/${bought.id}/payment-status?wait=25`, { as: "bob" });
    assert.equal(waited.status, 404);
  });

  it("is not revealed in the chat, whatever position a stream resumes from", async () => {
    const hers = "conversationId=usr_ann&userId=usr_ann";
    for (const query of ["?lastEventId=0", "?lastEventId=1", "?lastEventId=2"]) {
      const app = await createTestShop();
      for (const body of ["Ann's first", "Ann's second"]) await write(app, "ann", body);
      const stream = await openStream(app, "bob", { query });
      await write(app, "bob", "Bob's own");
      await reply(app, "ann", "for Ann alone");
      await reply(app, "bob", "for Bob");
      for (const body of ["Bob's own", "for Bob"]) {
        const message = await stream.message();
        assert.deepEqual([message.body, message.conversationId], [body, "usr_bob"], query);
      }
      await stream.cancel();
      const listed = await app.send("GET", "/api/chat/messages?after=0", { as: "bob" });
      const { items } = await read<History>(listed);
      assert.deepEqual(
        items.map(({ body }) => body),
        ["Bob's own", "for Bob"],
      );
      for (const path of ["/api/chat/messages?after=0", "/api/chat/stream?lastEventId=0"])
        assert.equal((await app.send("GET", `${path}&${hers}`, { as: "bob" })).status, 422);
    }
  });

  it("is a picture of a chat only for its two sides, and is not revealed by a rejected request", async () => {
    const app = await createTestShop();
    const headers = { authorization: "Bearer token-ann", "content-type": "image/png" };
    const sent = await app.fetch("/api/chat/attachments", { method: "POST", headers, body: png(3, 5) });
    const { id } = await read<{ id: string }>(sent, 201);
    const near = `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`;
    assert.equal((await app.fetch(`/api/chat/attachments/${id}`)).status, 401);
    for (const [who, path] of [
      ["bob", `/api/chat/attachments/${id}`],
      ["ann", `/api/chat/attachments/${near}`],
      ["ann", `/api/images/${id}`],
      ["ann", "/api/images/"],
    ] as const)
      assert.equal((await app.send("GET", path, { as: who })).status, 404, `${who} ${path}`);
    for (const attachment of [id, near]) {
      const named = { as: "bob", body: { body: "", clientId: "n", attachments: [attachment] } };
      assert.ok(
        [404, 422].includes((await app.send("POST", "/api/chat/messages", named)).status),
        attachment,
      );
    }
    // A picture's route accepts no other method, and does not delete what belongs to another user.
    for (const method of ["PUT", "PATCH"])
      assert.equal((await app.fetch(`/api/chat/attachments/${id}`, { method, headers })).status, 405, method);
    const taken = await app.send("DELETE", `/api/chat/attachments/${id}`, { as: "bob" });
    assert.deepEqual(await code(taken), [404, "not_found"]);
    assert.equal((await app.send("GET", `/api/chat/attachments/${id}`, { as: "ann" })).status, 200);
  });

  it("is not opened by an administrator's token in the place of a person's", async () => {
    const app = await createTestShop();
    for (const path of ["/api/wishlist", "/api/orders", "/api/chat/messages", "/api/chat/stream"])
      assert.equal((await app.fetch(path, { headers: { "x-admin-token": ADMIN_TOKEN } })).status, 401, path);
  });
});
