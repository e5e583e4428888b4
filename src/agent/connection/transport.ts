/** The way to the service: one bidirectional gRPC stream. */
import { Buffer } from "node:buffer";
import { type Channel, ChannelCredentials, ClientError, createChannel, createClient } from "nice-grpc";
import {
  type AgentMessage,
  connectPath,
  decodeAgentMessage,
  decodeControl,
  encodeAgentMessage,
  encodeControl,
} from "../../monitor/proto/codec.ts";

/** The stream ended with a status other than OK. */
export class StreamError extends Error {
  override readonly name = "StreamError";
  /** A gRPC status code; see grpcStatus. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Opens a stream that sends `requests` and gives the texts of the acknowledgements. Throws
 * {@link StreamError} when the service ends it with a status; ends normally otherwise.
 */
export type OpenStream = (
  requests: AsyncIterable<AgentMessage>,
  signal: AbortSignal,
) => AsyncIterable<string>;

export interface TransportOptions {
  /** "host:port". */
  readonly address: string;
  /** TLS with the system's authorities, or with those of the PEM text. */
  readonly tls?: { readonly ca?: string };
}

/** The method as nice-grpc wants it, over the bytes of the codec. */
export const connectDefinition = {
  connect: {
    path: connectPath,
    requestStream: true,
    responseStream: true,
    requestSerialize: encodeAgentMessage,
    requestDeserialize: decodeAgentMessage,
    responseSerialize: encodeControl,
    responseDeserialize: (bytes: Uint8Array): string => decodeControl(bytes) ?? "",
    options: {},
  },
} as const;

/** Opens a channel; connecting happens with the first stream. */
export function openChannel(options: TransportOptions): Channel {
  const ca = options.tls?.ca;
  const credentials =
    options.tls === undefined
      ? ChannelCredentials.createInsecure()
      : ChannelCredentials.createSsl(ca === undefined ? null : Buffer.from(ca));
  return createChannel(options.address, credentials, {
    // A connection that went dead must not be found again by the next channel.
    "grpc.use_local_subchannel_pool": 1,
    "grpc.keepalive_time_ms": 30_000,
    "grpc.keepalive_timeout_ms": 10_000,
    // The link waits by its own schedule; a shared channel must not wait much longer than that.
    "grpc.initial_reconnect_backoff_ms": 500,
    "grpc.max_reconnect_backoff_ms": 5000,
    "grpc.enable_retries": 0,
    "grpc.max_receive_message_length": 256 * 1024,
  });
}

/** Streams over a channel that others may share. */
export function createChannelStreams(channel: Channel): OpenStream {
  const client = createClient(connectDefinition, channel);
  return async function* open(requests, signal) {
    try {
      yield* client.connect(requests, { signal });
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      // grpc-js ends its text with a heading and often nothing under it.
      throw new StreamError(error.code, error.details.replace(/(?<!\s)\s*Resolution note:\s*$/u, ""));
    }
  };
}

/** A transport for one agent: every stream on a connection of its own, so that nothing of a dead one stays. */
export function createTransport(options: TransportOptions): OpenStream {
  return async function* open(requests, signal) {
    const channel = openChannel(options);
    try {
      yield* createChannelStreams(channel)(requests, signal);
    } finally {
      channel.close();
    }
  };
}
