/** The edge of the agents' stream: messages in, acknowledgements out. */
import type { Clock } from "../../kit/time/clock.ts";
import { toGrpcOutcome } from "../../kit/http/grpc-status.ts";
import type { Log } from "../../kit/observe/log.ts";
import { toError } from "../../kit/thrown.ts";
import {
  type GrpcCall,
  type GrpcStatus,
  type GrpcStreamHandler,
  GrpcError,
  grpcStatus,
} from "../../runtime/runtime.ts";
import { type AckQueue, createAckQueue } from "./ack-queue.ts";
import type { AgentIngest, AgentSession } from "./agent-session.ts";
import { createPace } from "./pace.ts";
import {
  type HelloMessage,
  type MetricsMessage,
  decodeAgentMessage,
  encodeControl,
  MalformedMessage,
} from "../proto/codec.ts";
import {
  type EnterSilent,
  type SilentEnd,
  type SilentStreamLimits,
  createSilentStreams,
} from "./silent-streams.ts";

export interface AgentStreamLimits extends SilentStreamLimits {
  /** Streams that have said hello; more are refused. */
  readonly maxAgents: number;
  readonly maxKeyBytes: number;
  readonly maxPayloadBytes: number;
  /** Messages of a stream that wait for their acknowledgement. */
  readonly maxUnacknowledged: number;
  /** Rejected messages in a row that end the stream. */
  readonly maxRejections: number;
  /** Messages a second that a stream may send for long; more are not read until it is their time. */
  readonly messagesPerSecond: number;
  /** Messages that it may send at once, so that a resend after an outage is quick. */
  readonly burst: number;
}

export interface AgentStreamDeps {
  readonly ingest: AgentIngest;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<AgentStreamLimits>;
}

/** The limits that the documentation names. */
const agentStreamLimits: AgentStreamLimits = {
  helloMs: 3_000,
  maxSilent: 1_000,
  silentGraceMs: 1_000,
  maxSilentOfAddress: 20,
  maxAgents: 10_000,
  maxKeyBytes: 128,
  maxPayloadBytes: 64 * 1024,
  maxUnacknowledged: 64,
  maxRejections: 20,
  messagesPerSecond: 10,
  burst: 600,
};

/** The listener's limit: silent streams never take the slot of an agent. */
export const maxStreams = agentStreamLimits.maxAgents + agentStreamLimits.maxSilent;

interface Scope extends AgentStreamDeps {
  readonly limits: AgentStreamLimits;
  readonly enterSilent: EnterSilent;
  /** Streams that have said hello. */
  agents: number;
}

/** One stream while it lives. */
interface StreamState {
  readonly scope: Scope;
  readonly queue: AckQueue;
  readonly call: GrpcCall;
  session: AgentSession | undefined;
  /** Removes the stream from the silent ones. */
  readonly leaveSilent: () => void;
  /** Counted among the agents. */
  isAgent: boolean;
  /** Set while the reader sleeps; the stream's end clears it. */
  timer: ReturnType<typeof setTimeout> | undefined;
  wakeReader: () => void;
}

const encoder = new TextEncoder();

function isOver(text: string, maxBytes: number): boolean {
  // A UTF-16 unit is at least one and at most three bytes of UTF-8, so most texts need no encoding.
  if (text.length > maxBytes) return true;
  return text.length * 3 > maxBytes && encoder.encode(text).byteLength > maxBytes;
}

function toStreamError(error: unknown): Error {
  if (error instanceof MalformedMessage) return new GrpcError(grpcStatus.invalidArgument, error.message);
  return toError(error);
}

function refuse(status: GrpcStatus, message: string): GrpcError {
  return new GrpcError(status, message);
}

function onSessionEnded({ queue }: StreamState, session: AgentSession): void {
  const reason: unknown = session.ended.reason;
  const error = reason instanceof Error ? reason : refuse(grpcStatus.unavailable, "The session has ended");
  // On shutdown, received reports are still stored and acknowledged; otherwise the agent no longer waits.
  if (error instanceof GrpcError && error.status !== grpcStatus.unavailable) queue.abort(error);
  else queue.finish(error);
}

function checkHello({ serverId, agentKey }: HelloMessage, limits: AgentStreamLimits): void {
  if (isOver(agentKey, limits.maxKeyBytes) || isOver(serverId, limits.maxKeyBytes)) {
    throw refuse(
      grpcStatus.invalidArgument,
      `server_id and agent_key are at most ${limits.maxKeyBytes} bytes`,
    );
  }
}

/** Moves a stream that said hello from the silent ones to the agents. */
function countAgent(state: StreamState): void {
  const { scope } = state;
  if (scope.agents >= scope.limits.maxAgents)
    throw refuse(grpcStatus.resourceExhausted, "Too many agents are connected");
  scope.agents += 1;
  state.isAgent = true;
}

async function openSession(state: StreamState, hello: HelloMessage): Promise<AgentSession> {
  checkHello(hello, state.scope.limits);
  countAgent(state);
  const { queue, call } = state;
  const { serverId, agentKey, hostname } = hello;
  const session = await state.scope.ingest.open({
    serverId,
    agentKey,
    hostname,
    remoteAddress: call.remoteAddress,
  });
  if (queue.closed) {
    // The client left while its credentials were checked.
    session.close();
    return session;
  }
  state.session = session;
  session.ended.addEventListener("abort", () => onSessionEnded(state, session), { once: true });
  queue.settle(queue.reserve(), { accepted: true, ack: "hello" });
  state.scope.log.info("Agent connected", { server: session.serverId, address: call.remoteAddress });
  if (session.ended.aborted) onSessionEnded(state, session);
  return session;
}

