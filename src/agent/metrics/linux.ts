/** One measurement of a Linux machine out of all readers. */
import type { Clock } from "../../kit/time/clock.ts";
import type { FactReader } from "../facts.ts";
import type { DiskUsage, HostFacts, Measurements, NetworkUsage, Temperature } from "../payload.ts";
import { parseSockstat } from "./connections.ts";
import { type CpuStat, parseCpuStat, toCpuUsage } from "./cpu.ts";
import { parseDiskstats } from "./disk-traffic.ts";
import { readHostFacts } from "./host.ts";
import { parseLoadavg, parseUptime } from "./load.ts";
import { parseMeminfo } from "./memory.ts";
import { readDiskSpace } from "./mounts.ts";
import { parseNetDev, pickInterfaces } from "./network.ts";
import { countProcesses } from "./processes.ts";
import { createGpuReader } from "./gpus.ts";
import { createPressureMeter } from "./pressure.ts";
import { type RateMeter, createRateMeter } from "./rates.ts";
import type { NameFilter, NameFilters } from "../name-filter.ts";
import type { MetricsSource, OwnSystem } from "./source.ts";
import type { SystemFiles } from "./system-files.ts";
import { readTemperatures } from "./temperatures.ts";

const SLOW_EVERY_MS = 15_000;

interface SlowValues {
  readonly disk: DiskUsage | undefined;
  readonly processes: number | undefined;
  readonly temperatures: readonly Temperature[] | undefined;
  readonly virtualInterfaces: ReadonlySet<string>;
}

export interface LinuxSourceOptions {
  readonly files: SystemFiles;
  readonly clock: Clock;
  readonly facts: FactReader;
  readonly filters: NameFilters;
  readonly system: OwnSystem;
  readonly agentVersion: string;
}

function createDiskMeter(files: SystemFiles): (atMs: number) => DiskUsage {
  const read = createRateMeter();
  const written = createRateMeter();
  return (atMs) => {
    const traffic = parseDiskstats(files.text("/proc/diskstats") ?? "");
    if (traffic === undefined) return {};
    return {
      readBytesPerSecond: read.perSecond(traffic.readBytes, atMs),
      writeBytesPerSecond: written.perSecond(traffic.writtenBytes, atMs),
    };
  };
}

function createNetworkMeter(
  files: SystemFiles,
  choose: NameFilter,
): (atMs: number, virtualNames: ReadonlySet<string>) => NetworkUsage | undefined {
  const rx = createRateMeter();
  const tx = createRateMeter();
  let meters = new Map<string, { rx: RateMeter; tx: RateMeter }>();
  return (atMs, virtualNames) => {
    const totals = pickInterfaces(parseNetDev(files.need("/proc/net/dev")), virtualNames, choose);
    if (totals.length === 0) return undefined;
    meters = new Map(
      totals.map(({ name }) => [name, meters.get(name) ?? { rx: createRateMeter(), tx: createRateMeter() }]),
    );
    const interfaces = totals.map((each) => ({
      ...each,
      rxBytesPerSecond: meters.get(each.name)?.rx.perSecond(each.rxTotalBytes, atMs),
      txBytesPerSecond: meters.get(each.name)?.tx.perSecond(each.txTotalBytes, atMs),
    }));
    const rxTotalBytes = interfaces.reduce((sum, each) => sum + each.rxTotalBytes, 0);
    const txTotalBytes = interfaces.reduce((sum, each) => sum + each.txTotalBytes, 0);
    return {
      rxBytesPerSecond: rx.perSecond(rxTotalBytes, atMs),
      txBytesPerSecond: tx.perSecond(txTotalBytes, atMs),
      rxTotalBytes,
      txTotalBytes,
      interfaces,
    };
  };
}

async function readSlowValues({ files, facts, filters }: LinuxSourceOptions): Promise<SlowValues> {
  const choose = filters.mounts;
  return {
    disk: await facts.readLater("Disk space", () => readDiskSpace(files, { facts, choose })),
    processes: facts.read("The number of processes", () => countProcesses(files.names("/proc"))),
    temperatures: facts.read("Temperatures", () => readTemperatures(files, filters.sensors)),
    virtualInterfaces: new Set(
      facts.read("Virtual interfaces", () => files.names("/sys/devices/virtual/net")) ?? [],
    ),
  };
}

/** A source of measurements for Linux. */
export function createLinuxSource(options: LinuxSourceOptions): MetricsSource {
  const { files, clock, facts, filters, system } = options;
  const diskTraffic = createDiskMeter(files);
  const network = createNetworkMeter(files, filters.interfaces);
  const pressure = createPressureMeter(files);
  const gpus = createGpuReader(files);
  let lastStat: CpuStat | undefined;
  let hasMeasured = false;
  let slow: { readonly values: SlowValues; readonly atMs: number } | undefined;

  const readStat = (): CpuStat | undefined =>
    facts.read("CPU usage", () => parseCpuStat(files.need("/proc/stat")));

  async function measure(): Promise<Measurements | undefined> {
    const atMs = clock.monotonic();
    if (slow === undefined || atMs - slow.atMs >= SLOW_EVERY_MS) {
      slow = { values: await readSlowValues(options), atMs };
    }
    const { disk, processes, temperatures, virtualInterfaces } = slow.values;
    const stat = readStat();
    const cpu = stat === undefined || lastStat === undefined ? undefined : toCpuUsage(lastStat, stat);
    lastStat = stat;
    const memory = facts.read("Memory", () => parseMeminfo(files.need("/proc/meminfo")));
    const rates = facts.read("Disk traffic", () => diskTraffic(clock.monotonic()));
    const traffic = facts.read("Network traffic", () => network(clock.monotonic(), virtualInterfaces));
    const waits = facts.read("Pressure", () => pressure(clock.monotonic()));
    const graphics = facts.read("GPUs", () => gpus(clock.monotonic()));
    // Two readings make a usage: the next report is a second away.
    const isFirst = !hasMeasured;
    hasMeasured = true;
    if (isFirst && stat !== undefined) return undefined;
    return {
      uptimeSeconds: facts.read("Uptime", () => parseUptime(files.need("/proc/uptime"))),
      cpu,
      load: facts.read("Load", () => parseLoadavg(files.need("/proc/loadavg"))),
      memory: memory?.memory,
      swap: memory?.swap,
      disk: disk === undefined && rates?.readBytesPerSecond === undefined ? undefined : { ...disk, ...rates },
      network: traffic,
      connections: facts.read("Connections", () =>
        parseSockstat(files.text("/proc/net/sockstat"), files.text("/proc/net/sockstat6")),
      ),
      processes,
      temperatures,
      gpus: graphics,
      pressure: waits,
    };
  }

  return {
    measure,
    host: async (): Promise<HostFacts> =>
      readHostFacts(files, {
        facts,
        system,
        agentVersion: options.agentVersion,
        bootTimeUnixMs: readStat()?.bootTimeUnixMs,
      }),
  };
}
