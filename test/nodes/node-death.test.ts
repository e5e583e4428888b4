/** A killed node of the monitor: whose agents reconnect, which outages are notified, and what is kept. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { DrivenAgent } from "../lab/fleet/driven-agent.ts";
import { eventually } from "../support/eventually.ts";
import { type Receiver, startReceiver } from "../e2e/receiver.ts";
import { toPayload } from "../e2e/site.ts";
import { call, cluster, control, startNode } from "./cluster.ts";
import { type RunningFleet, deleteServers, makeServers, startAgent, startFleet } from "./fleet.ts";
import { type Viewer, openViewer } from "./viewer.ts";

const { a, b } = cluster.nodes;
const MOVING = 16;
const STAYING = 3;

describe("a node of the monitor that is killed", () => {
  let receiver: Receiver;
  let fleet: RunningFleet;
  let staying: { id: string; agent: DrivenAgent }[] = [];
  const viewers: Viewer[] = [];
  const undo: string[] = [];
  let channelId = "";

  async function admin<T>(method: string, path: string, body?: unknown): Promise<T> {
    return call<T>(method, `${cluster.front.monitor}${path}`, { admin: true, body });
  }

  before(async () => {
    receiver = await startReceiver();
    const channel = { type: "http", name: "Receiver", url: receiver.url };
    ({ id: channelId } = await admin<{ id: string }>("POST", "/api/admin/channels", channel));
    const rule = { kind: "offline", name: "Gone", graceSeconds: 2, channelIds: [channelId] };
    const { id: ruleId } = await admin<{ id: string }>("POST", "/api/admin/alert-rules", rule);
    undo.push(`/api/admin/alert-rules/${ruleId}`, `/api/admin/channels/${channelId}`);
    fleet = await startFleet(MOVING);
    const keys = await makeServers(STAYING);
    staying = keys.map((key) => ({ id: key.id, agent: startAgent(key, a.grpc) }));
    for (const { agent } of staying) await agent.send(toPayload());
    for (const url of [b.monitor, cluster.front.monitor]) viewers.push(openViewer(url, "delta"));
    for (const viewer of viewers)
      await eventually(() => {
        for (const id of [...fleet.ids, ...staying.map((each) => each.id)])
          assert.equal(viewer.servers.get(id)?.state, "online");
      });
  });
  after(async () => {
    for (const viewer of viewers) viewer.close();
    for (const { agent } of staying) await agent.stop();
    await fleet.stop();
    await deleteServers(staying.map(({ id }) => id));
    for (const path of undo) await admin("DELETE", path);
    await receiver.close();
  });

  /** What the nodes' book has for the receiver's channel. */
  async function readNotices(): Promise<{ channelId: string; state: string }[]> {
    const path = "/api/admin/notices?limit=100";
    const { items } = await admin<{ items: { channelId: string; state: string }[] }>("GET", path);
    return items.filter((each) => each.channelId === channelId);
  }

  function noticesOf(kind: string): string[] {
    return receiver.notices.filter((notice) => notice.kind === kind).map(({ title }) => title);
  }

  it("loses no agent that can reach the other node, and shows the others as offline", async () => {
    const beforeKill = performance.now();
    await control({ target: "a", do: "kill" });
    for (const viewer of viewers)
      await eventually(() => {
        for (const { id } of staying) assert.equal(viewer.servers.get(id)?.state, "offline");
      });
    console.log(`offline shown ${Math.round(performance.now() - beforeKill)} ms after the kill`);
    await eventually(() => assert.equal(fleet.ledger.totals().connected, MOVING));
    for (const viewer of viewers)
      for (const id of fleet.ids) {
        assert.equal(viewer.servers.get(id)?.state, "online");
        assert.ok(!viewer.statesOf(id).includes("offline"), `${id}: ${viewer.statesOf(id).join()}`);
      }
  });

  it("sends one notification for each server that is gone, and none for those that moved", async () => {
    await receiver.waitFor(STAYING);
    await startNode("a");
    for (const { agent } of staying) await agent.send(toPayload());
    for (const viewer of viewers)
      await eventually(() => {
        for (const { id } of [...staying, ...fleet.ids.map((id) => ({ id }))])
          assert.equal(viewer.servers.get(id)?.state, "online");
      });
    await receiver.waitFor(2 * STAYING);
    // The book has every notice before it is sent: when all are, nothing else is on its way.
    await eventually(async () => {
      const states = (await readNotices()).map(({ state }) => state);
      assert.deepEqual(states, Array(2 * STAYING).fill("sent"));
    });
    assert.equal(receiver.notices.length, 2 * STAYING, JSON.stringify(receiver.notices));
    assert.equal(new Set(noticesOf("firing")).size, STAYING);
    assert.equal(new Set(noticesOf("resolved")).size, STAYING);
  });

  // Not by the counts of the records: what a killed node stored and had not told yet may be missing there.
  it("has stored what it acknowledged: nothing is missing on either node", async () => {
    await fleet.settle();
    const { waiting, lost, rejected } = fleet.ledger.totals();
    assert.deepEqual({ waiting, lost, rejected }, { waiting: 0, lost: 0, rejected: 0 });
    for (const { monitor } of [a, b])
      await eventually(async () => {
        const { checked, missing, unknown, missingBy } = await fleet.verifyCharts(monitor);
        assert.deepEqual(
          { checked, missing, unknown },
          { checked: MOVING, missing: 0, unknown: 0 },
          JSON.stringify(missingBy),
        );
      });
  });
});