function takeReport(state: StreamState, session: AgentSession, message: MetricsMessage): void {
  const { queue } = state;
  const slot = queue.reserve();
  if (isOver(message.payloadJson, state.scope.limits.maxPayloadBytes)) {
    queue.settle(slot, {
      accepted: false,
      ack: `rejected payload_json is over ${state.scope.limits.maxPayloadBytes / 1024} KiB`,
    });
    return;
  }
  session.report(message.payloadJson, message.collectedAtUnixMs).then(
    (outcome) => {
      queue.settle(slot, outcome);
      if (outcome.more !== undefined && !queue.closed)
        queue.settle(queue.reserve(), { accepted: true, ack: outcome.more });
    },
    (error: unknown) => queue.fail(slot, toStreamError(error)),
  );
}

function takeMessage(state: StreamState, session: AgentSession, bytes: Uint8Array): void {
  const { queue } = state;
  const message = decodeAgentMessage(bytes);
  switch (message.kind) {
    case "metrics":
      takeReport(state, session, message);
      return;
    case "heartbeat":
      session.heartbeat();
      queue.settle(queue.reserve(), { accepted: true, ack: "heartbeat" });
      return;
    case "none":
      queue.settle(queue.reserve(), { accepted: false, ack: "rejected the message has no payload" });
      return;
    case "hello":
      throw refuse(grpcStatus.failedPrecondition, "The stream already started with a hello");
  }
}

async function waitForRoom(state: StreamState, delayMs: number): Promise<void> {
  if (delayMs > 0) {
    await new Promise<void>((resolve) => {
      state.wakeReader = resolve;
      state.timer = setTimeout(resolve, delayMs);
    });
  }
  await state.queue.room();
}

async function read(state: StreamState, requests: AsyncIterable<Uint8Array>): Promise<void> {
  const { queue } = state;
  const pace = createPace({
    perSecond: state.scope.limits.messagesPerSecond,
    burst: state.scope.limits.burst,
    clock: state.scope.clock,
  });
  let session: AgentSession | undefined;
  for await (const bytes of requests) {
    if (queue.closed) return;
    if (session === undefined) {
      state.leaveSilent();
      const message = decodeAgentMessage(bytes);
      if (message.kind !== "hello")
        throw refuse(grpcStatus.failedPrecondition, "The first message must be a hello");
      session = await openSession(state, message);
    } else takeMessage(state, session, bytes);
    // Not reading here applies backpressure: that slows the agent.
    const delayMs = pace.take();
    const room = delayMs > 0 ? waitForRoom(state, delayMs) : queue.room();
    if (room !== undefined) await room;
    if (queue.closed) return;
  }
  queue.finish();
}

function logEnd({ session, call, scope }: StreamState, error: Error | undefined): void {
  const outcome = error === undefined ? { status: grpcStatus.ok, message: "" } : toGrpcOutcome(error);
  const fields = { address: call.remoteAddress, status: outcome.status, reason: outcome.message };
  if (session === undefined) scope.log.info("Agent rejected", fields);
  else scope.log.info("Agent disconnected", { server: session.serverId, ...fields });
}

function toSilentError(reason: SilentEnd): GrpcError {
  return reason === "late"
    ? refuse(grpcStatus.deadlineExceeded, "No hello arrived in time")
    : refuse(grpcStatus.resourceExhausted, "Too many streams without a hello");
}

/** Creates the handler of `AgentIngest.Connect`. */
export function createAgentStream(deps: AgentStreamDeps): GrpcStreamHandler {
  const limits: AgentStreamLimits = { ...agentStreamLimits, ...deps.limits };
  const scope: Scope = { ...deps, limits, enterSilent: createSilentStreams(limits), agents: 0 };
  return (requests, call) => {
    const onGone = (): void => queue.abort(refuse(grpcStatus.cancelled, "The call was canceled"));
    const queue = createAckQueue({
      encode: encodeControl,
      window: limits.maxUnacknowledged,
      maxRejections: limits.maxRejections,
      toRejectionsError: () =>
        refuse(grpcStatus.invalidArgument, `${limits.maxRejections} messages in a row were rejected`),
      onEnd: (error) => {
        clearTimeout(state.timer);
        state.leaveSilent();
        if (state.isAgent) scope.agents -= 1;
        state.wakeReader();
        call.signal.removeEventListener("abort", onGone);
        state.session?.close();
        logEnd(state, error);
      },
    });
    const state: StreamState = {
      scope,
      queue,
      call,
      session: undefined,
      leaveSilent: scope.enterSilent(call.remoteAddress, (reason) => queue.finish(toSilentError(reason))),
      isAgent: false,
      timer: undefined,
      wakeReader: () => undefined,
    };
    call.signal.addEventListener("abort", onGone);
    if (call.signal.aborted) onGone();
    read(state, requests).catch((error: unknown) => queue.finish(toStreamError(error)));
    return queue.messages;
  };
}
