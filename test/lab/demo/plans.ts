/**
 * The machines of the demonstration: what an administrator set on them, and their character. A plan says
 * everything that the simulation needs; nothing here is random.
 */

import { type Workload, workloads } from "./workloads.ts";

export interface Character {
  readonly cores: number;
  readonly memoryGib: number;
  readonly diskGib: number;
  /** Usual CPU use at night and by how much the day adds, percent. */
  readonly cpu: readonly [base: number, day: number];
  /** Share in use, 0 to 1. */
  readonly memory: number;
  readonly disk: number;
  /** Usual rates, bytes a second. */
  readonly rx: number;
  readonly tx: number;
  /** Hours by which its day is ahead of UTC. */
  readonly zoneHours: number;
  readonly platform: readonly [name: string, version: string];
  readonly cpuModel: string;
  readonly virtualization: string;
  readonly swapGib?: number;
  readonly gpu?: string;
  /** Share of the days on which it was away for a while, 0 to 1. */
  readonly trouble: number;
}

export interface DemoPlan extends Workload {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly tags: readonly string[];
  readonly region: string;
  /** How a machine comes across now. */
  readonly presence: "online" | "offline" | "never" | "disabled";
  readonly publicNote: string;
  readonly note: string;
  /** Price in minor units, currency, cycle, and in how many days it ends. */
  readonly billing?: readonly [priceMinor: number, currency: string, unit: "month" | "year", days: number];
  readonly autoRenew: boolean;
  readonly trafficLimitBytes: number;
  readonly character: Character;
}

const TB = 1e12;
const MBIT = 125_000;

const usual: Character = {
  cores: 4,
  memoryGib: 8,
  diskGib: 160,
  cpu: [8, 18],
  memory: 0.46,
  disk: 0.38,
  rx: 4 * MBIT,
  tx: 6 * MBIT,
  zoneHours: 1,
  platform: ["debian", "12"],
  cpuModel: "AMD EPYC 7B13",
  virtualization: "kvm",
  swapGib: 2,
  trouble: 0.02,
};

type Sketch = Partial<Omit<DemoPlan, "character" | "id">> & { readonly character?: Partial<Character> };

function plan(id: string, sketch: Sketch): DemoPlan {
  return {
    id,
    name: id,
    group: "",
    tags: [],
    region: "",
    presence: "online",
    publicNote: "",
    note: "",
    autoRenew: false,
    trafficLimitBytes: 0,
    ...workloads.get(id),
    ...sketch,
    character: { ...usual, ...sketch.character },
  };
}

const edge = { cores: 2, memoryGib: 4, diskGib: 80, cpu: [6, 22], rx: 30 * MBIT, tx: 45 * MBIT } as const;
const database = {
  cores: 16,
  memoryGib: 64,
  diskGib: 960,
  memory: 0.78,
  disk: 0.61,
  cpuModel: "AMD EPYC 9354",
} as const;
const storage = {
  cores: 8,
  memoryGib: 32,
  diskGib: 14_400,
  disk: 0.72,
  virtualization: "none",
  cpuModel: "Intel Xeon E-2388G",
} as const;

