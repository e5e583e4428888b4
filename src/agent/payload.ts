/**
 * The words of a report: payload_json, version 1. A value that is not known is absent (undefined disappears in
 * JSON.stringify), never zero.
 */

/** Facts of the machine that seldom change. */
export interface HostFacts {
  readonly os?: string | undefined;
  readonly platform?: string | undefined;
  readonly platformVersion?: string | undefined;
  readonly kernel?: string | undefined;
  readonly arch?: string | undefined;
  readonly virtualization?: string | undefined;
  readonly cpuModel?: string | undefined;
  readonly cpuCores?: number | undefined;
  readonly agentVersion?: string | undefined;
  readonly bootTimeUnixMs?: number | undefined;
}

/** Percentages, 0 to 100. */
export interface CpuUsage {
  readonly usagePercent: number;
  readonly perCorePercent?: readonly number[] | undefined;
  readonly iowaitPercent?: number | undefined;
  readonly stealPercent?: number | undefined;
}

/** Load averages over one, five and fifteen minutes. */
export interface LoadAverages {
  readonly one: number;
  readonly five: number;
  readonly fifteen: number;
}

/** Bytes in use of bytes there. */
export interface Usage {
  readonly totalBytes: number;
  readonly usedBytes: number;
}

/** Main memory; `cacheBytes` could be freed and is not part of `usedBytes`. */
export interface MemoryUsage extends Usage {
  readonly cacheBytes?: number | undefined;
}

/** Space on one file system. */
export interface MountUsage extends Usage {
  readonly path: string;
}

/** Space over all real file systems, and what the disks read and write. */
export interface DiskUsage extends Partial<Usage> {
  readonly readBytesPerSecond?: number | undefined;
  readonly writeBytesPerSecond?: number | undefined;
  readonly mounts?: readonly MountUsage[] | undefined;
}

/** Counters of one network interface since it came up. */
export interface InterfaceTotals {
  readonly name: string;
  readonly rxTotalBytes: number;
  readonly txTotalBytes: number;
}

/** Traffic over all interfaces that lead out of the machine. */
export interface NetworkUsage {
  readonly rxBytesPerSecond?: number | undefined;
  readonly txBytesPerSecond?: number | undefined;
  readonly rxTotalBytes: number;
  readonly txTotalBytes: number;
  readonly interfaces?: readonly InterfaceTotals[] | undefined;
}

/** Sockets in use. */
export interface ConnectionCounts {
  readonly tcp?: number | undefined;
  readonly udp?: number | undefined;
}

/** One graphics processor. */
export interface GpuUsage {
  readonly name: string;
  readonly usagePercent?: number | undefined;
  readonly memoryTotalBytes?: number | undefined;
  readonly memoryUsedBytes?: number | undefined;
  readonly celsius?: number | undefined;
}

/** One sensor. */
export interface Temperature {
  readonly name: string;
  readonly celsius: number;
}

/** What is measured; everything of a payload but its frame. */
export interface Measurements {
  readonly uptimeSeconds?: number | undefined;
  readonly cpu: CpuUsage;
  readonly load?: LoadAverages | undefined;
  readonly memory?: MemoryUsage | undefined;
  readonly swap?: Usage | undefined;
  readonly disk?: DiskUsage | undefined;
  readonly network?: NetworkUsage | undefined;
  readonly connections?: ConnectionCounts | undefined;
  readonly processes?: number | undefined;
  readonly gpus?: readonly GpuUsage[] | undefined;
  readonly temperatures?: readonly Temperature[] | undefined;
}

/** payload_json, version 1. `host` comes first and again when it changes. */
export interface Payload extends Measurements {
  readonly v: 1;
  readonly intervalMs: number;
  readonly host?: HostFacts | undefined;
}

/** Rounds to one decimal and keeps within 0 to 100. */
export function toPercent(share: number): number {
  return Math.min(100, Math.max(0, Math.round(share * 1000) / 10));
}
