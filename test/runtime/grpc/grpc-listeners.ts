/** The listeners that the gRPC suite runs on, as far as this runtime has them. */
import process from "node:process";
import type { GrpcListener, GrpcOptions, GrpcStreamHandler } from "../../../src/runtime/runtime.ts";
import { serveGrpcInProcess } from "../../../src/runtime/grpc/grpc.ts";
import { type GrpcLaunch, createDenoLaunch } from "../../../src/runtime/deno-grpc/grpc-launch.ts";
import { serveGrpcSupervised } from "../../../src/runtime/deno-grpc/grpc-supervised.ts";
import { isDeno, toRunArguments } from "../../support/own-runtime.ts";

/** A way to serve, by name. */
export interface ListenerKind {
  readonly name: string;
  readonly supervised: boolean;
  readonly serve: (options: GrpcOptions) => Promise<GrpcListener>;
}

/** Node has no need of a child, but can show that it works. */
const nodeLaunch: GrpcLaunch = () => ({
  command: process.execPath,
  args: toRunArguments("src/runtime/deno-grpc/grpc-child.ts"),
  env: {},
});

/** How the child that listens on `hostname` is started on this runtime. */
export function toLaunch(hostname: string): GrpcLaunch {
  return isDeno ? createDenoLaunch(hostname) : nodeLaunch;
}

/** The listener with a child process. */
export const supervisedKind: ListenerKind = {
  name: "supervised",
  supervised: true,
  serve: (options) => serveGrpcSupervised(options, toLaunch(options.hostname)),
};

/** In process under Node only: Deno's HTTP/2 server can end the process that runs it. */
export const listenerKinds: readonly ListenerKind[] = isDeno
  ? [supervisedKind]
  : [{ name: "in process", supervised: false, serve: serveGrpcInProcess }, supervisedKind];

/** Options with a free port and generous limits. */
export function toOptions(
  methods: Readonly<Record<string, GrpcStreamHandler>>,
  changes: Partial<GrpcOptions> = {},
): GrpcOptions {
  return {
    hostname: "127.0.0.1",
    port: 0,
    methods,
    maxMessageBytes: 256 * 1024,
    maxStreams: 1000,
    keepaliveMs: 20_000,
    keepaliveTimeoutMs: 10_000,
    ...changes,
  };
}
