/** Checks and heartbeats while the node that owns them is killed. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, describe, it } from "node:test";
import { type Receiver, startReceiver } from "../e2e/receiver.ts";
import { eventually } from "../support/eventually.ts";
import { bothNodes, call, cluster, control, newName, startNode } from "./cluster.ts";

const TARGETS = 12;

interface Check {
  readonly id: string;
  readonly name: string;
  readonly pingKey?: string;
  readonly heartbeat?: { readonly pings: number };
  readonly standing: { readonly state: string };
}

describe("checks of two nodes, one of which is killed", () => {
  const group = newName("checks");
  /** How often each path was requested. */
  const asked = new Map<string, number>();
  const target = createServer(({ url = "" }, response) => {
    asked.set(url, (asked.get(url) ?? 0) + 1);
    response.writeHead(url === "/broken" ? 500 : 200).end();
  });
  let receiver: Receiver;
  let ids: string[] = [];
  let heartbeat: Check;
  const undo: string[] = [];

  const admin = <T>(method: string, path: string, body?: unknown, url = cluster.front.monitor): Promise<T> =>
    call<T>(method, `${url}${path}`, { admin: true, body });

  const make = async (name: string, fields: object): Promise<Check> => {
    const body = { name, group, intervalSeconds: 20, retrySeconds: 5, ...fields };
    const made = await admin<Check>("POST", "/api/admin/checks", body);
    undo.push(`/api/admin/checks/${made.id}`);
    return made;
  };

  const readStates = async (url: string): Promise<Record<string, string>> => {
    const path = `/api/admin/checks?limit=100&group=${encodeURIComponent(group)}`;
    const { items } = await admin<{ items: Check[] }>("GET", path, undefined, url);
    return Object.fromEntries(items.map(({ name, standing }) => [name, standing.state]));
  };

  /** Every check once up, the broken one down, on both nodes. */
  const settled = async (): Promise<void> => {
    for (const { monitor } of bothNodes)
      await eventually(async () => {
        const states = await readStates(monitor);
        const names = Object.keys(states).filter((name) => states[name] === "up");
        assert.deepEqual([names.length, states["broken"]], [TARGETS + 1, "down"]);
      });
  };

  before(async () => {
    target.listen(0, "127.0.0.1");
    await once(target, "listening");
    const address = target.address();
    assert.ok(typeof address === "object" && address !== null);
    const toTarget = (path: string): object => ({
      target: { kind: "http", url: `http://127.0.0.1:${address.port}${path}` },
    });
    receiver = await startReceiver();
    await admin("PATCH", "/api/admin/settings", { privateTargets: true });
    const channel = { type: "http", name: "Checks", url: receiver.url };
    const { id: channelId } = await admin<{ id: string }>("POST", "/api/admin/channels", channel);
    const rule = { kind: "check", name: "Down", scope: { type: "group", group }, channelIds: [channelId] };
    const { id: ruleId } = await admin<{ id: string }>("POST", "/api/admin/alert-rules", rule);
    undo.push(`/api/admin/channels/${channelId}`, `/api/admin/alert-rules/${ruleId}`);
    const made = await Promise.all(
      Array.from({ length: TARGETS }, (_, n) => make(`target ${n}`, toTarget(`/${n}`))),
    );
    ids = made.map(({ id }) => id);
    await make("broken", toTarget("/broken"));
    heartbeat = await make("job", { target: { kind: "heartbeat" } });
    await call("GET", `${cluster.nodes.b.monitor}/ping/${heartbeat.pingKey ?? ""}`);
    await settled();
    await receiver.waitFor(1);
  });
  after(async () => {
    for (const path of undo.toReversed()) await admin("DELETE", path);
    await admin("PATCH", "/api/admin/settings", { privateTargets: false });
    target.close();
    target.closeAllConnections();
    await receiver.close();
  });

  it("go on from the other, with no alarm that is false or doubled, and no ping lost", async () => {
    const isLeader = async (url: string): Promise<boolean> =>
      /^trivet_monitor_leader 1$/mu.test(await call<string>("GET", `${url}/metrics`, { admin: true }));
    const leads = await Promise.all(bothNodes.map(({ monitor }) => isLeader(monitor)));
    const [owner, other] = leads[0] === true ? (["a", "b"] as const) : (["b", "a"] as const);
    assert.equal(leads.filter(Boolean).length, 1);
    const killedMs = performance.now();
    await control({ target: owner, do: "kill" });
    const beforeKill = new Map(asked);
    const left = cluster.nodes[other].monitor;
    const led = eventually(async () => assert.equal(await isLeader(left), true)).then(() =>
      console.log(`led by the other node ${Math.round(performance.now() - killedMs)} ms after the kill`),
    );
    for (let ping = 0; ping < 5; ping += 1) await call("POST", `${left}/ping/${heartbeat.pingKey ?? ""}`);
    await led;
    for (let n = 0; n < TARGETS; n += 1)
      await eventually(() => (asked.get(`/${n}`) ?? 0) > (beforeKill.get(`/${n}`) ?? 0));
    await startNode(owner);
    await settled();
    for (const { monitor } of bothNodes)
      await eventually(async () => {
        const { heartbeat: facts } = await admin<Check>(
          "GET",
          `/api/admin/checks/${heartbeat.id}`,
          undefined,
          monitor,
        );
        assert.equal(facts?.pings, 6);
      });
    for (const id of ids) {
      const path = `/api/admin/checks/${id}/events`;
      const { items } = await admin<{ items: { state: string }[] }>("GET", path);
      assert.deepEqual(
        items.filter(({ state }) => state === "down" || state === "partial"),
        [],
      );
    }
    assert.deepEqual(
      receiver.notices.map(({ kind, title }) => [kind, title.includes("broken")]),
      [["firing", true]],
    );
  });
});
