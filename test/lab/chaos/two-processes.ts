/** A second process on a data folder that is in use. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ChaosCase, type Found, type Surroundings, judge, pause, waitFor } from "./case.ts";
import { createSubject } from "./subject.ts";
import { startWriter } from "./writer.ts";

const LIMIT_MS = 20_000;

async function startTwice(around: Surroundings): Promise<Found> {
  const services = ["monitor", "auth", "shop"] as const;
  const seen: string[] = [];
  const problems: string[] = [];
  for (const service of services) {
    const subject = await createSubject(around, { services: [service] });
    const first = await subject.start();
    // The ports are taken too, but the folder is what counts: it is checked first.
    const end = await subject.startRefused(LIMIT_MS);
    const text = /.*in use by process.*/u.exec(end?.output ?? "")?.[0] ?? "";
    if (end === undefined) problems.push(`a second ${service} lives on`);
    else if (end.code === 0 || !text.includes(String(first.pid)))
      problems.push(`a second ${service} ended with ${end.code}: ${end.output.slice(-300)}`);
    if (first.program.child.exitCode !== null) problems.push(`the first ${service} ended`);
    seen.push(`exit ${end?.code ?? "none"}`);
    await first.kill();
  }
  return judge(problems, {
    done: "a second monitor, auth center and shop on a folder in use",
    acknowledged: "",
    found: `${seen.join(", ")}, each naming the first one's process`,
  });
}

async function startCarelessTwice(around: Surroundings): Promise<Found> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-twice-"));
  around.onEnd(() => rm(folder, { recursive: true, force: true }));
  const first = startWriter(around, "no-sync", folder);
  await waitFor(() => first.acknowledged() > 3, { limitMs: LIMIT_MS });
  const second = startWriter(around, "no-sync", folder);
  await waitFor(() => second.acknowledged() > 3 || second.exitCode() !== null, { limitMs: LIMIT_MS });
  await pause(100);
  const isRefused = second.acknowledged() === 0 && second.exitCode() !== 0 && second.exitCode() !== null;
  await Promise.all([first.kill(), second.kill()]);
  return {
    isKept: isRefused,
    done: "a second program on the folder",
    acknowledged: "",
    found: isRefused ? "refused" : `both write, the second ${second.acknowledged()} times`,
  };
}

/** See the module's header. */
export const twoProcesses: ChaosCase = {
  name: "two-processes",
  promise: "Two processes on one data folder: the second exits non-zero with a clear text",
  parts: [
    { name: "each service", run: startTwice },
    { name: "plain lowdb, which locks nothing", isControl: true, run: startCarelessTwice },
  ],
};
