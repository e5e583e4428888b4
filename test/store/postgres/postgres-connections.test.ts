/** A server that answers, and yet is of no use: calls are refused, the process lives, and all comes back. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import pg from "pg";
import { openDatabase } from "../../../src/store/postgres/database.ts";
import { openPostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import { counters, items, rejectsWith } from "../../contract/store-fixtures.ts";
import { eventually } from "../../support/eventually.ts";
import { createTestDatabase } from "../../support/postgres.ts";
import { startPostgresProxy } from "../../support/postgres-proxy.ts";

describe("a connection that PostgreSQL ends in the packet that says it is ready", () => {
  it("rejects the transaction, and the store goes on when connections are back", async () => {
    const database = await createTestDatabase();
    const proxy = await startPostgresProxy(database.url);
    const store = await openPostgresStore({ url: proxy.url, name: "birth", collections: [items] });
    try {
      await store.transact((tx) => tx.insert(items, { id: "a", rank: 1 }));
      proxy.isDeadly = true;
      proxy.cut();
      await rejectsWith(
        store.transact((tx) => tx.insert(items, { id: "b", rank: 2 })),
        "store_unavailable",
      );
      await rejectsWith(
        store.read((tx) => tx.get(items, "a")),
        "store_unavailable",
      );
      await rejectsWith(store.check(), "store_unavailable");
      assert.ok(proxy.ended >= 3, String(proxy.ended));
      proxy.isDeadly = false;
      await store.check();
      assert.equal((await store.read((tx) => tx.get(items, "a")))?.rank, 1);
    } finally {
      await store.close();
      await proxy.close();
      await database.drop();
    }
  });

  it("refuses a start, which may be tried again", async () => {
    const database = await createTestDatabase();
    const proxy = await startPostgresProxy(database.url);
    try {
      proxy.isDeadly = true;
      const open = (): ReturnType<typeof openPostgresStore> =>
        openPostgresStore({ url: proxy.url, name: "birth", collections: [items] });
      await rejectsWith(open(), "store_unavailable");
      assert.ok(proxy.ended > 0);
      proxy.isDeadly = false;
      await (await open()).close();
    } finally {
      await proxy.close();
      await database.drop();
    }
  });
});

describe("a PostgreSQL that holds its connections and answers nothing", () => {
  it("is noticed: all calls are refused, also those that have no limit of their own, and all comes back", async () => {
    const { url, drop } = await createTestDatabase();
    const proxy = await startPostgresProxy(url);
    const states: boolean[] = [];
    const database = openDatabase({
      url: proxy.url,
      applicationName: "silence",
      poolSize: 4,
      statementTimeoutMs: 0,
      onState: ({ reachable }) => states.push(reachable),
    });
    const ask = () => database.query({ text: "SELECT 1 AS one" });
    try {
      await Promise.all(Array.from({ length: 4 }, ask));
      proxy.isSilent = true;
      // More than there are connections: some ask, some wait for a connection.
      await Promise.all(Array.from({ length: 12 }, () => rejectsWith(ask(), "store_unavailable")));
      assert.deepEqual(states, [false]);
      await rejectsWith(ask(), "store_unavailable");
      proxy.isSilent = false;
      await eventually(async () => assert.equal((await ask()).count, 1));
      assert.deepEqual(states, [false, true]);
      await Promise.all(Array.from({ length: 8 }, ask));
    } finally {
      await database.close();
      await proxy.close();
      await drop();
    }
  });

  it(
    "is noticed while idle connections are used, which do not reveal it",
    {
      timeout: 30_000,
    },
    async () => {
      const { url, drop } = await createTestDatabase();
      const proxy = await startPostgresProxy(url);
      const database = openDatabase({ url: proxy.url, applicationName: "ready", statementTimeoutMs: 0 });
      const ask = () => database.query({ text: "SELECT 1 AS one" });
      let taking: ReturnType<typeof setInterval> | undefined;
      try {
        await Promise.all([ask(), ask()]);
        proxy.isSilent = true;
        taking = setInterval(() => {
          void database.withConnection(async () => undefined).catch(() => undefined);
        }, 50);
        await rejectsWith(ask(), "store_unavailable");
      } finally {
        clearInterval(taking);
        await proxy.close();
        await database.close();
        await drop();
      }
    },
  );

  it("is not found silent for a statement that takes long", async () => {
    const { url, drop } = await createTestDatabase();
    const states: boolean[] = [];
    const database = openDatabase({
      url,
      applicationName: "slow",
      statementTimeoutMs: 0,
      onState: ({ reachable }) => states.push(reachable),
    });
    try {
      await database.query({ text: "SELECT pg_sleep(1.6)" });
      assert.deepEqual(states, []);
    } finally {
      await database.close();
      await drop();
    }
  });
});

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

describe("a database that lacks a table", () => {
  it("is unavailable to the health check and to calls, until the table is back", async () => {
    const database = await createTestDatabase();
    const open = (): ReturnType<typeof openPostgresStore> =>
      openPostgresStore({ url: database.url, name: "bare", collections: [items, counters] });
    const store = await open();
    try {
      await store.transact((tx) => tx.insert(items, { id: "a", rank: 1 }));
      await execute(database.url, "alter table bare_items rename to elsewhere");
      const calls: readonly (() => Promise<unknown>)[] = [
        () => store.check(),
        () => store.read((tx) => tx.get(items, "a")),
        () => store.read((tx) => tx.list(items, "id", { limit: 1 })),
        () => store.transact((tx) => tx.insert(items, { id: "b", rank: 2 })),
      ];
      for (const call of calls) {
        const { message } = await rejectsWith(call(), "store_unavailable");
        assert.match(message, /PostgreSQL does not have the tables of the service: relation "bare_items"/u);
      }
      await execute(database.url, "alter table elsewhere rename to bare_items");
      await store.check();
      assert.equal((await store.read((tx) => tx.get(items, "a")))?.rank, 1);
    } finally {
      await store.close();
      await database.drop();
    }
  });
});
