/** The runtime port on Deno: the gRPC listener lives in a supervised process of its own. */
import process from "node:process";
import type { Runtime } from "./runtime.ts";
import { createDenoLaunch } from "./deno-grpc/grpc-launch.ts";
import { serveGrpcSupervised } from "./deno-grpc/grpc-supervised.ts";
import { createRuntime } from "./shell.ts";

/** Files and nothing else: it is a backup that runs in a process of its own. */
const self = {
  args: [
    "run",
    "--no-prompt",
    "--no-remote",
    "--allow-env",
    "--allow-read",
    "--allow-write",
    "--allow-sys=statfs",
  ],
  env: {},
};

/** Deno, for `main.ts`. */
export const runtime: Runtime = createRuntime({
  name: "deno",
  self,
  version: process.versions["deno"] ?? "",
  serveGrpc: (options) => serveGrpcSupervised(options, createDenoLaunch(options.hostname)),
});
