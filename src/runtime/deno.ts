/** The runtime port on Deno: the gRPC listener runs in a supervised child process. */
import process from "node:process";
import type { Runtime } from "./runtime.ts";
import { createDenoLaunch } from "./deno-grpc/grpc-launch.ts";
import { serveGrpcSupervised } from "./deno-grpc/grpc-supervised.ts";
import { createRuntime } from "./shell.ts";

/** Files only: this is a backup in its own process. */
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
