/** The shop on two nodes: units, notices, conversations and pictures are the same on both. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { signWebhook } from "../../src/kit/secrets/webhook-signature.ts";
import { realPng } from "../auth/pictures.ts";
import { eventually } from "../support/eventually.ts";
import { EventReader } from "../shop/chat/chat-fixture.ts";
import { bothNodes, call, cluster, newName } from "./cluster.ts";
import { addProduct, checkOut } from "./goods.ts";
import { signIn, signUp } from "./people.ts";

const { a, b } = cluster.nodes;
const front = cluster.front.shop;

interface ShownProduct {
  readonly images: readonly { readonly url: string }[];
}

/** Buys as a client does that is throttled: the key makes it one order. */
async function buy(productId: string, from: string): Promise<{ status: number }> {
  const key = newName("race");
  for (;;) {
    const answer = await checkOut(front, { productId, from, key });
    if (answer.status !== 503) return answer;
    assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/u);
    console.log("a checkout was told to come again");
  }
}

describe("a sale over two nodes", () => {
  it("gives 60 buyers at once exactly the 10 units that there are", async () => {
    const productId = await addProduct(front, { units: 10 });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => buy(productId, `198.51.100.${index + 1}`)),
    );
    const count = (status: number): number => answers.filter((answer) => answer.status === status).length;
    assert.deepEqual({ made: count(201), refused: count(409) }, { made: 10, refused: 50 });
    for (const { shop } of bothNodes) {
      const { items } = await call<{ items: { lines: { productId: string }[] }[] }>(
        "GET",
        `${shop}/api/admin/orders?limit=100`,
        { admin: true },
      );
      const orders = items.filter(({ lines }) => lines.some((line) => line.productId === productId));
      assert.equal(orders.length, 10);
    }
  });

  it("delivers once what two notices of one payment pay, sent to both nodes at once", async () => {
    const secret = newName("a secret of the payment service");
    const site = await call<{ version: number }>("GET", `${front}/api/admin/site`, { admin: true });
    const paymentProviders = [{ word: "nodes", title: "Nodes", secret, requireWebhookSecret: true }];
    await call("PATCH", `${front}/api/admin/site`, {
      admin: true,
      body: { version: site.version, paymentProviders },
    });
    const productId = await addProduct(front, { keys: ["KEY-1", "KEY-2", "KEY-3"] });
    const bought = await checkOut(front, { productId, from: "198.51.100.77" });
    assert.equal(bought.status, 201, JSON.stringify(bought.body));
    const { order } = bought.body;
    const body = JSON.stringify({
      type: "payment.arrived",
      timestamp: new Date().toISOString(),
      data: {
        id: newName("pay"),
        orderId: order.id,
        amount: order.total,
        currency: order.currency,
        status: "succeeded",
      },
    });
    const notify = async ({ shop }: { shop: string }): Promise<number> => {
      const id = newName("evt");
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const response = await fetch(`${shop}/api/webhooks/nodes-pay`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": timestamp,
          "webhook-signature": signWebhook(secret, { id, timestamp, body }),
        },
        body,
      });
      await response.body?.cancel();
      return response.status;
    };
    const statuses = await Promise.all([a, b, a, b].map(notify));
    assert.deepEqual(statuses, [200, 200, 200, 200]);
    for (const { shop } of bothNodes)
      await eventually(async () => {
        const found = await call<{
          paymentStatus: string;
          amountPaid: number;
          lines: { delivered?: string[] }[];
        }>("GET", `${shop}/api/admin/orders/${order.id}`, { admin: true });
        assert.deepEqual([found.paymentStatus, found.amountPaid], ["paid", order.total]);
        assert.equal(found.lines.flatMap(({ delivered = [] }) => delivered).length, 1);
      });
    const outbox = await call<{ items: { to: string; kind?: string; text: string }[] }>(
      "GET",
      `${front}/api/admin/smtp/outbox`,
      { admin: true },
    );
    const withKey = outbox.items.filter(({ to, text }) => to === bought.email && text.includes("KEY-"));
    assert.equal(withKey.length, 1);
  });

  it("shows a product, its price and its picture on the other node as soon as it is changed on one", async () => {
    const productId = await addProduct(a.shop, { units: 5 });
    await eventually(() => call("GET", `${b.shop}/api/products/${productId}`));
    const sent = await fetch(`${a.shop}/api/admin/products/${productId}/images`, {
      method: "POST",
      headers: { "content-type": "image/png", "x-admin-token": cluster.adminToken },
      body: realPng,
    });
    const text = await sent.text();
    assert.ok(sent.ok, text);
    const product = await eventually(async () => {
      const found = await call<ShownProduct>("GET", `${b.shop}/api/products/${productId}`);
      assert.equal(found.images.length, 1);
      return found;
    });
    for (const { shop } of bothNodes) {
      const picture = await fetch(new URL(new URL(product.images[0]?.url ?? "", shop).pathname, shop));
      assert.equal(picture.status, 200);
      assert.deepEqual(new Uint8Array(await picture.arrayBuffer()), realPng);
    }
  });
});

describe("a conversation over two nodes", () => {
  let token = "";
  let userId = "";
  before(async () => {
    const name = newName("chatter").replaceAll("-", "");
    await signUp(cluster.front.auth, name);
    ({ accessToken: token } = await signIn(cluster.front.auth, name));
    const me = await call<{ id: string }>("GET", `${cluster.front.auth}/api/auth/me`, { token });
    userId = me.id;
  });

  it("is heard on the stream of the front and of each node, whichever node a message was sent to", async () => {
    const open = async (url: string): Promise<EventReader> =>
      new EventReader(
        await fetch(`${url}/api/chat/stream`, { headers: { authorization: `Bearer ${token}` } }),
      );
    await call("POST", `${a.shop}/api/chat/messages`, { token, body: { body: "first" } });
    const readers = await Promise.all([front, a.shop, b.shop].map(open));
    // It begins with the state; earlier messages need lastEventId.
    for (const reader of readers) await reader.state();
    const took: number[] = [];
    for (const [turn, shop] of [a.shop, b.shop, front].entries()) {
      const at = performance.now();
      await call("POST", `${shop}/api/chat/messages`, { token, body: { body: `message ${turn}` } });
      for (const reader of readers) assert.equal((await reader.message()).body, `message ${turn}`);
      took.push(Math.round(performance.now() - at));
    }
    await call("POST", `${b.shop}/api/admin/chat/conversations/${userId}/messages`, {
      admin: true,
      body: { body: "answer" },
    });
    for (const reader of readers) assert.equal((await reader.message()).body, "answer");
    console.log(`heard on all streams after ${took.join(", ")} ms`);
    await Promise.all(readers.map((reader) => reader.cancel()));
  });
});
