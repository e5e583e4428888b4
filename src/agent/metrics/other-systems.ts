/** Measurements of systems other than Linux, out of node:os and systeminformation. */
import { CHECK_LEVEL } from "../../kit/check-files/check-level.ts";
import { type CpuInfo, arch, loadavg, platform, uptime } from "node:os";
import type { Systeminformation } from "systeminformation";
import type { Clock } from "../../kit/time/clock.ts";
import {
  type CpuUsage,
  type DiskUsage,
  type HostFacts,
  type Measurements,
  type NetworkUsage,
  type Usage,
  toPercent,
} from "../payload.ts";
import type { FactReader } from "../facts.ts";
import { pickAddresses } from "./ip-addresses.ts";
import type { NameFilter } from "../../kit/text/name-filter.ts";
import { type NameFilters, chooseNothing } from "../name-filter.ts";
import type { MetricsSource, OwnSystem } from "./source.ts";

/** The part of systeminformation that is used. */
export interface SystemInformation {
  mem(): Promise<Systeminformation.MemData>;
  fsSize(): Promise<Systeminformation.FsSizeData[]>;
  fsStats(): Promise<Systeminformation.FsStatsData | null>;
  networkStats(interfaces: string): Promise<Systeminformation.NetworkStatsData[]>;
  osInfo(): Promise<Systeminformation.OsData>;
  cpuTemperature(): Promise<Systeminformation.CpuTemperatureData>;
}

export interface OtherSourceOptions {
  readonly clock: Clock;
  readonly facts: FactReader;
  readonly filters: NameFilters;
  readonly system: OwnSystem;
  readonly agentVersion: string;
  readonly information: SystemInformation;
}

// Each call may start a process of the system: the slow ones run once a minute.
const SLOW_EVERY_MS = 60_000;

/** Loads systeminformation; only called where /proc is missing. */
export async function loadSysteminformation(): Promise<SystemInformation> {
  const { default: system } = await import("systeminformation");
  return {
    mem: () => system.mem(),
    fsSize: () => system.fsSize(),
    fsStats: () => system.fsStats(),
    networkStats: (interfaces) => system.networkStats(interfaces),
    osInfo: () => system.osInfo(),
    cpuTemperature: () => system.cpuTemperature(),
  };
}

function known(value: number | null | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
}

function named(text: string | undefined): string | undefined {
  return text === undefined || text === "" || text === "unknown" ? undefined : text;
}

function toSwap(mem: Systeminformation.MemData): Usage | undefined {
  const totalBytes = known(mem.swaptotal);
  const usedBytes = known(mem.swapused);
  return totalBytes === undefined || usedBytes === undefined ? undefined : { totalBytes, usedBytes };
}

function usageOf(before: readonly CpuInfo[], after: readonly CpuInfo[]): CpuUsage | undefined {
  const shares: { busy: number; total: number }[] = [];
  for (const [index, { times }] of after.entries()) {
    const old = before[index]?.times;
    if (old === undefined) return undefined;
    const idle = Math.max(0, times.idle - old.idle);
    const busy = times.user + times.nice + times.sys + times.irq - old.user - old.nice - old.sys - old.irq;
    shares.push({ busy: Math.max(0, busy), total: Math.max(0, busy) + idle });
  }
  const total = shares.reduce((sum, each) => sum + each.total, 0);
  if (total === 0) return undefined;
  return {
    usagePercent: toPercent(shares.reduce((sum, each) => sum + each.busy, 0) / total),
    perCorePercent: shares.map((each) => (each.total === 0 ? 0 : toPercent(each.busy / each.total))),
  };
}

/** Space without counting an APFS container once for each of its volumes. */
export function toDiskSpace(
  volumes: readonly Systeminformation.FsSizeData[],
  choose: NameFilter = chooseNothing,
): DiskUsage | undefined {
  const bySpace = new Map<string, Usage & { path: string }>();
  for (const { fs, size, available, mount } of volumes) {
    if (!(size > 0) || !(available >= 0)) continue;
    const space = /^\/dev\/disk\d+/u.exec(fs)?.[0] ?? fs;
    const old = bySpace.get(space);
    if (old !== undefined && old.path.length <= mount.length) continue;
    bySpace.set(space, {
      path: mount,
      totalBytes: Math.round(size),
      usedBytes: Math.round(size - available),
    });
  }
  const mounts = [...bySpace.values()].filter((each) => each.usedBytes >= 0 && choose(each.path) !== false);
  if (mounts.length === 0) return undefined;
  return {
    totalBytes: mounts.reduce((sum, each) => sum + each.totalBytes, 0),
    usedBytes: mounts.reduce((sum, each) => sum + each.usedBytes, 0),
    mounts: mounts.slice(0, 32),
  };
}

