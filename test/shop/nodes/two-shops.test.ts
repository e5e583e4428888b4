/** Two shops on one store, joined by a bus: what one does is known to the other without polling the store. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLocalHub } from "../../support/local-hub.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { type TestShop, createTestShop, read } from "../app-fixture.ts";
import { type Message, insertOrder, openStream, reply, write } from "../chat/chat-fixture.ts";
import { addProduct } from "../goods.ts";
import { until } from "../../support/eventually.ts";

interface Both {
  readonly a: TestShop;
  readonly b: TestShop;
  readonly cut: (node: string) => void;
  readonly mend: (node: string) => void;
}

async function createBoth(): Promise<Both> {
  const hub = createLocalHub();
  const store = createMemoryStore({ collections: shopCollections });
  const clock = createFixedClock();
  const make = (node: string): Promise<TestShop> =>
    createTestShop({ store, clock, isShared: true, bus: hub.join(node) });
  return {
    a: await make("a"),
    b: await make("b"),
    cut: (node) => hub.setConnected(node, false),
    mend: (node) => hub.setConnected(node, true),
  };
}

const titles = ({ shop }: TestShop): string[] =>
  shop.catalogue.list({}, { sort: "newest", limit: 10 }).items.map(({ product }) => product.title);

describe("two shops", () => {
  it("notify streams and waiting requests of each other's messages", async () => {
    const { a, b } = await createBoth();
    await write(a, "ann", "Is it there?");
    const stream = await openStream(a, "ann");
    await stream.state();
    const waiting = a.send("GET", "/api/chat/messages?after=1&wait=25", { as: "ann" });
    await until(() => a.shop.chat.openPlaces() === 2);
    await reply(b, "ann", "Yes, it is");
    assert.equal((await stream.message()).body, "Yes, it is");
    assert.deepEqual(
      (await read<{ items: Message[] }>(await waiting)).items.map(({ body }) => body),
      ["Yes, it is"],
    );
    await stream.cancel();
  });

  it("notify those who wait for an order of each other's commits", async () => {
    const { a, b } = await createBoth();
    const order = { id: "ord_1", userId: "usr_ann", email: "ann@example.org" };
    await insertOrder(a.store, { ...order, createdAt: a.clock.now() });
    let looks = 0;
    const seen = a.shop.watch.until(
      "ord_1",
      async () => {
        looks += 1;
        const { status } = (await a.shop.orders.get("ord_1", { isAdmin: true })).order;
        return status === "pending_payment" ? undefined : status;
      },
      { waitMs: 600_000, signal: new AbortController().signal, address: "192.0.2.1" },
    );
    await until(() => looks === 1);
    await b.shop.orders.cancel("ord_1", { isAdmin: true });
    assert.equal(await seen, "canceled");
    // At once, and not by one of the looks that come every few seconds.
    assert.equal(looks, 2);
  });

  it("take over each other's products, stock and settings", async () => {
    const { a, b } = await createBoth();
    const { id } = await addProduct(a, { title: "A mug" });
    await until(() => titles(b).includes("A mug"));
    const patch = await b.admin("PATCH", `/api/admin/products/${id}`, { title: "A cup", version: 1 });
    assert.equal(patch.status, 200, await patch.text());
    await until(() => titles(a).includes("A cup"));
    await a.setSite({ name: "Ours" });
    await until(() => b.shop.catalogue.site().name === "Ours");
  });

  it("send no email about a reply to a user who reads it at the other one", async () => {
    const { a, b } = await createBoth();
    const order = { id: "ord_1", userId: "usr_ann", email: "ann@example.org" };
    await insertOrder(a.store, order);
    await write(a, "ann", "Is it there?");
    const stream = await openStream(a, "ann");
    await stream.state();
    // Until the other one knows, an answer is mailed: that is what presence changes.
    const isMailed = async (body: string): Promise<boolean> => {
      const before = (await b.mails("ann@example.org")).length;
      b.clock.advance(3_600_000);
      a.shop.chat.beat();
      await new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));
      await reply(b, "ann", body);
      return (await b.mails("ann@example.org")).length > before;
    };
    assert.equal(await isMailed("You see this"), false);
    await stream.cancel();
    assert.equal(await isMailed("You do not"), true);
  });

  it("read everything when the bus is back", async () => {
    const { a, b, cut, mend } = await createBoth();
    await write(a, "ann", "Is it there?");
    const stream = await openStream(a, "ann");
    await stream.state();
    cut("a");
    await addProduct(b, { title: "A mug" });
    await reply(b, "ann", "Yes, it is");
    assert.deepEqual(titles(a), []);
    mend("a");
    await until(() => titles(a).includes("A mug"));
    assert.equal((await stream.message()).body, "Yes, it is");
    await stream.cancel();
  });
});
