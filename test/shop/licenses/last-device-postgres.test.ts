/** The last device of a license on PostgreSQL: a thousand programs ask two nodes at once. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { openPostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { createTestDatabase } from "../../support/postgres.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { type TestShop, createTestShop } from "../app-fixture.ts";
import { GENERATED, addProgram, ask, buy, openLicenseShop } from "./license-shop.ts";

const REQUESTS = 1_000;

describe("the last device of a license on PostgreSQL", () => {
  const stores: Store[] = [];
  let drop: () => Promise<void>;
  let nodes: TestShop[] = [];

  before(async () => {
    const database = await createTestDatabase();
    drop = database.drop;
    const options = { url: database.url, name: "shop", collections: shopCollections, patienceMs: 600_000 };
    for (const _node of [1, 2]) stores.push(await openPostgresStore(options));
    const clock = createFixedClock();
    const [first, second] = stores;
    assert.ok(first !== undefined && second !== undefined);
    nodes = [
      await openLicenseShop({ store: first, clock, isShared: true }),
      await createTestShop({ store: second, clock, isShared: true }),
    ];
  });
  after(async () => {
    for (const store of stores) await store.close();
    await drop?.();
  });

  it("goes to one of them, also when it is freed by repeated deactivations", async () => {
    const [app] = nodes;
    assert.ok(app !== undefined);
    const product = await addProgram(app, { license: { ...GENERATED, maxDevices: 1 } });
    const { keys } = await buy(app, product);
    const [license_key = ""] = keys;
    const send = async (turn: number, action: string, fields: object): Promise<Response> => {
      const node = nodes[turn % nodes.length] ?? app;
      return node.raw(`/v1/licenses/${action}`, {
        method: "POST",
        body: new URLSearchParams({ license_key, ...fields }),
        from: `198.51.${turn % 100}.${turn % 250}`,
      });
    };
    const asked = await Promise.all(
      Array.from({ length: REQUESTS }, (_each, turn) => send(turn, "activate", { instance_name: `${turn}` })),
    );
    const winners = asked.filter(({ status }) => status === 200);
    assert.equal(winners.length, 1);
    assert.equal(asked.filter(({ status }) => status === 400).length, REQUESTS - 1);
    const winner: { instance: { id: string } } | undefined = await winners[0]?.json();
    const instance_id = winner?.instance.id ?? "";
    const ended = await Promise.all(
      Array.from({ length: 20 }, (_each, turn) => send(turn, "deactivate", { instance_id })),
    );
    assert.deepEqual(new Set(ended.map(({ status }) => status)), new Set([200]));
    const { license_key: license } = await ask(app, "validate", { license_key });
    assert.deepEqual([license?.activation_usage, license?.status], [0, "inactive"]);
  });
});
