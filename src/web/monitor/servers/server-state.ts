/** What is wrong with a server or its agent, and what mends it. */
import type { AdminServer } from "../../../monitor/fleet/view-schema.ts";
import { basePath } from "../../app/path.ts";
import { serviceNow } from "../../ui/server-clock.ts";

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
