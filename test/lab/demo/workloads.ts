/** What runs on the machines of the demonstration, and what is wrong with it. */
import type { ExtraGroup, FailedUnit } from "../../../src/agent/payload.ts";

/** A container, with its share of the machine's work. */
export interface DemoContainer {
  readonly name: string;
  readonly image: string;
  /** Default: "running". */
  readonly state?: "running" | "exited";
  readonly health?: "healthy" | "unhealthy";
  readonly share?: number;
  readonly memoryMib?: number;
  readonly limitMib?: number;
  readonly restarts?: number;
  readonly exitCode?: number;
}

export interface Workload {
  /** Where its data lie, on a disk of their own; absent: beside the system. */
  readonly dataPath?: string;
  /** Share in use of the system's disk, where it is another. */
  readonly systemShare?: number;
  /** A second interface, for the network of the machines among themselves. */
  readonly innerNetwork?: string;
  readonly containers?: readonly DemoContainer[];
  readonly failedUnits?: readonly FailedUnit[];
  readonly raid?: { readonly level: string; readonly disks: number; readonly activeDisks: number };
  readonly extras?: readonly Omit<ExtraGroup, "writtenAtUnixMs">[];
}

const IMAGES = "registry.northwind.example/shop";
const shop: Workload = {
  containers: [
    { name: "shop-web", image: `${IMAGES}/web:4.2.1`, health: "healthy", share: 3.1, memoryMib: 1_840 },
    { name: "shop-worker", image: `${IMAGES}/worker:4.2.1`, share: 1.6, memoryMib: 720, restarts: 2 },
    { name: "proxy", image: "caddy:2.10", health: "healthy", share: 0.5, memoryMib: 60, limitMib: 256 },
    {
      name: "cache",
      image: "valkey/valkey:8.1",
      health: "healthy",
      share: 0.2,
      memoryMib: 310,
      limitMib: 512,
    },
  ],
};

function smart(
  ...disks: readonly (readonly [name: string, celsius: number, sectors?: number])[]
): Workload["extras"] {
  return [
    {
      title: "SMART",
      values: disks.flatMap(([name, value, sectors = 0]) => [
        { name: `${name} temperature`, value, unit: "°C", state: "ok" },
        { name: `${name} reallocated sectors`, value: sectors, state: sectors > 0 ? "warning" : "ok" },
      ]),
    },
  ];
}

const database: Workload = { dataPath: "/var/lib/postgresql", innerNetwork: "eth1" };
const storage: Workload = { dataPath: "/srv/data", innerNetwork: "eth1" };

/** By the id of the machine. */
export const workloads: ReadonlyMap<string, Workload> = new Map<string, Workload>([
  ["db-primary", database],
  ["db-replica", database],
  ["files-1", storage],
  ["archive", storage],
  ["web-1", shop],
  ["web-2", shop],
  ["web-3", shop],
  [
    "staging",
    {
      containers: [
        {
          name: "shop-web",
          image: `${IMAGES}/web:4.3.0-rc1`,
          health: "unhealthy",
          share: 2,
          memoryMib: 900,
          restarts: 14,
        },
        { name: "mailpit", image: "axllent/mailpit:v1.27", share: 0.1, memoryMib: 40 },
        { name: "migrate", image: `${IMAGES}/web:4.3.0-rc1`, state: "exited", exitCode: 1 },
      ],
    },
  ],
  ["mail", { failedUnits: [{ name: "certbot.service", description: "Renews certificates" }] }],
  [
    "backup-1",
    {
      ...storage,
      raid: { level: "raid6", disks: 8, activeDisks: 7 },
      extras: smart(["sda", 36], ["sdb", 37], ["sdc", 41, 12], ["sdd", 38]),
    },
  ],
  [
    "home-nas",
    {
      ...storage,
      systemShare: 0.96,
      raid: { level: "raid1", disks: 2, activeDisks: 2 },
      containers: [
        {
          name: "jellyfin",
          image: "jellyfin/jellyfin:10.11",
          health: "healthy",
          share: 1.4,
          memoryMib: 780,
        },
        {
          name: "immich",
          image: "ghcr.io/immich-app/immich-server:v2",
          health: "healthy",
          share: 0.8,
          memoryMib: 1_100,
        },
        {
          name: "paperless",
          image: "ghcr.io/paperless-ngx/paperless-ngx:2",
          share: 0.3,
          memoryMib: 420,
        },
      ],
      extras: [
        {
          title: "UPS",
          values: [
            { name: "State", text: "online", state: "ok" },
            { name: "Charge", value: 100, unit: "%", state: "ok" },
            { name: "Runtime", value: 38, unit: "min", state: "ok" },
          ],
        },
      ],
    },
  ],
]);
