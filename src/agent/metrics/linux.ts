/** One measurement of a Linux machine out of all readers. */
import type { Clock } from "../../kit/time/clock.ts";
import type { FactReader } from "../facts.ts";
import type { DiskUsage, HostFacts, Measurements, NetworkUsage, Temperature } from "../payload.ts";
import { createCgroupReader, readCores, toLimited } from "./cgroup.ts";
import { parseSockstat } from "./connections.ts";
import { type CpuStat, parseCpuStat, toCpuUsage } from "./cpu.ts";
import { parseDisks } from "./disk-traffic.ts";
import { readHostFacts } from "./host.ts";
import { parseLoadavg, parseUptime } from "./load.ts";
import { parseMeminfo } from "./memory.ts";
import { createDiskSpaceReader } from "./mounts.ts";
import { parseNetDev, pickInterfaces } from "./network.ts";
import { countProcesses } from "./processes.ts";
import { createGpuReader } from "./gpus.ts";
import { createPressureMeter } from "./pressure.ts";
import { createRateMeters, sumRates } from "./rates.ts";
import type { NameFilter } from "../../kit/text/name-filter.ts";
import type { NameFilters } from "../name-filter.ts";
import type { MetricsSource, OwnSystem } from "./source.ts";
import type { SystemFiles } from "./system-files.ts";
import { readTemperatures } from "./temperatures.ts";

const SLOW_EVERY_MS = 15_000;

interface SlowValues {
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
  /** Whether the limits of the agent's control group are the machine's, as in a container; default: yes. */
  readonly hasOwnCgroup?: boolean;
}

function createDiskMeter(files: SystemFiles): (atMs: number) => DiskUsage {
  const read = createRateMeters();
  const written = createRateMeters();
  return (atMs) => {
    const disks = [...parseDisks(files.text("/proc/diskstats") ?? "")];
    const counts = (pick: "readBytes" | "writtenBytes") =>
      new Map(disks.map(([name, of]) => [name, of[pick]]));
    return {
      readBytesPerSecond: sumRates(read.perSecond(counts("readBytes"), atMs).values()),
      writeBytesPerSecond: sumRates(written.perSecond(counts("writtenBytes"), atMs).values()),
    };
  };
}

const MINUTE_MS = 60_000;

function createNetworkMeter(
  files: SystemFiles,
  choose: NameFilter,
): (atMs: number, virtualNames: ReadonlySet<string>) => NetworkUsage | undefined {
  const rx = createRateMeters();
  const tx = createRateMeters();
  const errors = createRateMeters();
  return (atMs, virtualNames) => {
    const totals = pickInterfaces(parseNetDev(files.need("/proc/net/dev")), virtualNames, choose);
    if (totals.length === 0) return undefined;
    const received = rx.perSecond(new Map(totals.map((each) => [each.name, each.rxTotalBytes])), atMs);
    const sent = tx.perSecond(new Map(totals.map((each) => [each.name, each.txTotalBytes])), atMs);
    // In thousandths a minute, since a rate is a whole number a second.
    const faults = new Map(totals.map(({ name, errors: count = 0 }) => [name, count * MINUTE_MS]));
    const faulty = errors.perSecond(faults, atMs);
    const interfaces = totals.map(({ errors: _all, ...each }) => {
      const thousandths = faulty.get(each.name);
      return {
        ...each,
        rxBytesPerSecond: received.get(each.name),
        txBytesPerSecond: sent.get(each.name),
        errorsPerMinute: thousandths === undefined ? undefined : thousandths / 1_000,
      };
    });
    return {
      rxBytesPerSecond: sumRates(received.values()),
      txBytesPerSecond: sumRates(sent.values()),
      rxTotalBytes: interfaces.reduce((sum, each) => sum + each.rxTotalBytes, 0),
      txTotalBytes: interfaces.reduce((sum, each) => sum + each.txTotalBytes, 0),
      interfaces,
    };
  };
}

function readSlowValues({ files, facts, filters }: LinuxSourceOptions): SlowValues {
  return {
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
  const disks = createDiskSpaceReader(files, { facts, choose: filters.mounts, everyMs: SLOW_EVERY_MS });
  const limits = options.hasOwnCgroup === false ? undefined : createCgroupReader(files);
  let lastStat: CpuStat | undefined;
  let hasMeasured = false;
  let slow: { readonly values: SlowValues; readonly atMs: number } | undefined;

  const readStat = (): CpuStat | undefined =>
    facts.read("CPU usage", () => parseCpuStat(files.need("/proc/stat")));

  async function measure(): Promise<Measurements | undefined> {
    const atMs = clock.monotonic();
    if (slow === undefined || atMs - slow.atMs >= SLOW_EVERY_MS) {
      slow = { values: readSlowValues(options), atMs };
    }
    const disk = await disks(atMs);
    const { processes, temperatures, virtualInterfaces } = slow.values;
    const stat = readStat();
    const limited = facts.read("Limits of the container", () => limits?.(clock.monotonic()));
    const whole = stat === undefined || lastStat === undefined ? undefined : toCpuUsage(lastStat, stat);
    const cpu = limited?.cpu ?? whole;
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
      memory: toLimited(memory?.memory, limited?.memory),
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
        cpuLimit: limits && facts.read("Limits of the container", () => readCores(files)),
        bootTimeUnixMs: readStat()?.bootTimeUnixMs,
      }),
  };
}