/** All machines, in display order. */
export const demoPlans: readonly DemoPlan[] = [
  plan("edge-ams-1", {
    group: "Edge",
    tags: ["nginx", "ipv6"],
    region: "NL",
    billing: [599, "EUR", "month", 18],
    autoRenew: true,
    trafficLimitBytes: 20 * TB,
    character: { ...edge },
  }),
  plan("edge-fra-1", {
    group: "Edge",
    tags: ["nginx", "ipv6"],
    region: "DE",
    billing: [549, "EUR", "month", 3],
    trafficLimitBytes: 20 * TB,
    character: { ...edge, cpu: [12, 34] },
  }),
  plan("edge-sin-1", {
    group: "Edge",
    tags: ["nginx"],
    region: "SG",
    billing: [1_200, "USD", "month", 26],
    autoRenew: true,
    trafficLimitBytes: 4 * TB,
    character: { ...edge, zoneHours: 8, rx: 3 * MBIT, tx: 5 * MBIT },
  }),
  plan("edge-nyc-1", {
    group: "Edge",
    tags: ["nginx", "ipv6"],
    region: "US",
    billing: [1_000, "USD", "month", 9],
    trafficLimitBytes: 2 * TB,
    character: { ...edge, zoneHours: -5, rx: 2.6 * MBIT, tx: 4.1 * MBIT },
  }),
  plan("edge-gru-1", {
    group: "Edge",
    tags: ["nginx"],
    region: "BR",
    publicNote: "Moves to a new provider in December",
    billing: [4_900, "BRL", "month", 12],
    trafficLimitBytes: 3 * TB,
    character: { ...edge, zoneHours: -3, rx: MBIT, tx: 2 * MBIT, trouble: 0.12 },
  }),
  plan("edge-syd-1", {
    group: "Edge",
    tags: ["nginx"],
    region: "AU",
    presence: "offline",
    billing: [1_400, "AUD", "month", 21],
    trafficLimitBytes: TB,
    character: { ...edge, zoneHours: 10, rx: MBIT, tx: 1.4 * MBIT, trouble: 0.08 },
  }),
  plan("web-1", {
    group: "Web",
    tags: ["app", "production"],
    region: "DE",
    billing: [2_490, "EUR", "month", 14],
    autoRenew: true,
    character: { cores: 8, memoryGib: 16, cpu: [18, 38], memory: 0.58 },
  }),
  plan("web-2", {
    group: "Web",
    tags: ["app", "production"],
    region: "DE",
    billing: [2_490, "EUR", "month", 14],
    autoRenew: true,
    character: { cores: 8, memoryGib: 16, cpu: [16, 36], memory: 0.61 },
  }),
  plan("web-3", {
    group: "Web",
    tags: ["app", "production"],
    region: "FI",
    billing: [2_190, "EUR", "month", 14],
    autoRenew: true,
    character: { cores: 8, memoryGib: 16, cpu: [20, 41], memory: 0.86, trouble: 0.04 },
  }),
  plan("staging", {
    group: "Web",
    tags: ["app", "staging"],
    region: "DE",
    publicNote: "May be down at any time",
    character: { cpu: [3, 9], trouble: 0.2, swapGib: 0 },
  }),
  plan("mail", {
    group: "Web",
    tags: ["mail"],
    region: "CH",
    billing: [790, "CHF", "month", 40],
    autoRenew: true,
    character: { cpu: [4, 6], memory: 0.66, platform: ["ubuntu", "24.04"], cpuModel: "Intel Xeon Gold 6338" },
  }),
  plan("db-primary", {
    group: "Databases",
    tags: ["postgresql", "production"],
    region: "DE",
    note: "Failover: see the runbook",
    billing: [10_900, "EUR", "month", 14],
    autoRenew: true,
    character: { ...database, cpu: [22, 30] },
  }),
  plan("db-replica", {
    group: "Databases",
    tags: ["postgresql", "production"],
    region: "FI",
    billing: [10_900, "EUR", "month", 14],
    autoRenew: true,
    character: { ...database, cpu: [9, 12] },
  }),
  plan("cache-1", {
    group: "Databases",
    tags: ["redis"],
    region: "DE",
    character: { memoryGib: 32, memory: 0.71, cpu: [14, 16], swapGib: 0, platform: ["alpine", "3.21.3"] },
  }),
  plan("search-1", {
    group: "Databases",
    tags: ["opensearch"],
    region: "DE",
    character: { cores: 8, memoryGib: 32, memory: 0.83, cpu: [11, 26], diskGib: 480, disk: 0.54 },
  }),
  plan("backup-1", {
    group: "Storage",
    tags: ["restic"],
    region: "FR",
    publicNote: "Disks are added on Friday",
    billing: [29_900, "EUR", "year", 122],
    character: { ...storage, disk: 0.93, cpu: [2, 1], platform: ["debian", "13"] },
  }),
  plan("files-1", {
    group: "Storage",
    tags: ["nfs", "zfs"],
    region: "NL",
    character: { ...storage, memory: 0.88, cpu: [4, 5] },
  }),
  plan("archive", {
    group: "Storage",
    tags: ["zfs"],
    region: "GB",
    presence: "offline",
    billing: [11_900, "GBP", "year", -2],
    character: { ...storage, cpu: [1, 1] },
  }),
  plan("build-1", {
    group: "Build",
    tags: ["ci"],
    region: "FI",
    character: {
      cores: 32,
      memoryGib: 128,
      diskGib: 1_920,
      cpu: [12, 72],
      memory: 0.37,
      cpuModel: "AMD Ryzen 9 7950X3D",
      virtualization: "none",
      zoneHours: 2,
    },
  }),
  plan("build-2", {
    group: "Build",
    tags: ["ci", "arm"],
    region: "FI",
    character: {
      cores: 16,
      memoryGib: 32,
      cpu: [8, 64],
      memory: 0.33,
      cpuModel: "Ampere Altra",
      zoneHours: 2,
    },
  }),
  plan("gpu-1", {
    group: "Build",
    tags: ["ml"],
    region: "US",
    billing: [38_900, "USD", "month", 6],
    character: {
      cores: 24,
      memoryGib: 192,
      diskGib: 3_840,
      cpu: [9, 20],
      memory: 0.49,
      gpu: "AMD Navi 31 [Radeon RX 7900 XT/7900 XTX]",
      virtualization: "none",
      cpuModel: "AMD EPYC 9254",
      zoneHours: -8,
      platform: ["ubuntu", "24.04"],
    },
  }),
  plan("home-nas", {
    group: "Home",
    tags: ["lab"],
    region: "AT",
    character: {
      ...storage,
      cores: 4,
      memoryGib: 16,
      diskGib: 7_200,
      disk: 0.49,
      cpu: [3, 4],
      rx: 0.4 * MBIT,
      tx: 0.2 * MBIT,
      trouble: 0.06,
    },
  }),
  plan("home-pi", { group: "Home", tags: ["lab", "arm"], region: "AT", presence: "never", character: {} }),
  plan("old-vps", {
    group: "Home",
    tags: ["lab"],
    region: "CA",
    presence: "disabled",
    publicNote: "Paused until spring",
    character: { cores: 1, memoryGib: 1, diskGib: 20 },
  }),
];
