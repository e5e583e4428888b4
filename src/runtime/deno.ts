/** The runtime port on Deno: the gRPC listener lives in a supervised process of its own. */
import process from "node:process";
import type { Runtime } from "./runtime.ts";
import { createDenoLaunch } from "./deno-grpc/grpc-launch.ts";
import { serveGrpcSupervised } from "./deno-grpc/grpc-supervised.ts";
import { createRuntime } from "./shell.ts";

/** Deno, for `main.ts`. */
export const runtime: Runtime = createRuntime({
  name: "deno",
  version: process.versions["deno"] ?? "",
  serveGrpc: (options) => serveGrpcSupervised(options, createDenoLaunch(options.hostname)),
});
