/** What every run does: it sets the world up, plays, and tells how that ended. */
import process from "node:process";
import { setWorld } from "../kernel/current.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { DatabaseServer } from "../postgres/server.ts";
import type { BusServer } from "./bus-server.ts";
import { Violation } from "./client.ts";
import { diskOf } from "./computer.ts";
import type { Outside } from "./outside.ts";
import type { PostOffice } from "./post.ts";

const MINUTE = 60_000;

/** Starts work that ends the run when it fails. */
export function goOn(kernel: Kernel, work: Promise<unknown>): Promise<void> {
  return work.then(
    () => undefined,
    (error: unknown) => kernel.fail(error),
  );
}

/** @throws Violation when it does not become true in time */
export async function waitUntil(
  kernel: Kernel,
  what: string,
  limit: { readonly forMs: number; readonly isTrue: () => boolean | Promise<boolean> },
): Promise<void> {
  const endMs = kernel.nowMs + limit.forMs;
  while (!(await limit.isTrue())) {
    if (kernel.nowMs > endMs) throw new Violation(`Not within ${limit.forMs / MINUTE} minutes: ${what}`);
    await kernel.sleep(20_000);
  }
}

export interface Outcome {
  readonly seed: number;
  readonly hash: string;
  /** What went wrong; absent after a run in which nothing did. */
  readonly failure?: { readonly name: string; readonly message: string; readonly stack: string };
  readonly virtualMs: number;
  readonly events: number;
}

export interface WorldParts {
  readonly kernel: Kernel;
  readonly outside: Outside;
  readonly post: PostOffice;
  readonly database?: DatabaseServer;
  readonly bus?: BusServer;
}

/** Runs a play in its world. */
export async function runScene(
  { kernel, outside, post, database, bus }: WorldParts,
  play: () => Promise<void>,
): Promise<Outcome> {
  setWorld({
    kernel,
    disk: () => diskOf(kernel.owner),
    descriptors: { next: 0, open: new Map() },
    outside,
    post,
    database,
    bus,
  });
  const end = (error: unknown): void =>
    kernel.fail(
      new Violation(`A program would have ended: an error was not handled: ${String(error)}`, {
        cause: error,
      }),
    );
  process.on("uncaughtException", end);
  const failure = await kernel.run(play()).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
  process.off("uncaughtException", end);
  setWorld(undefined);
  return {
    seed: kernel.seed,
    hash: kernel.hash,
    ...(failure === undefined
      ? {}
      : { failure: { name: failure.name, message: failure.message, stack: failure.stack ?? "" } }),
    virtualMs: kernel.nowMs,
    events: kernel.eventCount,
  };
}
