/** An agent written with nothing but the seed's text: its protocol buffers, and a client of them. */
import { type ClientDuplexStream, type StatusObject, Client, credentials } from "@grpc/grpc-js";
import protobuf from "protobufjs";

/** The protocol as the seed gives it. */
export const seedProto = `
syntax = "proto3";
package monitor.v1;
service AgentIngest { rpc Connect(stream AgentMessage) returns (stream ControlMessage); }
message AgentMessage { oneof payload { Hello hello = 1; Heartbeat heartbeat = 2; MetricsReport metrics = 3; } }
message Hello { string server_id = 1; string agent_key = 2; string hostname = 3; }
message Heartbeat {}
message MetricsReport { string payload_json = 1; int64 collected_at_unix_ms = 2; }
message ControlMessage { oneof payload { Ack ack = 1; } }
message Ack { string message = 1; }
`;

/** A message by the names of its fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** A client of one address; close it at the end of the test. */
export interface SeedClient {
  connect(): ClientDuplexStream<Fields, Fields>;
  close(): void;
}

/** Connects to "host:port" without TLS, when a stream is opened. */
export function createSeedClient(address: string): SeedClient {
  const { root } = protobuf.parse(seedProto, { keepCase: true });
  const agentMessage = root.lookupType("monitor.v1.AgentMessage");
  const controlMessage = root.lookupType("monitor.v1.ControlMessage");
  const client = new Client(address, credentials.createInsecure());
  return {
    connect: (): ClientDuplexStream<Fields, Fields> =>
      client.makeBidiStreamRequest(
        "/monitor.v1.AgentIngest/Connect",
        (value: Fields) => Buffer.from(agentMessage.encode(agentMessage.fromObject(value)).finish()),
        (bytes: Buffer): Fields => controlMessage.toObject(controlMessage.decode(bytes), { oneofs: true }),
      ),
    close: () => client.close(),
  };
}

/** The next message; rejects when the stream ends with an error before. */
export function nextMessage(call: ClientDuplexStream<Fields, Fields>): Promise<Fields> {
  return new Promise((resolve, reject) => {
    call.once("data", resolve);
    call.once("error", reject);
  });
}

/** The code with which a stream ends. */
export function endOf(call: ClientDuplexStream<Fields, Fields>): Promise<number> {
  call.on("error", () => undefined);
  call.on("data", () => undefined);
  return new Promise((resolve) => call.on("status", ({ code }: StatusObject) => resolve(code)));
}
