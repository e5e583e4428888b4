/** The fleet that the monitor is made for: 3,000 agents with a report each 3 s and 200 viewers. */
import { runFleet } from "../fleet/run.ts";
import { verifyFleet } from "../fleet/verify.ts";
import { startMonitorProgram } from "../program.ts";
import type { BenchRow, Effort } from "./measure.ts";

const AGENTS = 3_000;
const VIEWERS = 200;
const CONNECTIONS = 50;
/** Seconds for each one of the effort: by default two minutes, which is when half of what is kept in memory has come. */
const STRETCH = 30;
const MIB = 1024 * 1024;
const MOST_MIB = 350e6 / MIB;
const MOST_CPU_PERCENT = 50;

/** Lost reports, CPU and memory of the program with the whole fleet; `npm run fleet` shows the same over longer times. */
export async function benchFleet({ seconds }: Effort): Promise<BenchRow[]> {
  const program = await startMonitorProgram({ env: { VIEWERS_PER_ADDRESS: String(VIEWERS) } });
  try {
    const result = await runFleet({
      agents: AGENTS,
      viewers: VIEWERS,
      connections: CONNECTIONS,
      seconds: seconds * STRETCH,
      intervalMs: 3_000,
      mode: "delta",
      server: program.grpc,
      url: program.url,
      adminToken: program.adminToken,
      pid: program.pid,
    });
    const verified = await verifyFleet({ ...program, accounts: result.accounts });
    const lost = result.lost + result.waiting + result.rejected + verified.missing;
    const cpu = result.serverProcess?.cpuPercent ?? Number.NaN;
    const mib = (result.serverPeakRssBytes ?? Number.NaN) / MIB;
    const name = "3,000 agents, 200 viewers";
    const note = `${seconds * STRETCH} s, ${result.acknowledged.toLocaleString("en")} reports acknowledged`;
    return [
      { name: `${name}: lost`, unit: "reports", ours: lost, target: "0", isReached: lost === 0, note },
      {
        name: `${name}: CPU`,
        unit: "% of a core",
        ours: cpu,
        target: "≤ 50 %",
        isReached: cpu <= MOST_CPU_PERCENT,
      },
      {
        name: `${name}: most memory`,
        unit: "MiB",
        ours: mib,
        target: "≤ 350 MB",
        isReached: mib <= MOST_MIB,
      },
    ];
  } finally {
    await program.stop();
  }
}
