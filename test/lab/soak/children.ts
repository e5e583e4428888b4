/** Child processes of a soak. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { textOf } from "../../../src/kit/thrown.ts";

/** How a process ended: its code, or the signal that ended it; null while it runs. */
export function endOf({ exitCode, signalCode }: ChildProcess): number | string | null {
  return exitCode ?? signalCode;
}

/** Sends SIGTERM unless it has ended, and resolves with its end. */
export async function endChild(child: ChildProcess): Promise<number | string | null> {
  if (endOf(child) !== null) return endOf(child);
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
  return endOf(child);
}

/**
 * Gives a process its order and hears what it tells, one thing after another, to its end. Resolves with what went
 * wrong, undefined when nothing did; it is ended when something that it told cannot be heard.
 */
export async function hearChild(
  child: ChildProcess,
  { order, onNews }: { order: object; onNews: (news: unknown) => Promise<void> },
): Promise<string | undefined> {
  let failure: string | undefined;
  let hearing = Promise.resolve();
  child.on("message", (message) => {
    hearing = hearing
      .then(() => (failure === undefined ? onNews(message) : undefined))
      .catch((error: unknown) => {
        failure = textOf(error);
        child.kill("SIGKILL");
      });
  });
  const ended = once(child, "exit");
  child.send(order);
  await ended;
  await hearing;
  return failure ?? (child.exitCode === 0 ? undefined : `the load ended with ${endOf(child)}`);
}
