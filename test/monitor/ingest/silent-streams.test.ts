import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { type AgentStreamLimits, createAgentStream } from "../../../src/monitor/ingest/agent-stream.ts";
import { createInbox } from "../../../src/runtime/grpc/grpc-flow.ts";
import { toGrpcOutcome } from "../../../src/kit/http/grpc-status.ts";
import { grpcStatus } from "../../../src/runtime/runtime.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { createFakeIngest, hello, settle } from "./agent-stream-kit.ts";

/** A stream on a listener that others share. */
interface SharedStream {
  greet(): void;
  stop(): unknown;
  /** "silent", "hello", or the status that ended it. */
  readonly state: string | number;
}

describe("streams without a hello", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  function listen(limits: Partial<AgentStreamLimits>): (remoteAddress: string) => SharedStream {
    const { ingest } = createFakeIngest();
    const handler = createAgentStream({ ingest, clock: createFixedClock(), log: silentLog, limits });
    return (remoteAddress) => {
      const inbox = createInbox(() => undefined);
      const { signal } = new AbortController();
      const acks = handler(inbox.messages, { remoteAddress, signal })[Symbol.asyncIterator]();
      let state: string | number = "silent";
      acks.next().then(
        (result) => (state = result.done === true ? grpcStatus.ok : "hello"),
        (error: unknown) => (state = toGrpcOutcome(error).status),
      );
      return {
        greet: () => inbox.push(hello),
        stop: () => acks.return?.(),
        get state() {
          return state;
        },
      };
    };
  }
  function countStates(streams: readonly SharedStream[]): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { state } of streams) counts[String(state)] = (counts[String(state)] ?? 0) + 1;
    return counts;
  }
  const openMany = (
    open: (address: string) => SharedStream,
    count: number,
    address = "192.0.2.1",
  ): SharedStream[] => Array.from({ length: count }, () => open(address));

  it("are at most 20 of an address after the first second, and end after three", async () => {
    const open = listen({});
    const streams = openMany(open, 100);
    const other = open("192.0.2.2");
    mock.timers.tick(999);
    await settle();
    assert.deepEqual(countStates(streams), { silent: 100 });
    mock.timers.tick(1);
    await settle();
    assert.deepEqual(countStates(streams), { silent: 20, [grpcStatus.resourceExhausted]: 80 });
    assert.equal(other.state, "silent");
    mock.timers.tick(2_000);
    await settle();
    assert.deepEqual(countStates(streams), {
      [grpcStatus.deadlineExceeded]: 20,
      [grpcStatus.resourceExhausted]: 80,
    });
    const next = openMany(open, 20);
    mock.timers.tick(1_000);
    await settle();
    assert.deepEqual(countStates(next), { silent: 20 });
  });

  it("count together when they come from one network of IPv6", async () => {
    const open = listen({});
    const streams = Array.from({ length: 40 }, (_, index) => open(`2001:db8::${index + 1}`));
    mock.timers.tick(1_000);
    await settle();
    assert.equal(countStates(streams)["silent"], 20);
  });

  it("make room for newer ones, so that an agent always comes in", async () => {
    const open = listen({ maxSilent: 10 });
    const flood = openMany(open, 10);
    const agent = open("198.51.100.7");
    agent.greet();
    await settle();
    assert.equal(agent.state, "hello");
    assert.deepEqual(countStates(flood), { silent: 9, [grpcStatus.resourceExhausted]: 1 });
    assert.equal(flood[0]?.state, grpcStatus.resourceExhausted);
  });

  it("say nothing against a fleet that comes back from one address", async () => {
    const open = listen({});
    const fleet = openMany(open, 1_000);
    for (const stream of fleet) stream.greet();
    await settle();
    mock.timers.tick(60_000);
    await settle();
    assert.deepEqual(countStates(fleet), { hello: 1_000 });
  });

  it("take no place of an agent, and agents have a bound of their own", async () => {
    const open = listen({ maxAgents: 2, maxSilent: 5 });
    openMany(open, 5);
    const agents = openMany(open, 3);
    for (const stream of agents) stream.greet();
    await settle();
    assert.deepEqual(countStates(agents), { hello: 2, [grpcStatus.resourceExhausted]: 1 });
    await agents[0]?.stop();
    const late = open("192.0.2.9");
    late.greet();
    await settle();
    assert.equal(late.state, "hello");
  });
});