function toNetwork(
  stats: readonly Systeminformation.NetworkStatsData[],
  choose: NameFilter,
): NetworkUsage | undefined {
  const real = stats.filter(
    ({ iface, rx_bytes, tx_bytes }) =>
      (choose(iface) ?? !/^lo\d*$/u.test(iface)) && rx_bytes >= 0 && tx_bytes >= 0,
  );
  if (real.length === 0) return undefined;
  const sum = (pick: (each: Systeminformation.NetworkStatsData) => number | null): number | undefined => {
    const values = real.map((each) => known(pick(each)));
    return values.reduce(
      (total, value) => (total === undefined || value === undefined ? undefined : total + value),
      0,
    );
  };
  return {
    rxBytesPerSecond: sum((each) => each.rx_sec),
    txBytesPerSecond: sum((each) => each.tx_sec),
    rxTotalBytes: sum((each) => each.rx_bytes) ?? 0,
    txTotalBytes: sum((each) => each.tx_bytes) ?? 0,
    interfaces: real.slice(0, 32).map(({ iface, rx_bytes, tx_bytes, rx_sec, tx_sec }) => ({
      name: iface,
      rxBytesPerSecond: known(rx_sec),
      txBytesPerSecond: known(tx_sec),
      rxTotalBytes: rx_bytes,
      txTotalBytes: tx_bytes,
    })),
  };
}

/** The readers of slow facts, each of which may start a process of the system. */
function createSlowReader({ clock, facts, filters, information }: OtherSourceOptions) {
  let slow:
    | { readonly disk: DiskUsage | undefined; readonly celsius: number | undefined; readonly atMs: number }
    | undefined;
  return async (): Promise<NonNullable<typeof slow>> => {
    const atMs = clock.monotonic();
    if (slow !== undefined && atMs - slow.atMs < SLOW_EVERY_MS) return slow;
    const [volumes, temperature] = await Promise.all([
      facts.readLater("Disk space", () => information.fsSize()),
      facts.readLater("Temperatures", () => information.cpuTemperature()),
    ]);
    const celsius = temperature !== undefined && temperature.main > 0 ? temperature.main : undefined;
    const disk = volumes && toDiskSpace(volumes, filters.mounts);
    slow = { disk, celsius: filters.sensors("cpu") === false ? undefined : celsius, atMs };
    return slow;
  };
}

function toMemory(mem: Systeminformation.MemData | undefined): Measurements["memory"] {
  if (mem === undefined || !(mem.total > 0) || !(mem.available >= 0)) return undefined;
  return {
    totalBytes: mem.total,
    usedBytes: Math.max(0, mem.total - mem.available),
    cacheBytes: known(mem.buffcache),
  };
}

/** A source of measurements for macOS, Windows and the BSDs. */
export function createOtherSource(options: OtherSourceOptions): MetricsSource {
  const { clock, facts, filters, system, information } = options;
  const readSlow = createSlowReader(options);
  let before: CpuInfo[] | undefined;
  let hasMeasured = false;

  async function measure(): Promise<Measurements | undefined> {
    const now = facts.read("CPU usage", () => system.cpus());
    const cpu = before === undefined || now === undefined ? undefined : usageOf(before, now);
    before = now;
    const [mem, stats, network, { disk, celsius }] = await Promise.all([
      facts.readLater("Memory", () => information.mem()),
      facts.readLater("Disk traffic", () => information.fsStats()),
      facts.readLater("Network traffic", () => information.networkStats("*")),
      readSlow(),
    ]);
    const isFirst = !hasMeasured;
    hasMeasured = true;
    if (isFirst && now !== undefined) return undefined;
    const [one, five, fifteen] = facts.read("Load", () => loadavg()) ?? [];
    const io = { readBytesPerSecond: known(stats?.rx_sec), writeBytesPerSecond: known(stats?.wx_sec) };
    return {
      uptimeSeconds: facts.read("Uptime", () => Math.floor(uptime())),
      cpu,
      // Windows has no load average and answers with zeros.
      load:
        platform() === "win32" || one === undefined || five === undefined || fifteen === undefined
          ? undefined
          : { one, five, fifteen },
      memory: toMemory(mem),
      swap: mem && toSwap(mem),
      disk: disk === undefined && io.readBytesPerSecond === undefined ? undefined : { ...disk, ...io },
      network: network && toNetwork(network, filters.interfaces),
      temperatures: celsius === undefined ? undefined : [{ name: "cpu", celsius }],
    };
  }

  async function host(): Promise<HostFacts> {
    const info = await facts.readLater("The operating system", () => information.osInfo());
    const cores = facts.read("The list of CPUs", () => system.cpus()) ?? [];
    return {
      os: platform() === "win32" ? "windows" : platform(),
      platform: named(info?.distro) ?? platform(),
      platformVersion: named(info?.release),
      kernel: facts.read("The version of the kernel", () => system.release()),
      arch: arch() === "x64" ? "x86_64" : arch(),
      virtualization: info?.hypervizor === true ? "vm" : undefined,
      cpuModel: cores[0]?.model,
      cpuCores: cores.length === 0 ? undefined : cores.length,
      agentVersion: options.agentVersion,
      checkLevel: CHECK_LEVEL,
      bootTimeUnixMs: facts.read(
        "The time of boot",
        () => Math.round((clock.now() - uptime() * 1000) / 1000) * 1000,
      ),
      addresses: facts.read("The network interfaces", () => pickAddresses(system.networkInterfaces())),
    };
  }

  return { measure, host };
}
