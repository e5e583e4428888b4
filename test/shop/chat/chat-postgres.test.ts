/** The chat of two processes on one PostgreSQL: what one stores comes out of the other's streams. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { openPostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import { createTestDatabase } from "../../support/postgres.ts";
import { type TestShop, createTestShop, read } from "../app-fixture.ts";
import { type Message, type State, openStream, reply, write } from "./chat-fixture.ts";
import { until } from "../../support/eventually.ts";

async function withTwo(work: (first: TestShop, second: TestShop) => Promise<void>): Promise<void> {
  const database = await createTestDatabase();
  const open = (): ReturnType<typeof openPostgresStore> =>
    openPostgresStore({ url: database.url, name: "shop", collections: shopCollections });
  const stores = [await open(), await open()] as const;
  const first = await createTestShop({ store: stores[0] });
  const second = await createTestShop({ store: stores[1] });
  try {
    await work(first, second);
  } finally {
    for (const { shop } of [first, second]) shop.chat.close();
    for (const store of stores) await store.close();
    await database.drop();
  }
}

describe("two applications on one database", () => {
  it("send each other's messages and counters by follow, and a stream goes on at the other", async () => {
    await withTwo(async (first, second) => {
      await first.shop.chat.follow();
      await second.shop.chat.follow();
      const user = await openStream(second, "ann");
      const admin = await openStream(second, undefined);
      await user.state();

      await write(first, "ann", "one");
      const sent = [user.message(), admin.message()];
      await second.shop.chat.follow();
      for (const message of await Promise.all(sent))
        assert.deepEqual([message.seq, message.body], [1, "one"]);
      assert.equal((await user.state()).unreadAdmin, 1);
      assert.equal((await admin.state()).unreadAdmin, 1);

      const states = [user.state(), admin.state()];
      await first.admin("POST", "/api/admin/chat/conversations/usr_ann/read", {});
      await second.shop.chat.follow();
      for (const state of await Promise.all(states)) assert.equal(state.unreadAdmin, 0);

      await user.cancel();
      await reply(second, "ann", "two");
      const again = await openStream(first, "ann", { headers: { "last-event-id": "1" } });
      assert.equal((await again.message()).body, "two");
      await again.cancel();
      await admin.cancel();
    });
  });

  it("end a waiting request by the other's message", async () => {
    await withTwo(async (first, second) => {
      await second.shop.chat.follow();
      const waiting = second.send("GET", "/api/chat/messages?after=0&wait=25", { as: "ann" });
      await until(() => second.shop.chat.openPlaces() === 1);
      await write(first, "ann", "there");
      await second.shop.chat.follow();
      const { items } = await read<{ items: Message[] }>(await waiting);
      assert.equal(items[0]?.body, "there");
    });
  });

  it("number messages that come at once without gaps, store a repeated one once, and count all", async () => {
    await withTwo(async (first, second) => {
      const sends = [first, second].flatMap((app) => [
        ...["ann", "ben", "cem"].map((name) => write(app, name, `from ${name}`).then(() => 201)),
        app
          .send("POST", "/api/chat/messages", { as: "ann", body: { body: "once", clientId: "c" } })
          .then(({ status }) => status),
      ]);
      const statuses = await Promise.all(sends);
      assert.deepEqual(
        statuses.toSorted((a, b) => a - b),
        [200, 201, 201, 201, 201, 201, 201, 201],
      );
      const admin = await openStream(first, undefined, { query: "?lastEventId=0" });
      const seqs = [];
      while (seqs.length < 7) seqs.push((await admin.message()).seq);
      assert.deepEqual(seqs, [1, 2, 3, 4, 5, 6, 7]);
      await admin.cancel();
      const ann = await second.admin("GET", "/api/admin/chat/conversations/usr_ann");
      const { unreadAdmin } = await read<State>(ann);
      assert.equal(unreadAdmin, 3);
    });
  });
});
