/** The runtime port on Node: everything in this process. */
import process from "node:process";
import type { Runtime } from "../runtime.ts";
import { serveGrpcInProcess } from "./grpc.ts";
import { createRuntime } from "./shell.ts";

/** Node, for `main.ts`. */
export const runtime: Runtime = createRuntime({
  name: "node",
  version: process.versions.node,
  serveGrpc: serveGrpcInProcess,
});
