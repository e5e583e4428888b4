/** How the gRPC child is started. */
import { isIP } from "node:net";
import { dirname } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type SocketAddress, isSocketAddress, toSocketPath } from "../../kit/text/socket-address.ts";
import { grpcChildOptions } from "../start-options.ts";

/** A command line for a child that will listen on `port` (0: any). */
export type GrpcLaunch = (port: number | SocketAddress) => {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

const childPath = fileURLToPath(new URL("./grpc-child.ts", import.meta.url));

function toNetPermissions(hostname: string, port: number | SocketAddress): string[] {
  if (isSocketAddress(port)) {
    const folder = dirname(toSocketPath(port));
    return [`--allow-net=${port}`, `--allow-read=${folder}`, `--allow-write=${folder}`];
  }
  // A name may resolve to any address, and Deno checks the address.
  if (isIP(hostname) === 0) return ["--allow-net"];
  return [`--allow-net=${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}`];
}

/**
 * Under Deno: the current deno program, with permission to listen on one address only. It may read its environment,
 * because grpc-js does, but that is empty.
 */
export function createDenoLaunch(hostname: string): GrpcLaunch {
  return (port) => ({
    command: process.execPath,
    args: [
      "run",
      `--v8-flags=${grpcChildOptions.join(",")}`,
      "--no-prompt",
      "--no-remote",
      "--allow-env",
      ...toNetPermissions(hostname, port),
      childPath,
    ],
    env: {},
  });
}
