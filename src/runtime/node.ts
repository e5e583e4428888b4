/** The runtime port on Node: everything in this process. */
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import type { Runtime } from "./runtime.ts";
import { serveGrpcInProcess } from "./grpc/grpc.ts";
import { createRuntime } from "./shell.ts";
import { lateNodeOption } from "./start-options.ts";

// Before the heap grows.
setFlagsFromString(lateNodeOption);

/** Node, for `main.ts`. */
export const runtime: Runtime = createRuntime({
  name: "node",
  version: process.versions.node,
  serveGrpc: serveGrpcInProcess,
});
