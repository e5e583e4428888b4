import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { hashSecret } from "../../../src/kit/secrets/admin-token.ts";
import { createLocalLimits } from "../../../src/bus/shared-limit.ts";
import { Enrolments } from "../../../src/monitor/ingest/enrolments.ts";
import { type Servers, createServers } from "../../../src/monitor/fleet/servers.ts";
import { type FixedClock, createFixedClock } from "../../support/fixed-clock.ts";
import { actor, createTestStore, fields } from "../fixtures.ts";

const from = { hostname: "box-7", clientAddress: "192.0.2.1", requestId: "req-1" };

describe("enrolments", () => {
  let clock: FixedClock;
  let servers: Servers;
  let enrolments: Enrolments;

  beforeEach(() => {
    const store = createTestStore();
    clock = createFixedClock();
    servers = createServers({ store, clock });
    enrolments = new Enrolments({ store, clock, limits: createLocalLimits(clock) });
  });

  it("creates a server with the given fields, named as it calls itself unless a name is given", async () => {
    const { code } = await enrolments.create({ fields: { group: "Lab" }, actor });
    const { server, agentKey = "" } = await enrolments.redeem({ code, ...from });
    assert.equal(server.name, "box-7");
    assert.equal(server.hostname, "box-7");
    assert.equal(server.group, "Lab");
    assert.equal(server.keys[0]?.hash, hashSecret(agentKey));
    const named = await enrolments.create({ fields: { name: "Web 1" }, actor });
    assert.equal((await enrolments.redeem({ code: named.code, ...from })).server.name, "Web 1");
    const nameless = await enrolments.create({ actor });
    assert.equal(
      (await enrolments.redeem({ ...from, code: nameless.code, hostname: " " })).server.name,
      "New server",
    );
  });

  describe("for many machines", () => {
    it("gives each machine a server of its own until the uses are up or the time is over", async () => {
      const { code, serverId } = await enrolments.create({ uses: 3, lifeSeconds: 86_400, actor });
      assert.equal(serverId, undefined);
      clock.advance(86_399_000);
      const tries = Array.from({ length: 5 }, (_, i) =>
        enrolments.redeem({ ...from, code, hostname: `box-${i}`, clientAddress: `192.0.2.${i}` }),
      );
      const done = (await Promise.allSettled(tries)).filter(({ status }) => status === "fulfilled");
      assert.equal(done.length, 3);
      assert.equal(new Set((await servers.listAll()).map(({ name }) => name)).size, 3);
      assert.deepEqual(await enrolments.list(), []);
    });

    it("leaves a machine as it is that is enrolled, and takes no use for it", async () => {
      const { code } = await enrolments.create({ uses: 2, actor });
      const first = await enrolments.redeem({ ...from, code });
      const present = { id: first.server.id, key: first.agentKey ?? "" };
      const again = await enrolments.redeem({ ...from, code, present });
      assert.equal(again.server.id, present.id);
      assert.equal(again.agentKey, undefined);
      assert.equal((await enrolments.list())[0]?.usesLeft, 1);
      await servers.remove(present.id, actor);
      const anew = await enrolments.redeem({ ...from, code, present });
      assert.notEqual(anew.server.id, present.id);
      assert.ok(anew.agentKey !== undefined);
    });

    it("believes no identity whose key is wrong", async () => {
      const { code } = await enrolments.create({ uses: 2, actor });
      const { server } = await enrolments.redeem({ ...from, code });
      const present = { id: server.id, key: "agk_guessed" };
      assert.notEqual((await enrolments.redeem({ ...from, code, present })).server.id, server.id);
    });

    it("is not made for one server, and ends when it is removed", async () => {
      await servers.create(fields("A"), { id: "a", actor });
      await assert.rejects(enrolments.create({ serverId: "a", uses: 2, actor }), { code: "invalid" });
      const { id, code } = await enrolments.create({ uses: 2, actor });
      await enrolments.remove(id, actor);
      await assert.rejects(enrolments.redeem({ ...from, code }), { code: "unauthenticated" });
      await assert.rejects(enrolments.remove(id, actor), { code: "not_found" });
    });
  });

  it("gives a machine that is enrolled the other server that its one code is for", async () => {
    const first = await enrolments.create({ actor });
    const { server, agentKey = "" } = await enrolments.redeem({ ...from, code: first.code });
    await servers.create(fields("A"), { id: "a", actor });
    const { code } = await enrolments.create({ serverId: "a", actor });
    const moved = await enrolments.redeem({ ...from, code, present: { id: server.id, key: agentKey } });
    assert.equal(moved.server.id, "a");
    assert.ok(moved.agentKey !== undefined);
  });

  it("counts no used code against a machine that shows a good identity", async () => {
    const { code } = await enrolments.create({ actor });
    const { server, agentKey = "" } = await enrolments.redeem({ ...from, code });
    const present = { id: server.id, key: agentKey };
    for (let i = 0; i < 20; i += 1)
      await assert.rejects(enrolments.redeem({ ...from, code, present }), { code: "unauthenticated" });
    const next = await enrolments.create({ actor });
    await enrolments.redeem({ ...from, code: next.code });
  });

  it("gives an existing server a new key and ends the old one", async () => {
    const before = await servers.create(fields("A"), { id: "a", actor });
    const { code } = await enrolments.create({ serverId: "a", actor });
    const { server } = await enrolments.redeem({ code, ...from });
    assert.equal(server.id, "a");
    assert.ok(!server.keys.some((key) => key.hash === hashSecret(before.agentKey)));
  });

  it("works once: of 16 uses at the same time exactly one wins", async () => {
    const { code } = await enrolments.create({ actor });
    const tries = Array.from({ length: 16 }, (_, i) =>
      enrolments.redeem({ code, ...from, clientAddress: `192.0.2.${i}` }),
    );
    const results = await Promise.allSettled(tries);
    assert.equal(results.filter((result) => result.status === "fulfilled").length, 1);
    assert.equal((await servers.listAll()).length, 1);
  });

  it("refuses an expired code", async () => {
    const { code } = await enrolments.create({ actor });
    clock.advance(10 * 60_000);
    await assert.rejects(enrolments.redeem({ code, ...from }), { code: "unauthenticated" });
    assert.equal((await servers.listAll()).length, 0);
  });

  it("refuses a code for a server that was deleted, and none is made for an unknown one", async () => {
    await servers.create(fields("A"), { id: "a", actor });
    const { code } = await enrolments.create({ serverId: "a", actor });
    await servers.remove("a", actor);
    await assert.rejects(enrolments.redeem({ code, ...from }), { code: "unauthenticated" });
    await assert.rejects(enrolments.create({ serverId: "a", actor }), { code: "not_found" });
  });

  it("slows down guessing from one address", async () => {
    for (let i = 0; i < 10; i += 1) {
      await assert.rejects(enrolments.redeem({ code: `enr_${i}`, ...from }), { code: "unauthenticated" });
    }
    const { code } = await enrolments.create({ actor });
    await assert.rejects(enrolments.redeem({ code, ...from }), { code: "rate_limited" });
    await enrolments.redeem({ code, ...from, clientAddress: "192.0.2.2" });
  });

  it("sweeps expired codes", async () => {
    await enrolments.create({ actor });
    clock.advance(10 * 60_000 + 1);
    const { code } = await enrolments.create({ actor });
    assert.equal(await enrolments.sweep(), 1);
    await enrolments.redeem({ code, ...from });
  });
});
