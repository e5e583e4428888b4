/**
 * The agents' call without encoding, so that a side of a benchmark pays for the bytes it makes itself and
 * for nothing else.
 */
import { connectPath } from "../../../src/monitor/proto/codec.ts";

/** Bytes as they are. */
export const identity = (bytes: Uint8Array): Uint8Array => bytes;

/** `AgentIngest.Connect` for nice-grpc, with messages that are bytes on both ends. */
export const rawConnect = {
  connect: {
    path: connectPath,
    requestStream: true,
    responseStream: true,
    requestSerialize: identity,
    requestDeserialize: identity,
    responseSerialize: identity,
    responseDeserialize: identity,
    options: {},
  },
} as const;
