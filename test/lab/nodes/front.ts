/** nginx as a process of its own before the nodes. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { type FrontPort, toFrontConfig } from "./front-config.ts";

export interface Front {
  /** As `nginx -s reload`: new workers take over, old ones end within 10 s. */
  reload(): void;
  stop(): Promise<void>;
}

export interface FrontOptions {
  /** Path of nginx. */
  readonly nginx: string;
  /** A folder that does not exist yet. */
  readonly folder: string;
  readonly http: readonly FrontPort[];
  readonly grpc: FrontPort;
}

const START_MS = 10_000;

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.on("connect", () => end(true));
    socket.on("error", () => end(false));
  });
}

async function waitUntilOpen(child: ChildProcess, options: FrontOptions): Promise<void> {
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const endMs = performance.now() + START_MS;
  while (child.exitCode === null && child.signalCode === null && performance.now() < endMs) {
    if (await isOpen(options.grpc.port)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`nginx did not start: ${said.trim()}`);
}

/** Starts nginx. @throws Error with what it said when it does not start */
export async function startFront(options: FrontOptions): Promise<Front> {
  const { folder, nginx } = options;
  await mkdir(folder, { recursive: true });
  // nginx as root runs its workers as "nobody", who needs access here.
  await chmod(folder, 0o755);
  await writeFile(join(folder, "nginx.conf"), toFrontConfig(options));
  const args = ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr", "-g", "daemon off;"];
  const child = spawn(nginx, args, { stdio: ["ignore", "ignore", "pipe"] });
  child.on("error", () => undefined); // seen as an exit without an open port
  const onExit = (): void => void child.kill("SIGTERM");
  process.once("exit", onExit);
  await waitUntilOpen(child, options);
  return {
    reload: () => void child.kill("SIGHUP"),
    async stop() {
      process.off("exit", onExit);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
