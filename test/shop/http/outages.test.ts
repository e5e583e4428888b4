/** What every route answers while the auth center or the store is away, and to others than the buyer, generated over the OpenAPI document, so that no route can be forgotten. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { type Store, StoreError } from "../../../src/store/store.ts";
import { type TestShop, code, createTestShop } from "../app-fixture.ts";
import { addProduct, order, setProvider } from "../goods.ts";
import { NOBODY, listRoutes, isOpen, isAdmin, takesBearer, credentials, validBody } from "./all-routes.ts";

const app = await createTestShop();
await setProvider(app);
const routes = await listRoutes(app);
describe("a shop whose auth center is down", () => {
  let down: TestShop;
  before(async () => {
    down = await createTestShop();
    await setProvider(down);
    down.setAuth("down");
  });

  for (const route of routes.filter(takesBearer)) {
    it(`says so on ${route.name}, to who shows a token`, async () => {
      const { headers, body } = validBody(route);
      const response = await down.fetch(route.path, {
        method: route.method,
        ...(body === undefined ? {} : { body }),
        headers: { ...headers, authorization: "Bearer token-ann" },
      });
      assert.ok(Number(response.headers.get("retry-after")) >= 1);
      assert.deepEqual(await code(response), [503, "auth_unavailable"]);
    });
  }

  it("goes on for everyone else", async () => {
    for (const route of routes.filter((each) => isOpen(each) || isAdmin(each))) {
      if (route.name.endsWith("/chat/stream")) continue;
      const { headers, body } = validBody(route);
      const response = await down.fetch(route.path, {
        method: route.method,
        ...(body === undefined ? {} : { body }),
        headers: {
          ...headers,
          ...credentials({ ...route, schemes: route.schemes.filter((one) => one !== "bearer") }),
        },
      });
      const text = await response.clone().text();
      assert.ok(response.status < 500 || response.status === 502, `${route.name} ${response.status} ${text}`);
    }
  });
});

/** A store that can be put out of reach. */
function createFailingStore(): { store: Store; fail: () => void } {
  const inner = createMemoryStore({ collections: shopCollections });
  let isDown = false;
  const reach = <R>(work: () => Promise<R>): Promise<R> =>
    isDown ? Promise.reject(new StoreError("store_unavailable", "The database is away")) : work();
  const store: Store = {
    ...inner,
    read: (work) => reach(() => inner.read(work)),
    transact: (work) => reach(() => inner.transact(work)),
    check: () => reach(() => inner.check()),
  };
  return {
    store,
    fail: () => {
      isDown = true;
    },
  };
}

describe("a shop whose store is out of reach", () => {
  it("says so on every route that needs it, with a status that the document has", async () => {
    const { store, fail } = createFailingStore();
    const away = await createTestShop({ store });
    await setProvider(away);
    fail();
    const served: string[] = [];
    for (const route of routes) {
      const { headers, body } = validBody(route);
      const response = await away.fetch(route.path, {
        method: route.method,
        ...(body === undefined ? {} : { body }),
        headers: { ...headers, ...credentials(route) },
      });
      if (response.status === 503) continue;
      assert.ok(response.status < 500, `${route.name} ${response.status} ${await response.text()}`);
      served.push(route.name);
    }
    // What is in memory is still served; the rest of these refuses its body or its id first.
    assert.ok(served.includes("GET /api/products"));
    assert.ok(served.length < 48, served.join("\n"));
  });
});

describe("an order of another buyer", () => {
  it("looks like none, on every route that has one, with another's token and another order's token", async () => {
    const shop = await createTestShop();
    await setProvider(shop);
    const { id: productId } = await addProduct(shop);
    const { order: own } = await order(shop, [{ productId }], { userId: "usr_bob" });
    const other = await order(shop, [{ productId }], { userId: "usr_ann" });
    const all = routes.filter(({ name, schemes }) => name.includes("{id}") && schemes.includes("orderToken"));
    assert.equal(all.length, 13);
    for (const route of all) {
      const path = route.path.replace(`ord_${NOBODY}`, own.id);
      const { headers, body } = validBody(route);
      const init = { method: route.method, ...(body === undefined ? {} : { body }) };
      for (const credential of [
        { authorization: "Bearer token-ann" },
        { "x-order-token": other.orderToken },
      ] as Record<string, string>[]) {
        const response = await shop.fetch(path, { ...init, headers: { ...headers, ...credential } });
        assert.deepEqual(await code(response), [404, "not_found"], route.name);
      }
    }
  });
});
