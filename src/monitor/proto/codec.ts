/**
 * Bytes ↔ messages of monitor.v1, the only door to the generated code. Whatever is not a well-formed message is a
 * {@link MalformedMessage}.
 */
import { monitor } from "./monitor.js";

const { AgentMessage: WireAgentMessage, ControlMessage: WireControlMessage } = monitor.v1;

/** Full path of the only method, as it stands in HTTP/2's `:path`. */
export const connectPath = "/monitor.v1.AgentIngest/Connect";

/** First message of an agent, with its identity. */
export interface HelloMessage {
  readonly kind: "hello";
  readonly serverId: string;
  readonly agentKey: string;
  readonly hostname: string;
}

/** One report of metrics; the payload is a JSON text that nobody has looked at yet. */
export interface MetricsMessage {
  readonly kind: "metrics";
  readonly payloadJson: string;
  readonly collectedAtUnixMs: number;
}

/** A message of an agent. "none" carries no payload that this version knows. */
export type AgentMessage =
  | HelloMessage
  | { readonly kind: "heartbeat" }
  | MetricsMessage
  | { readonly kind: "none" };

/** Thrown for bytes that are no message: truncated, not UTF-8, or a number outside ±(2^53−1). */
export class MalformedMessage extends Error {
  override readonly name = "MalformedMessage";
}

const heartbeat: AgentMessage = Object.freeze({ kind: "heartbeat" });
const none: AgentMessage = Object.freeze({ kind: "none" });

function toMalformed(error: unknown): MalformedMessage {
  return new MalformedMessage("The message is not valid protobuf", { cause: error });
}

function toSafeInteger(value: number): number {
  // protobufjs rounds silently beyond 2^53.
  if (!Number.isSafeInteger(value)) throw new MalformedMessage("A number is outside ±(2^53−1)");
  return value;
}

function readWire<T>(decode: (bytes: Uint8Array) => T, bytes: Uint8Array): T {
  try {
    return decode(bytes);
  } catch (error) {
    throw toMalformed(error);
  }
}

/** Reads a message of an agent; unknown fields are passed over. @throws {@link MalformedMessage} */
export function decodeAgentMessage(bytes: Uint8Array): AgentMessage {
  const { metrics, hello, heartbeat: beat } = readWire(WireAgentMessage.decode, bytes);
  if (metrics != null) {
    const collectedAtUnixMs = toSafeInteger(metrics.collectedAtUnixMs ?? 0);
    return { kind: "metrics", payloadJson: metrics.payloadJson ?? "", collectedAtUnixMs };
  }
  if (hello != null) {
    const { serverId, agentKey, hostname } = hello;
    return { kind: "hello", serverId: serverId ?? "", agentKey: agentKey ?? "", hostname: hostname ?? "" };
  }
  return beat == null ? none : heartbeat;
}

/** Writes a message of an agent. @throws {@link MalformedMessage} when `collectedAtUnixMs` is no safe integer */
export function encodeAgentMessage(message: AgentMessage): Uint8Array {
  switch (message.kind) {
    case "hello": {
      const { serverId, agentKey, hostname } = message;
      return WireAgentMessage.encode({ hello: { serverId, agentKey, hostname } }).finish();
    }
    case "metrics": {
      const { payloadJson } = message;
      const collectedAtUnixMs = toSafeInteger(message.collectedAtUnixMs);
      return WireAgentMessage.encode({ metrics: { payloadJson, collectedAtUnixMs } }).finish();
    }
    case "heartbeat":
      return WireAgentMessage.encode({ heartbeat: {} }).finish();
    case "none":
      return WireAgentMessage.encode({}).finish();
  }
}

/** Writes an acknowledgement. */
export function encodeControl(ackMessage: string): Uint8Array {
  return WireControlMessage.encode({ ack: { message: ackMessage } }).finish();
}

/** Reads a message of the service: the text of its acknowledgement, or undefined when it carries none. @throws {@link MalformedMessage} */
export function decodeControl(bytes: Uint8Array): string | undefined {
  const { ack } = readWire(WireControlMessage.decode, bytes);
  return ack == null ? undefined : (ack.message ?? "");
}
