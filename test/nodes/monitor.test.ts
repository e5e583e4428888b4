/** The monitor on two nodes: what each shows of agents whose streams the other has. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { status } from "@grpc/grpc-js";
import { WebSocket } from "ws";
import { toPayload } from "../e2e/site.ts";
import { eventually } from "../support/eventually.ts";
import { createSeedClient, endOf, nextMessage } from "../monitor/ingest/seed-agent.ts";
import { ask, bothNodes, call, cluster, everywhere, newName } from "./cluster.ts";
import { type RunningFleet, deleteServers, makeServers, startAgent, startFleet } from "./fleet.ts";
import { PASSWORD, signUp } from "./people.ts";
import { type Viewer, openViewer } from "./viewer.ts";

const { a, b } = cluster.nodes;
const AGENTS = 40;

async function readGauge(url: string, name: string): Promise<number> {
  const text = await call<string>("GET", `${url}/metrics`, { admin: true });
  const line = text.split("\n").find((each) => each.startsWith(`${name} `));
  return Number(line?.split(" ")[1] ?? Number.NaN);
}

interface Series {
  readonly metric: string;
  readonly points: readonly { readonly at: number; readonly avg: number }[];
}

describe("40 agents over the front", () => {
  let fleet: RunningFleet;
  const viewers: Viewer[] = [];
  before(async () => {
    fleet = await startFleet(AGENTS);
    for (const { monitor } of everywhere)
      for (const mode of ["snapshot", "delta", "gzip"] as const) viewers.push(openViewer(monitor, mode));
  });
  after(async () => {
    for (const viewer of viewers) viewer.close();
    await fleet.stop();
  });

  it("are on both nodes", async () => {
    await eventually(async () => {
      const streams = await Promise.all(
        bothNodes.map(({ monitor }) => readGauge(monitor, "trivet_agent_streams")),
      );
      assert.equal((streams[0] ?? 0) + (streams[1] ?? 0), AGENTS);
      assert.ok(
        streams.every((count) => count >= AGENTS / 4),
        `${streams.join(" and ")} streams`,
      );
    });
  });

  it("are seen online by viewers of node a, node b and the front, in every mode, with samples that go on", async () => {
    const seen = (viewer: Viewer): number[] =>
      fleet.ids.map((id) => viewer.servers.get(id)?.latest?.collectedAt ?? 0);
    const firstSeen: number[][] = [];
    for (const viewer of viewers)
      await eventually(() => {
        for (const id of fleet.ids) assert.equal(viewer.servers.get(id)?.state, "online");
        const times = seen(viewer);
        assert.ok(
          times.every((at) => at > 0),
          "all were seen",
        );
        firstSeen.push(times);
      });
    for (const [index, viewer] of viewers.entries())
      await eventually(() => seen(viewer).every((at, place) => at > (firstSeen[index]?.[place] ?? 0)));
    for (const viewer of viewers)
      for (const id of fleet.ids)
        assert.ok(!viewer.statesOf(id).includes("offline"), viewer.statesOf(id).join());
  });

  it("are stored exactly once each: acknowledged = stored, asked on either node", async () => {
    await fleet.settle();
    const { acknowledged, waiting, lost, rejected } = fleet.ledger.totals();
    assert.deepEqual({ waiting, lost, rejected }, { waiting: 0, lost: 0, rejected: 0 });
    assert.ok(acknowledged >= AGENTS);
    for (const { monitor } of bothNodes)
      await eventually(async () => {
        for (const verify of [fleet.verifyCharts, fleet.verifyCounts]) {
          const { checked, missing, surplus, unknown } = await verify(monitor);
          assert.deepEqual(
            { checked, missing, surplus, unknown },
            { checked: AGENTS, missing: 0, surplus: 0, unknown: 0 },
          );
        }
      });
  });

  it("have the same chart on both nodes, with every report in it", async () => {
    for (const account of fleet.ledger.accounts().slice(0, 6)) {
      const query = new URLSearchParams({
        metric: "cpu.usagePercent",
        from: String((account.firstAtUnixMs ?? 0) - 1),
        to: String((account.lastAtUnixMs ?? 0) + 1),
        points: "1000",
      });
      await eventually(async () => {
        const [first, second] = await Promise.all(
          bothNodes.map(({ monitor }) =>
            call<{ items: Series[] }>("GET", `${monitor}/api/servers/${account.id}/history?${query}`),
          ),
        );
        assert.deepEqual(first?.items, second?.items);
        const points = first?.items[0]?.points ?? [];
        assert.equal(points.length, account.acknowledged);
      });
    }
  });
});

describe("a server over two nodes", () => {
  it("has one stream: a second agent on the other node ends the first with ABORTED", async () => {
    const [key] = await makeServers(1);
    assert.ok(key);
    const clients = [a, b].map(({ grpc }) => createSeedClient(grpc));
    const hello = { hello: { server_id: key.id, agent_key: key.agentKey, hostname: "box" } };
    try {
      const streams = clients.map((client) => client.connect());
      const [first, second] = streams;
      assert.ok(first && second);
      first.write(hello);
      assert.deepEqual(await nextMessage(first), { payload: "ack", ack: { message: "hello" } });
      const ended = endOf(first);
      second.write(hello);
      assert.deepEqual(await nextMessage(second), { payload: "ack", ack: { message: "hello" } });
      assert.equal(await ended, status.ABORTED);
      second.write({ heartbeat: {} });
      assert.deepEqual(await nextMessage(second), { payload: "ack", ack: { message: "heartbeat" } });
      second.end();
    } finally {
      for (const client of clients) client.close();
      await deleteServers([key.id]);
    }
  });

  it("has the same traffic on both, exact to the byte, when its agent moves from node to node", async () => {
    const [key] = await makeServers(1);
    assert.ok(key);
    try {
      const start = 1_000_000_000;
      let counter = start;
      // A second apart, as an agent collects them: of two within a millisecond the later would not count.
      let at = Date.now() - 60_000;
      for (const { grpc } of [a, b, a, b]) {
        const agent = startAgent(key, grpc);
        for (let report = 0; report < 5; report += 1) {
          await agent.send(toPayload({ rxTotalBytes: counter }), at);
          counter += 1_000_003;
          at += 1_000;
        }
        await agent.stop();
      }
      const used = counter - 1_000_003 - start;
      for (const { monitor } of bothNodes)
        await eventually(async () => {
          const server = await call<{ trafficUse: { rxBytes: number } }>(
            "GET",
            `${monitor}/api/admin/servers/${key.id}`,
            { admin: true },
          );
          assert.equal(server.trafficUse.rxBytes, used);
        });
    } finally {
      await deleteServers([key.id]);
    }
  });

  it("is gone everywhere when it is deleted: its stream on the other node ends with PERMISSION_DENIED", async () => {
    const [key] = await makeServers(1);
    assert.ok(key);
    const client = createSeedClient(b.grpc);
    const viewer = openViewer(b.monitor, "delta");
    try {
      const stream = client.connect();
      stream.write({ hello: { server_id: key.id, agent_key: key.agentKey, hostname: "box" } });
      await nextMessage(stream);
      await eventually(() => viewer.servers.has(key.id));
      const ended = endOf(stream);
      const before = performance.now();
      await call("DELETE", `${a.monitor}/api/admin/servers/${key.id}`, { admin: true });
      assert.equal(await ended, status.PERMISSION_DENIED);
      console.log(`stream ended on the other node after ${Math.round(performance.now() - before)} ms`);
      await eventually(() => !viewer.servers.has(key.id));
    } finally {
      viewer.close();
      client.close();
    }
  });
});

describe("administration on two nodes", () => {
  it("shows settings, order and groups that one node changed on the other, and its session counts there", async () => {
    const session = await call<{ token: string }>("POST", `${a.monitor}/api/admin/auth`, {
      body: { token: cluster.adminToken },
    });
    const options = { token: session.token };
    const [first, second] = await makeServers(2);
    assert.ok(first && second);
    const group = newName("group");
    await call("PUT", `${a.monitor}/api/admin/servers/${first.id}`, {
      ...options,
      body: { name: "First", group },
    });
    await eventually(async () => {
      const { items: servers } = await call<{ items: { id: string }[] }>(
        "GET",
        `${b.monitor}/api/servers?group=${group}`,
      );
      assert.deepEqual(
        servers.map(({ id }) => id),
        [first.id],
      );
    });
    const order = [second.id, first.id];
    const all = await call<{ items: { id: string }[] }>("GET", `${b.monitor}/api/admin/servers`, options);
    const others = all.items.map(({ id }) => id).filter((id) => !order.includes(id));
    await call("PUT", `${b.monitor}/api/admin/servers/reorder`, {
      ...options,
      body: { ids: [...order, ...others] },
    });
    await eventually(async () => {
      const { items: servers } = await call<{ items: { id: string }[] }>("GET", `${a.monitor}/api/servers`);
      assert.deepEqual(
        servers.slice(0, 2).map(({ id }) => id),
        order,
      );
    });
    const siteTitle = newName("Title");
    await call("PUT", `${a.monitor}/api/admin/settings`, { ...options, body: { siteTitle } });
    await eventually(async () => {
      const settings = await call<{ siteTitle: string }>("GET", `${b.monitor}/api/admin/settings`, options);
      assert.equal(settings.siteTitle, siteTitle);
    });
    assert.equal((await ask("DELETE", `${b.monitor}/api/admin/auth`, options)).status, 204);
    for (const { monitor } of bothNodes)
      assert.equal((await ask("GET", `${monitor}/api/admin/servers`, options)).status, 401);
    await deleteServers(order);
  });
});

describe("a private site on two nodes", () => {
  const link = { cookie: "" };
  const look = async (url: string, headers: Record<string, string>): Promise<number> =>
    (await ask("GET", `${url}/api/servers`, { headers })).status;
  const untilBoth = async (headers: Record<string, string>, expected: number): Promise<void> => {
    for (const { monitor } of bothNodes)
      await eventually(async () =>
        assert.deepEqual([monitor, await look(monitor, headers)], [monitor, expected]),
      );
  };
  const setPrivate = (isPrivate: boolean): Promise<unknown> =>
    call("PATCH", `${a.monitor}/api/admin/settings`, { admin: true, body: { access: { isPrivate } } });
  before(() => setPrivate(true));
  after(async () => {
    await setPrivate(false);
    await untilBoth({}, 200);
  });

  it("is closed to visitors on the other node too, and their feeds end", async () => {
    await untilBoth({}, 401);
    const socket = new WebSocket(`${b.monitor.replace(/^http/u, "ws")}/api/ws/monitor`);
    assert.match(String((await once(socket, "error"))[0]), /401/u);
  });

  it("opens by a link made on one node everywhere; deleted there, it ends on the other, with its feeds", async () => {
    const made = await call<{ id: string; token: string }>("POST", `${a.monitor}/api/admin/access-tokens`, {
      admin: true,
      body: { scope: "view", name: newName("Wall") },
    });
    await eventually(async () => {
      const opened = await ask("GET", `${b.monitor}/view/${made.token}`);
      assert.deepEqual([opened.status, opened.headers.get("location")], [303, "/"]);
      link.cookie = (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    });
    const headers = { cookie: link.cookie };
    await untilBoth(headers, 200);
    for (const { monitor } of bothNodes)
      assert.equal((await ask("GET", `${monitor}/api/admin/servers`, { headers })).status, 401);
    const sockets = bothNodes.map(
      ({ monitor }) => new WebSocket(`${monitor.replace(/^http/u, "ws")}/api/ws/monitor`, { headers }),
    );
    for (const socket of sockets) await once(socket, "message");
    const closed = Promise.all(sockets.map((socket) => once(socket, "close")));
    await call("DELETE", `${a.monitor}/api/admin/access-tokens/${made.id}`, { admin: true });
    await closed;
    await untilBoth(headers, 401);
  });

  it("opens to an account of the auth center: its session counts on both nodes, and ends on both", async () => {
    const username = newName("viewer");
    await signUp(cluster.front.auth, username);
    const access = { viewers: { who: "listed", usernames: [username] } };
    await call("PATCH", `${b.monitor}/api/admin/settings`, { admin: true, body: { access } });
    const body = { identifier: username, password: PASSWORD };
    let cookie = "";
    await eventually(async () => {
      const signedIn = await ask("POST", `${a.monitor}/api/access/session`, { body });
      assert.equal(signedIn.status, 200);
      cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    });
    await untilBoth({ cookie }, 200);
    const { origin } = new URL(cluster.front.monitor);
    const headers = { cookie, origin };
    assert.equal((await ask("DELETE", `${b.monitor}/api/access/session`, { headers })).status, 204);
    await untilBoth({ cookie }, 401);
  });
});
