/** Runs cases and gathers their rows. */
import { createRandom } from "../../store/faulty-files.ts";
import type { Runner } from "../../support/program.ts";
import { type PostgresServer, startPostgresServer } from "../../support/postgres-server.ts";
import { type ChaosCase, type ChaosRow, type Surroundings, runPart } from "./case.ts";

export interface ChaosOptions {
  readonly cases: readonly ChaosCase[];
  readonly seed: number;
  /** In place of each part's own number. */
  readonly rounds?: number | undefined;
  readonly isQuick: boolean;
  readonly kills: number;
  readonly cuts: number;
  /** Multiplies time limits; 1 on an idle machine. */
  readonly slack: number;
  readonly runner: Runner;
  readonly isDeno: boolean;
  readonly entry: string;
  readonly onRow: (row: ChaosRow) => void;
}

/** What went wrong: a case failed, or a control was not noticed. */
export function hasFailed(rows: readonly ChaosRow[]): boolean {
  // A run in which nothing was checked has shown nothing.
  return rows.some(({ outcome }) => outcome === "fail") || !rows.some(({ outcome }) => outcome === "pass");
}

/** A server that is started on first use. */
function createSharedPostgres(): { get: () => Promise<PostgresServer>; stop: () => Promise<void> } {
  let started: Promise<PostgresServer> | undefined;
  return {
    get: () => (started ??= startPostgresServer()),
    stop: async () => {
      await (await started?.catch(() => undefined))?.stop();
    },
  };
}

/** Runs the cases one after another, in a quick run two at a time; those that mostly wait run beside them. */
export async function runChaos(options: ChaosOptions): Promise<ChaosRow[]> {
  const { cases, seed, rounds, isQuick, kills, cuts, slack, runner, isDeno, entry, onRow } = options;
  const postgres = createSharedPostgres();
  const rows: ChaosRow[] = [];
  const order = new Map(cases.map(({ name }, index) => [name, index]));

  /** Takes cases from the queue until it is empty. */
  async function runLine(queue: ChaosCase[]): Promise<void> {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { name, parts } = next;
      for (const [index, part] of parts.entries()) {
        if (isQuick && part.isLong === true) continue;
        const around: Omit<Surroundings, "onEnd"> = {
          isQuick,
          kills,
          cuts,
          rounds: (quick, full) => rounds ?? (isQuick ? quick : full),
          within: (limitMs) => limitMs * slack,
          // Each part has its own numbers, so that one that is run alone does what it did among others.
          random: createRandom(seed * 1_000_003 + index * 101 + name.length),
          runner,
          isDeno,
          entry,
          postgres: postgres.get,
        };
        const row = await runPart(part, { caseName: name, around });
        rows.push(row);
        onRow(row);
      }
    }
  }

  try {
    const busy = cases.filter(({ isPatient }) => isPatient !== true);
    const patient = cases.filter(({ isPatient }) => isPatient === true);
    const lines = [busy, ...(isQuick ? [busy] : []), ...patient.map((one) => [one])];
    await Promise.all(lines.map(runLine));
  } finally {
    await postgres.stop();
  }
  // Parts of one case ran one after another; cases in the order of the list.
  return rows.toSorted((a, b) => (order.get(a.case) ?? 0) - (order.get(b.case) ?? 0));
}
