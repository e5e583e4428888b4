/** How the gRPC child is started. */
import { isIP } from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** A command line for a child that will listen on `port` (0: any). */
export type GrpcLaunch = (port: number) => {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

/**
 * V8's own rules let garbage grow with the machine's memory: 250,000 frames of one byte took 150 MB, and as much
 * again until 350. With these they take 50 to 90, and 150 after many. The child keeps next to nothing itself.
 */
const heapFlags = "--v8-flags=--max-semi-space-size=4,--heap-growing-percent=30";

const childPath = fileURLToPath(new URL("./grpc-child.ts", import.meta.url));

function toNetPermission(hostname: string, port: number): string {
  // A name may stand for any address, and Deno checks the address.
  if (isIP(hostname) === 0) return "--allow-net";
  return `--allow-net=${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}`;
}

/**
 * Under Deno: the present deno program, with leave to listen on one address and no more. It may read
 * its environment, because grpc-js does, but that is empty.
 */
export function createDenoLaunch(hostname: string): GrpcLaunch {
  return (port) => ({
    command: process.execPath,
    args: [
      "run",
      heapFlags,
      "--no-prompt",
      "--no-remote",
      "--allow-env",
      toNetPermission(hostname, port),
      childPath,
    ],
    env: {},
  });
}
