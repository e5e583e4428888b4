/**
 * Entry of the gRPC child process: a listener whose streams are all passed on to the parent over stdin
 * and stdout. It decides nothing, stores nothing and acknowledges nothing, so that it may crash.
 */
import process from "node:process";
import { toErrorText } from "../../kit/http/grpc-status.ts";
import { codeOf, textOf } from "../../kit/thrown.ts";
import type { GrpcListener, GrpcOptions } from "../runtime.ts";
import { serveGrpcInProcess } from "../grpc/grpc.ts";
import { type Frame, type Link, createLink, frameTypes, readJson } from "./grpc-link.ts";
import { type Tunnel, createTunnel } from "./grpc-tunnel.ts";

/** The parent's first message. */
export interface ChildSettings extends Omit<GrpcOptions, "methods" | "onEvent" | "tls"> {
  readonly paths: readonly string[];
}

function readSettings(frame: Frame): ChildSettings {
  // The parent is the same program in the same version and wrote this from the same type.
  return readJson(frame) as ChildSettings;
}

async function listen(
  link: Link,
  scope: { tunnel: Tunnel; frame: Frame },
): Promise<GrpcListener | undefined> {
  const { paths, ...settings } = readSettings(scope.frame);
  try {
    const listener = await serveGrpcInProcess({
      ...settings,
      methods: Object.fromEntries(paths.map((path) => [path, scope.tunnel.createHandler(path)])),
      onEvent: (event) => link.sendJson(frameTypes.event, 0, event),
    });
    link.sendJson(frameTypes.ready, 0, { port: listener.port });
    return listener;
  } catch (error) {
    const code = codeOf(error);
    const message = textOf(error);
    link.sendJson(frameTypes.failed, 0, { code, message });
    await link.flush();
    process.exit(1);
  }
}

async function drain(
  listener: GrpcListener | undefined,
  scope: { link: Link; frame: Frame },
): Promise<never> {
  const { graceMs } = readJson(scope.frame) as { graceMs: number };
  await listener?.close({ graceMs });
  await scope.link.flush();
  process.exit(0);
}

/**
 * Deno's node:http2 throws an uncatchable error when a client resets a stream that grpc-js is about to
 * refuse. Only that stream is lost, so the process goes on.
 */
function guardAgainstHttp2Throws(link: Link): void {
  process.on("uncaughtException", (error: Error & { code?: string }) => {
    if (error.code?.startsWith("ERR_HTTP2_") === true) return;
    link.sendJson(frameTypes.event, 0, {
      level: "error",
      message: `The gRPC process failed: ${toErrorText(error)}`,
    });
    void link.flush().then(() => process.exit(70));
  });
}

function main(): void {
  let listener: Promise<GrpcListener | undefined> = Promise.resolve(undefined);
  const link = createLink({
    input: process.stdin,
    output: process.stdout,
    onFrame: (frame) => {
      if (frame.type === frameTypes.start) listener = listen(link, { tunnel, frame });
      else if (frame.type === frameTypes.drain)
        void listener.then((running) => drain(running, { link, frame }));
      else tunnel.onFrame(frame);
    },
    // Without its parent, agents would get no answers.
    onClose: () => process.exit(0),
  });
  const tunnel = createTunnel(link);
  guardAgainstHttp2Throws(link);
  // A terminal or systemd signals the whole group; the parent says when to stop.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
}

main();
