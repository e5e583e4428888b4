/** Examples in the OpenAPI document; a test checks them against their schemas. */
import type { AdminServer, ServerAnswer } from "./view-schema.ts";

const latest = {
  collectedAt: "2025-11-20T12:00:00+00:00",
  receivedAt: "2025-11-20T12:00:00.041+00:00",
  sample: {
    uptimeSeconds: 86_400,
    processes: 145,
    cpu: { usagePercent: 12.3, iowaitPercent: 0.4, stealPercent: 0 },
    load: { one: 0.12, five: 0.1, fifteen: 0.09 },
    memory: { totalBytes: 8_345_231_360, usedBytes: 3_345_231_360 },
  },
};

const trafficUse = {
  mode: "sum",
  limitBytes: 1_000_000_000_000,
  usedBytes: 421_337_000_000,
  percent: 42.13,
  cycleFrom: "2025-11-01T00:00:00+00:00",
  cycleTo: "2025-12-01T00:00:00+00:00",
} as const;

export const exampleServer: ServerAnswer = {
  id: "web-1",
  name: "Web 1",
  group: "Frankfurt",
  tags: ["web"],
  displayOrder: 1,
  region: "DE",
  provider: "Hetzner",
  publicNote: "",
  traffic: trafficUse,
  host: { os: "linux", platform: "debian", platformVersion: "12", arch: "x86_64", cpuCores: 4 },
  state: "online",
  stateSince: "2025-11-19T12:00:00+00:00",
  lastSeenAt: "2025-11-20T12:00:00.041+00:00",
  latest,
};

export const exampleAdminServer: AdminServer = {
  id: "web-1",
  version: 3,
  name: "Web 1",
  group: "Frankfurt",
  tags: ["web"],
  displayOrder: 1,
  hidden: false,
  disabled: false,
  dependsOn: [],
  note: "rack 4",
  publicNote: "",
  region: "DE",
  provider: "Hetzner",
  traffic: { limitBytes: 1_000_000_000_000, mode: "sum", resetDay: 1, timeZone: "UTC", usedOffsetBytes: 0 },
  lists: { mounts: "", interfaces: "", sensors: "", containers: "!tmp-*", units: "nginx" },
  trafficUse: { ...trafficUse, rxBytes: 300_000_000_000, txBytes: 121_337_000_000 },
  agent: {
    hostname: "web-1.example.org",
    version: "1.0.0",
    keyPrefix: "agk_Xy12",
    keyRotatedAt: "2025-11-19T11:00:00+00:00",
    clockSkewMs: -41,
    isOutdated: false,
    duplicateAgent: false,
    reportsStored: 28_800,
  },
  state: "online",
  stateSince: "2025-11-19T12:00:00+00:00",
  lastSeenAt: "2025-11-20T12:00:00.041+00:00",
  latest: { ...latest, flags: [] },
  createdAt: "2025-11-19T11:00:00+00:00",
  updatedAt: "2025-11-19T11:00:00+00:00",
};
