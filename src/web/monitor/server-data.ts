/** Shared by the pages about servers: the list, and its short facts. */
import type { AdminServer } from "../../monitor/fleet/view-schema.ts";
import { basePath } from "../app/path.ts";
import { serviceNow } from "../ui/server-clock.ts";

export type { AdminServerList as ServerList } from "../../monitor/fleet/view-schema.ts";

export const SERVERS = "/api/admin/servers";
export const ENROLMENTS = "/api/admin/enrolments";

/** The path of one server's record. */
export function toServerPath(id: string): string {
  return `${SERVERS}/${encodeURIComponent(id)}`;
}

function listDistinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== "").sort((a, b) => a.localeCompare(b));
}

/** All groups in use, in the order of their names. */
export function listGroups(servers: readonly Pick<AdminServer, "group">[]): readonly string[] {
  return listDistinct(servers.map(({ group }) => group));
}

/** All providers in use, in the order of their names. */
export function listProviders(servers: readonly AdminServer[]): readonly string[] {
  return listDistinct(servers.map(({ provider }) => provider));
}

/** All tags in use, in the order of their names. */
export function listTags(servers: readonly Pick<AdminServer, "tags">[]): readonly string[] {
  return listDistinct(servers.flatMap(({ tags }) => tags));
}

/** A clock that is wrong by more than this is worth a warning, in milliseconds. */
const SKEW_MS = 60_000;

/** Whether the clock of the server's agent is noticeably wrong. */
export function hasWrongClock({ agent }: AdminServer): boolean {
  return Math.abs(agent.clockSkewMs ?? 0) > SKEW_MS;
}

/** Whether the server's alerts are muted now. */
export function isMuted({ mute }: AdminServer): boolean {
  return mute !== undefined && (mute.until === undefined || Date.parse(mute.until) > serviceNow());
}

/** The line that brings a machine's agent to the monitor's version. */
export function toUpgradeLine(): string {
  return `curl -fsSL ${location.origin}${basePath}/install.sh | sudo sh`;
}

/** Whether an administrator should look at it. */
export function needsLook(server: AdminServer): boolean {
  const { duplicateAgent, isOutdated, reports } = server.agent;
  return duplicateAgent || isOutdated || reports !== undefined || hasWrongClock(server);
}
