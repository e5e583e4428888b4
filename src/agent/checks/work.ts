/** The checks of a file at work. Loaded where there is a file: machines without one pay nothing for it. */
import process from "node:process";
import type { Clock } from "../../kit/time/clock.ts";
import {
  type CheckFile,
  type FileCheck,
  fillTarget,
  isTooNew,
  parseCheckFile,
} from "../../kit/check-files/check-file.ts";
import { hashChecks, hashDefinition } from "../../kit/check-files/check-hash.ts";
import type { ProbeContext, ProbeResult } from "../../kit/probes/probe.ts";
import { runProbe } from "../../kit/probes/probes.ts";
import type { Target } from "../../kit/probes/targets.ts";
import { agentVersion } from "../version.ts";
import type { CheckResult } from "../payload.ts";
import { AT_ONCE, createSchedule } from "./schedule.ts";

/** One try of a target; never rejects. */
export type Probe = (target: Target, context: ProbeContext) => Promise<ProbeResult>;

export interface CheckWorkOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly onResult: (result: CheckResult) => void;
  /** Default: what `kit/probes` does. */
  readonly probe?: Probe | undefined;
  /** Default: the environment of this process. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Rejects targets that the machine's owner does not allow; see `allow`. */
function findRefusal(target: Target, { allow }: CheckFile): ProbeResult | undefined {
  if (target.kind !== "ping" || target.way !== "icmp" || allow.includes("ping")) return undefined;
  return { fault: "unsupported", detail: 'checks.json does not allow the program: "allow": ["ping"]' };
}

/** Starts with no file. */
export function createCheckWork(options: CheckWorkOptions) {
  const { clock, signal, onResult, probe = runProbe, variables = process.env } = options;
  let file: CheckFile | undefined;

  function look(check: FileCheck, given: CheckFile): Promise<ProbeResult> | ProbeResult {
    if (isTooNew(check))
      return { fault: "unsupported", detail: "This agent is too old for the check. Update the agent" };
    const filled = fillTarget(check.target, variables);
    if ("problem" in filled) return { fault: "unsupported", detail: filled.problem };
    const refusal = findRefusal(filled.target, given);
    if (refusal !== undefined) return refusal;
    return probe(filled.target, {
      rules: {
        allowPrivate: given.allow.includes("private"),
        privateRemedy: 'the owner of the machine can allow it in checks.json: "allow": ["private"]',
      },
      userAgent: `Trivet-Agent/${agentVersion}`,
      timeoutMs: check.timeoutSeconds * 1_000,
      signal,
      clock,
    });
  }

  async function attempt(check: FileCheck): Promise<boolean> {
    if (file === undefined) return true;
    const { fault, detail, latencyMs, certificate } = await look(check, file);
    // What was under way when the agent stops says nothing of the target.
    if (!signal.aborted) {
      const hash = hashDefinition(check);
      onResult({ id: check.id, at: clock.now(), hash, fault, detail, latencyMs, certificate });
    }
    return (fault === undefined) !== check.inverted;
  }

  const schedule = createSchedule({ clock, random: options.random, attempt });
  return {
    /** Goes on with the checks in these bytes; gives what is wrong with them, and then goes on as before. */
    take(bytes: Uint8Array): string | undefined {
      const parsed = parseCheckFile(bytes);
      if (!parsed.ok) return parsed.problem;
      ({ file } = parsed);
      schedule.set(file.checks);
      return undefined;
    },
    /** Handles the deletion of the file. */
    clear(): void {
      file = undefined;
      schedule.set([]);
    },
    tick: schedule.tick,
    /** Tries all of them now. */
    async once(): Promise<void> {
      const waiting = [...(file?.checks ?? [])];
      const work = async (): Promise<void> => {
        for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) await attempt(check);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    },
    /** Of the file in use; undefined without one. */
    get state():
      | { readonly hash: string; readonly allow: CheckFile["allow"]; readonly count: number }
      | undefined {
      if (file === undefined) return undefined;
      return { hash: hashChecks(file.checks), allow: file.allow, count: file.checks.length };
    },
  };
}

export type CheckWork = ReturnType<typeof createCheckWork>;
