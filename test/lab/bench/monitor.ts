/**
 * The monitor's figures: ingest, broadcast, list and first snapshot, each beside the bare library in the
 * same run, the whole fleet, charts over long times, and pings of heartbeats, and status pages. `npm run bench -- monitor-ingest`
 */
import type { Bench } from "./measure.ts";
import { benchBroadcast } from "./monitor-broadcast.ts";
import { benchFleet } from "./monitor-fleet.ts";
import { benchHeartbeats } from "./monitor-heartbeats.ts";
import { benchHistory } from "./monitor-history.ts";
import { benchParts } from "./monitor-parts.ts";
import { benchIngest } from "./monitor-ingest.ts";
import { benchFirstSnapshot, benchList } from "./monitor-reads.ts";
import { benchStatusPage } from "./monitor-status-page.ts";

/** The monitor's cases by name. */
export const monitorBenches: Readonly<Record<string, Bench>> = {
  "monitor-ingest": benchIngest,
  "monitor-broadcast": async ({ rounds }) => [
    await benchBroadcast("plain", rounds),
    await benchBroadcast("gzip", rounds),
  ],
  "monitor-list": async (effort) => [await benchList(effort)],
  "monitor-history": benchHistory,
  "monitor-parts": benchParts,
  "monitor-heartbeats": benchHeartbeats,
  "monitor-status-page": benchStatusPage,
  "monitor-fleet": benchFleet,
  "monitor-first-snapshot": ({ rounds }) => benchFirstSnapshot(rounds),
};
