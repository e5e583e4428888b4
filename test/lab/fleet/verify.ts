/** Asks the monitor afterwards whether it has all that it acknowledged. */
import type { ServerAccount } from "./ledger.ts";

export interface VerifyOptions {
  readonly url: string;
  readonly adminToken: string | undefined;
  readonly accounts: readonly ServerAccount[];
}

export interface Verification {
  readonly checked: number;
  /** Servers without a result: without an administrator's token, when the raw tier has moved on. */
  readonly unknown: number;
  /** Reports acknowledged of which the monitor has no trace. */
  readonly missing: number;
  /** Reports that the monitor holds beyond those acknowledged: stored twice, or stored when the run was cut off. */
  readonly surplus: number;
  readonly missingBy: readonly {
    readonly id: string;
    readonly acknowledged: number;
    readonly stored: number;
  }[];
}

const AT_ONCE = 8;
const RAW_TIER_MS = 15 * 60_000;
const MOST_POINTS = 1000;

function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

async function readJson(url: string, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(url, { headers });
  if (response.status === 404) {
    await response.body?.cancel();
    return undefined;
  }
  if (!response.ok) throw new Error(`"${new URL(url).pathname}" answered ${response.status}`);
  return response.json();
}

async function countByRecord(account: ServerAccount, options: VerifyOptions): Promise<number | undefined> {
  if (options.adminToken === undefined) return undefined;
  const record = await readJson(`${options.url}/api/admin/servers/${account.id}`, {
    "x-admin-token": options.adminToken,
  });
  const stored = member(member(record, "agent"), "reportsStored");
  return typeof stored === "number" ? stored : undefined;
}

async function countByPoints(account: ServerAccount, options: VerifyOptions): Promise<number | undefined> {
  const { firstAtUnixMs: from, lastAtUnixMs: to } = account;
  if (from === undefined || to === undefined) return 0;
  // Older points are rolled up, and more than 1,000 are never given: then a count says nothing.
  if (Date.now() - from > RAW_TIER_MS || account.acknowledged > MOST_POINTS) return undefined;
  const query = new URLSearchParams({
    metric: "cpu.usagePercent",
    from: String(from),
    to: String(to + 1),
    points: String(MOST_POINTS),
  });
  const answer = await readJson(`${options.url}/api/servers/${account.id}/history?${query}`);
  const series: unknown = Array.isArray(answer) ? answer[0] : (member(answer, "items") ?? answer);
  const first: unknown = Array.isArray(series) ? series[0] : series;
  const points = member(first, "points");
  if (member(first, "tier") !== "raw" || !Array.isArray(points)) return undefined;
  return points.filter((point) => {
    const at = member(point, "at");
    return typeof at === "number" && at >= from && at <= to;
  }).length;
}

/**
 * What the monitor has of a server. Nodes share their counts a few times a second, so the count lacks what a killed
 * node had not shared; if it falls short, the points are read.
 */
async function countStored(account: ServerAccount, options: VerifyOptions): Promise<number | undefined> {
  const byRecord = await countByRecord(account, options);
  if (byRecord !== undefined && byRecord >= account.acknowledged) return byRecord;
  const byPoints = await countByPoints(account, options);
  if (options.adminToken === undefined) return byPoints;
  // No record, and none of its reports in the charts: all that it acknowledged is missing.
  return Math.max(byRecord ?? 0, byPoints ?? 0);
}

/** Whether the monitor is one of several nodes, of which one that is dead keeps its latest reports to itself. */
export async function hasOtherNodes(url: string): Promise<boolean> {
  return member(member(await readJson(`${url}/api/health`), "checks"), "bus") !== undefined;
}

/** Compares what was acknowledged with what the monitor tells. */
export async function verifyFleet(options: VerifyOptions): Promise<Verification> {
  const missingBy: { id: string; acknowledged: number; stored: number }[] = [];
  let checked = 0;
  let unknown = 0;
  let surplus = 0;
  const queue = [...options.accounts];
  async function work(): Promise<void> {
    for (let account = queue.pop(); account !== undefined; account = queue.pop()) {
      const stored = await countStored(account, options);
      if (stored === undefined) {
        unknown += 1;
        continue;
      }
      checked += 1;
      surplus += Math.max(0, stored - account.acknowledged);
      if (stored < account.acknowledged)
        missingBy.push({ id: account.id, acknowledged: account.acknowledged, stored });
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const missing = missingBy.reduce((sum, each) => sum + each.acknowledged - each.stored, 0);
  return { checked, unknown, missing, surplus, missingBy: missingBy.slice(0, 100) };
}
