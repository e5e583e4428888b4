/** Public servers and checks for tests of the dashboard; every field can be another. */
import type { ShownCheck } from "../../src/monitor/checks/shown-schema.ts";
import type { PublicServer } from "../../src/monitor/fleet/view-schema.ts";

/** 2026-11-21T12:00:00Z. */
export const NOW = 1_795_262_400_000;

/** Creates one that is online and reported just now. */
export function makeServer(id: string, changes: Partial<PublicServer> = {}): PublicServer {
  return {
    id,
    name: id,
    group: "",
    tags: [],
    displayOrder: 1,
    region: "",
    publicNote: "",
    state: "online",
    stateSince: NOW,
    ...changes,
  };
}

/** The latest report with these values. */
export function makeLatest(sample: Record<string, unknown>): NonNullable<PublicServer["latest"]> {
  return { collectedAt: NOW, receivedAt: NOW, sample };
}

/** Creates a check that is up. */
export function makeCheck(id: string, changes: Partial<ShownCheck> = {}): ShownCheck {
  return {
    id,
    name: id,
    group: "",
    tags: [],
    kind: "http",
    state: "up",
    since: new Date(NOW).toISOString(),
    ...changes,
  };
}
