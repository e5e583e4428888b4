/** The three services as API keys meet them: sent to by the administrator, and with a key. */
import assert from "node:assert/strict";
import { ADMIN_TOKEN, createTestApp as createAuthTest } from "../../auth/app-fixture.ts";
import { createTestApp as createMonitorTest } from "../../monitor/app-fixture.ts";
import { createTestStore } from "../../monitor/fixtures.ts";
import { createTestShop } from "../../shop/app-fixture.ts";
import { type FixedClock, createFixedClock } from "../../support/fixed-clock.ts";
import { withTestKey } from "../../support/audited-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { authCollections } from "../../../src/auth/app/records.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import type { AdminScope, ScopedService } from "../../../src/records/rights/scopes.ts";

type Init = RequestInit & { from?: string };
interface Fetching {
  fetch(path: string, init?: Init): Promise<Response>;
}

/** A service of one or more nodes over one store; each call names the node that answers. */
export interface ServiceUnderTest {
  readonly name: ScopedService;
  readonly clock: FixedClock;
  readonly store: Store;
  /** A scope of the service, a route that it opens, and a scope that does not. */
  readonly opened: { readonly scope: AdminScope; readonly path: string; readonly other: AdminScope };
  /** A change that a scope opens. */
  readonly change: {
    readonly scope: AdminScope;
    readonly method: string;
    readonly path: string;
    readonly body: object;
  };
  admin(method: string, path: string, body?: unknown): Promise<Response>;
  withKey(key: string, path: string, init?: Init & { node?: number }): Promise<Response>;
}

interface Kind {
  readonly opened: ServiceUnderTest["opened"];
  readonly change: ServiceUnderTest["change"];
  readonly createStore: () => Store;
  readonly createNode: (options: { store: Store; clock: FixedClock }) => Promise<Fetching>;
}

const kinds: Readonly<Record<ScopedService, Kind>> = {
  auth: {
    opened: { scope: "users:read", path: "/api/admin/users", other: "applications:write" },
    change: {
      scope: "users:write",
      method: "POST",
      path: "/api/admin/groups",
      body: { id: "family", title: "Family" },
    },
    createStore: () => withTestKey(createMemoryStore({ collections: authCollections })),
    createNode: createAuthTest,
  },
  monitor: {
    opened: { scope: "servers:read", path: "/api/admin/servers", other: "checks:write" },
    change: {
      scope: "servers:write",
      method: "POST",
      path: "/api/admin/servers",
      body: { name: "web-1" },
    },
    createStore: () => createTestStore(),
    createNode: createMonitorTest,
  },
  shop: {
    opened: { scope: "orders:read", path: "/api/admin/orders", other: "products:write" },
    change: {
      scope: "shop-settings:write",
      method: "PATCH",
      path: "/api/admin/site",
      body: { name: "Mugs" },
    },
    createStore: () => withTestKey(createMemoryStore({ collections: shopCollections })),
    createNode: createTestShop,
  },
};

/** Creates a service of so many nodes. */
export async function createService(name: ScopedService, nodes = 1): Promise<ServiceUnderTest> {
  const { opened, change, createStore, createNode } = kinds[name];
  const clock = createFixedClock();
  const store = createStore();
  const all: Fetching[] = [];
  for (let i = 0; i < nodes; i += 1) all.push(await createNode({ store, clock }));
  const send = (path: string, { node = 0, ...init }: Init & { node?: number }): Promise<Response> => {
    const one = all[node];
    assert.ok(one !== undefined);
    return one.fetch(path, init);
  };
  return {
    name,
    clock,
    store,
    opened,
    change,
    admin: (method, path, body) =>
      send(path, {
        method,
        headers: {
          "x-admin-token": ADMIN_TOKEN,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    withKey: (key, path, init = {}) =>
      send(path, {
        ...init,
        headers: {
          authorization: `Bearer ${key}`,
          ...(init.body === undefined ? {} : { "content-type": "application/json" }),
        },
      }),
  };
}

export interface CreatedKey {
  readonly id: string;
  readonly key: string;
  readonly name: string;
}

/** Creates a key that must be created. */
export async function createKey(service: ServiceUnderTest, fields: object): Promise<CreatedKey> {
  const response = await service.admin("POST", "/api/admin/api-keys", fields);
  assert.equal(response.status, 201, await response.clone().text());
  return response.json();
}

/** Status, code and detail of a refusal. */
export async function readProblem(
  response: Response,
): Promise<{ status: number; code: string; detail: string }> {
  const { code = "", detail = "" }: { code?: string; detail?: string } = await response.json();
  return { status: response.status, code, detail };
}
