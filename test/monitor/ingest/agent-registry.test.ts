import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type AgentRegistry, createAgentRegistry } from "../../../src/monitor/ingest/agent-registry.ts";
import { type Live, createLive } from "../../../src/monitor/fleet/live.ts";
import type { ServerRecord } from "../../../src/monitor/base/schema.ts";
import { GrpcError, grpcStatus } from "../../../src/runtime/runtime.ts";
import { type FixedClock, createFixedClock, START } from "../../support/fixed-clock.ts";
import { fields } from "../fixtures.ts";

const record = (more: Partial<ServerRecord> = {}): ServerRecord => ({
  ...fields("A"),
  id: "a",
  version: 1,
  editVersion: 1,
  displayOrder: 1,
  keys: [{ hash: "h1", prefix: "agk_1" }],
  keyRotatedAt: START,
  hostname: "",
  createdAt: START,
  updatedAt: START,
  ...more,
});

function statusOf(signal: AbortSignal): number | undefined {
  return signal.reason instanceof GrpcError ? signal.reason.status : undefined;
}

describe("agent registry", () => {
  let clock: FixedClock;
  let live: Live;
  let registry: AgentRegistry;

  beforeEach(() => {
    clock = createFixedClock();
    live = createLive({ clock });
    registry = createAgentRegistry({ clock, live });
  });

  it("ends the earlier stream of a server with ABORTED", () => {
    const first = registry.open("a", "h1");
    const second = registry.open("a", "h1");
    assert.equal(statusOf(first.ended), grpcStatus.aborted);
    assert.equal(second.ended.aborted, false);
    assert.equal(registry.size, 1);
  });

  it("does not take the server offline when the superseded stream closes late", () => {
    const first = registry.open("a", "h1");
    registry.open("a", "h1");
    first.close();
    clock.advance(6_000);
    live.tick();
    assert.equal(live.get("a").state, "online");
    assert.equal(registry.size, 1);
  });

  it("flags a duplicate agent at the third supersede within 5 minutes", () => {
    registry.open("a", "h1");
    for (let i = 0; i < 2; i += 1) registry.open("a", "h1");
    assert.equal(live.get("a").duplicateAgent, false);
    registry.open("a", "h1");
    assert.equal(live.get("a").duplicateAgent, true);
    registry.clearDuplicate("a");
    assert.equal(live.get("a").duplicateAgent, false);
  });

  it("does not flag supersedes that lie further apart", () => {
    registry.open("a", "h1");
    for (let i = 0; i < 5; i += 1) {
      clock.advance(3 * 60_000);
      registry.open("a", "h1");
    }
    assert.equal(live.get("a").duplicateAgent, false);
  });

  for (const [what, after] of Object.entries({
    deleted: undefined,
    disabled: record({ disabled: true }),
    "given another key": record({ keys: [{ hash: "h2", prefix: "agk_2" }] }),
    "at the end of its key's grace": record({
      keys: [
        { hash: "h2", prefix: "" },
        { hash: "h1", prefix: "", expiresAt: START },
      ],
    }),
  })) {
    it(`ends the stream with PERMISSION_DENIED when the server is ${what}`, () => {
      const stream = registry.open("a", "h1");
      registry.review(() => record());
      assert.equal(stream.ended.aborted, false);
      registry.review(() => after);
      assert.equal(statusOf(stream.ended), grpcStatus.permissionDenied);
      assert.equal(registry.size, 0);
    });
  }

  it("ends every stream with UNAVAILABLE at shutdown and takes no new one", () => {
    const stream = registry.open("a", "h1");
    registry.shutDown();
    assert.equal(statusOf(stream.ended), grpcStatus.unavailable);
    assert.throws(() => registry.open("b", "h1"), { status: grpcStatus.unavailable });
  });
});
