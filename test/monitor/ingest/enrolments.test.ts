import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { hashSecret } from "../../../src/kit/secrets/admin-token.ts";
import { createLocalLimits } from "../../../src/bus/shared-limit.ts";
import { type Enrolments, createEnrolments } from "../../../src/monitor/ingest/enrolments.ts";
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
    enrolments = createEnrolments({ store, clock, limits: createLocalLimits(clock) });
  });

  it("makes a server with the given fields; its host name is not its public name", async () => {
    const { code } = await enrolments.create({ fields: { group: "Lab" }, actor });
    const { server, agentKey } = await enrolments.redeem({ code, ...from });
    assert.equal(server.name, "New server");
    assert.equal(server.hostname, "box-7");
    assert.equal(server.group, "Lab");
    assert.equal(server.keys[0]?.hash, hashSecret(agentKey));
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
