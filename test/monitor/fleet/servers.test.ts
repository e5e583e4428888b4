import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { hashSecret } from "../../../src/kit/secrets/admin-token.ts";
import { listAudit } from "../../../src/records/audit.ts";
import { type Servers, createServers } from "../../../src/monitor/fleet/servers.ts";
import type { Store } from "../../../src/store/store.ts";
import { type FixedClock, createFixedClock, START } from "../../support/fixed-clock.ts";
import { actor, createTestStore, fields } from "../fixtures.ts";

describe("servers", () => {
  let store: Store;
  let clock: FixedClock;
  let servers: Servers;

  beforeEach(() => {
    store = createTestStore();
    clock = createFixedClock();
    servers = createServers({ store, clock });
  });

  async function create(id: string): Promise<string> {
    return (await servers.create(fields(id), { id, actor })).agentKey;
  }
  async function order(): Promise<string[]> {
    return (await servers.listAll()).map((server) => server.id);
  }

  it("creates at the end of the order and keeps only a hash of the key", async () => {
    await create("a");
    const { server, agentKey } = await servers.create(fields("B"), { id: "b", actor });
    assert.deepEqual(await order(), ["a", "b"]);
    assert.equal(server.keys[0]?.hash, hashSecret(agentKey));
    assert.ok(!JSON.stringify(await servers.listAll()).includes(agentKey));
    assert.equal(server.createdAt, START);
  });

  it("creates an ID if none is given", async () => {
    const { server } = await servers.create(fields("A"), { actor });
    assert.match(server.id, /^srv_[0-9a-z]{26}$/u);
  });

  it("refuses an id that is taken and leaves the first as it was", async () => {
    await create("a");
    await assert.rejects(servers.create(fields("other"), { id: "a", actor }), { code: "already_exists" });
    assert.equal((await servers.find("a"))?.name, "a");
  });

  it("replaces all editable fields, and only those", async () => {
    await create("a");
    await servers.replace("a", { fields: fields("A", { note: "n", tags: ["x"] }), actor });
    await servers.noteFacts("a", { hostname: "a.example.org" });
    const replaced = await servers.replace("a", { fields: fields("A2"), actor });
    assert.equal(replaced.note, "");
    assert.deepEqual(replaced.tags, []);
    assert.equal(replaced.hostname, "a.example.org");
    assert.equal(replaced.keys.length, 1);
  });

  it("refuses a replace from an older version and says which is current", async () => {
    await create("a");
    await servers.replace("a", { fields: fields("A2"), version: 1, actor });
    await assert.rejects(servers.replace("a", { fields: fields("A3"), version: 1, actor }), {
      code: "version_conflict",
      details: { currentVersion: 2 },
    });
    assert.equal((await servers.find("a"))?.name, "A2");
  });

  it("lets a replace from the version read go through though the agent told new facts meanwhile", async () => {
    await create("a");
    await servers.noteFacts("a", { hostname: "a.example.org" });
    await servers.rotateKey("a", { graceSeconds: 0, actor });
    const replaced = await servers.replace("a", { fields: fields("A2"), version: 1, actor });
    assert.deepEqual([replaced.name, replaced.hostname, replaced.editVersion], ["A2", "a.example.org", 2]);
  });

  it("refuses to change or delete what is not there", async () => {
    await assert.rejects(servers.replace("x", { fields: fields("X"), actor }), { code: "not_found" });
    await assert.rejects(servers.remove("x", actor), { code: "not_found" });
    await assert.rejects(servers.rotateKey("x", { graceSeconds: 0, actor }), { code: "not_found" });
  });

  it("reorders when each server is named exactly once", async () => {
    for (const id of ["a", "b", "c"]) await create(id);
    await servers.reorder(["c", "a", "b"], actor);
    assert.deepEqual(await order(), ["c", "a", "b"]);
  });

  for (const [what, ids] of Object.entries({
    missing: ["c", "a"],
    unknown: ["c", "a", "b", "x"],
    repeated: ["c", "a", "b", "b"],
    empty: [],
  })) {
    it(`moves nothing when an id is ${what}`, async () => {
      for (const id of ["a", "b", "c"]) await create(id);
      await assert.rejects(servers.reorder(ids, actor), { code: "invalid" });
      assert.deepEqual(await order(), ["a", "b", "c"]);
    });
  }

  it("keeps the old key for the grace of a rotation, and not after", async () => {
    const oldKey = await create("a");
    const { server, agentKey } = await servers.rotateKey("a", { graceSeconds: 60, actor });
    assert.deepEqual(
      server.keys.map((key) => [key.hash, key.expiresAt]),
      [
        [hashSecret(agentKey), undefined],
        [hashSecret(oldKey), START + 60_000],
      ],
    );
    clock.advance(60_000);
    const again = await servers.rotateKey("a", { graceSeconds: 10, actor });
    assert.ok(!again.server.keys.some((key) => key.hash === hashSecret(oldKey)));
  });

  it("never lengthens the grace of an old key", async () => {
    const oldKey = await create("a");
    await servers.rotateKey("a", { graceSeconds: 10, actor });
    const { server } = await servers.rotateKey("a", { graceSeconds: 1_000, actor });
    assert.equal(server.keys.find((key) => key.hash === hashSecret(oldKey))?.expiresAt, START + 10_000);
  });

  it("writes each change into the audit log, with the names of the changed fields", async () => {
    await create("a");
    clock.advance(1);
    await servers.replace("a", { fields: fields("A2", { note: "secret text" }), actor });
    clock.advance(1);
    await servers.remove("a", actor);
    const { items } = await listAudit(store, { limit: 10 });
    assert.deepEqual(items.map((entry) => entry.action).sort(), [
      "server.create",
      "server.delete",
      "server.replace",
    ]);
    const replace = items.find((entry) => entry.action === "server.replace");
    assert.deepEqual(replace?.changes, ['name: "a" → "A2"', "note"]);
    assert.ok(!JSON.stringify(items).includes("secret text"));
  });
});
