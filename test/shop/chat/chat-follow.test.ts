/** What is stored past the chat, by orders and other processes, reaches those who wait. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { postSystemMessage } from "../../../src/shop/chat/messages.ts";
import { START } from "../../support/fixed-clock.ts";
import { createTestShop, read } from "../app-fixture.ts";
import { type Message, openStream } from "./chat-fixture.ts";
import { until } from "../../support/eventually.ts";

describe("follow", () => {
  it("sends what was stored past the application, such as messages of orders", async () => {
    const app = await createTestShop();
    const stream = await openStream(app, "ann");
    await stream.state();
    const next = stream.message();
    await app.store.transact((tx) =>
      postSystemMessage(tx, { userId: "usr_ann", body: "It was sent", nowMs: START }),
    );
    await app.shop.chat.follow();
    assert.equal((await next).body, "It was sent");
    const after = stream.message();
    await app.store.transact((tx) =>
      postSystemMessage(tx, { userId: "usr_ann", body: "It came", nowMs: START }),
    );
    await app.shop.chat.follow();
    assert.equal((await after).body, "It came");
    await stream.cancel();
  });

  it("wakes waiting requests too, once for what it knows", async () => {
    const app = await createTestShop();
    await app.shop.chat.follow();
    const waiting = app.send("GET", "/api/chat/messages?after=0&wait=25", { as: "ann" });
    await until(() => app.shop.chat.openPlaces() === 1);
    await app.store.transact((tx) =>
      postSystemMessage(tx, { userId: "usr_ann", body: "news", nowMs: START }),
    );
    await app.shop.chat.follow();
    assert.equal((await read<{ items: Message[] }>(await waiting)).items[0]?.body, "news");
  });
});
