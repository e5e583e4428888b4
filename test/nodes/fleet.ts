/** Agents for the cluster's tests. */
import { type FleetAgents, startAgents } from "../lab/fleet/agents.ts";
import { type DrivenAgent, startDrivenAgent } from "../lab/fleet/driven-agent.ts";
import { type Ledger, createLedger } from "../lab/fleet/ledger.ts";
import { type FleetKey, prepareServers } from "../lab/fleet/servers.ts";
import { type Verification, verifyFleet } from "../lab/fleet/verify.ts";
import { call, cluster } from "./cluster.ts";

/** Agents that report by themselves. */
export interface RunningFleet {
  readonly ids: readonly string[];
  readonly ledger: Ledger;
  readonly agents: FleetAgents;
  /** No new reports; resolves when all that were made are acknowledged. */
  settle(): Promise<void>;
  /** Asks a monitor whether its charts have each report that was acknowledged, over all nodes. */
  verifyCharts(url: string): Promise<Verification>;
  /** The same by the count of reports in each server's record. */
  verifyCounts(url: string): Promise<Verification>;
  /** Ends the agents and deletes their servers. */
  stop(): Promise<void>;
}

const INTERVAL_MS = 1_000;
const SETTLE_MS = 30_000;

/** Creates servers over the front, with their keys. */
export function makeServers(count: number): Promise<FleetKey[]> {
  return prepareServers({
    count,
    url: cluster.front.monitor,
    adminToken: cluster.adminToken,
    keysFile: undefined,
  });
}

/** Deletes servers, over the front. */
export async function deleteServers(ids: readonly string[]): Promise<void> {
  for (const id of ids)
    await call("DELETE", `${cluster.front.monitor}/api/admin/servers/${id}`, { admin: true });
}

/** An agent whose reports a test writes. */
export function startAgent(key: FleetKey, address: string): DrivenAgent {
  return startDrivenAgent({ ...key, address });
}

/** Starts agents that report once a second; the front spreads their streams over the nodes. */
export async function startFleet(count: number, address = cluster.front.grpc): Promise<RunningFleet> {
  const keys = await makeServers(count);
  const ids = keys.map(({ id }) => id);
  const ledger = createLedger();
  const agents = startAgents({ keys, address, connections: 4, intervalMs: INTERVAL_MS, ledger });
  return {
    ids,
    ledger,
    agents,
    async settle() {
      agents.quiet();
      const endMs = performance.now() + SETTLE_MS;
      while (ledger.totals().waiting > 0 && performance.now() < endMs)
        await new Promise((resolve) => setTimeout(resolve, 50));
    },
    verifyCharts: (url) => verifyFleet({ url, adminToken: undefined, accounts: ledger.accounts() }),
    verifyCounts: (url) => verifyFleet({ url, adminToken: cluster.adminToken, accounts: ledger.accounts() }),
    async stop() {
      await agents.stop();
      await deleteServers(ids);
    },
  };
}
