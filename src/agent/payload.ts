/**
 * The words of a report: payload_json, version 1. A value that is not known is absent (undefined disappears in
 * JSON.stringify), never zero.
 */
import type { SeenCertificate } from "../kit/probes/probe.ts";

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
  /** Level of checks that it can run; see `kit/check-files/check-level.ts`. */
  readonly checkLevel?: number | undefined;
  readonly bootTimeUnixMs?: number | undefined;
  /** IP addresses of the machine. */
  readonly addresses?: readonly string[] | undefined;
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

/** Space on one file system, and how many files it can hold where that is limited. */
export interface SpaceUsage extends Usage {
  readonly inodesTotal?: number | undefined;
  readonly inodesUsed?: number | undefined;
}

/** One file system. */
export interface MountUsage extends SpaceUsage {
  readonly path: string;
}

/** One that does not answer: nothing is known of its space. */
export interface SilentMount {
  readonly path: string;
  readonly state: "unresponsive";
}

/** Space over all real file systems, and what the disks read and write. */
export interface DiskUsage extends Partial<Usage> {
  readonly readBytesPerSecond?: number | undefined;
  readonly writeBytesPerSecond?: number | undefined;
  readonly mounts?: readonly (MountUsage | SilentMount)[] | undefined;
}

/** Counters of one network interface since it came up. */
export interface InterfaceTotals {
  readonly name: string;
  readonly rxTotalBytes: number;
  readonly txTotalBytes: number;
  /** Frames that were received or sent with an error. */
  readonly errors?: number | undefined;
}

export interface InterfaceUsage extends Omit<InterfaceTotals, "errors"> {
  readonly rxBytesPerSecond?: number | undefined;
  readonly txBytesPerSecond?: number | undefined;
  readonly errorsPerMinute?: number | undefined;
}

/** Traffic over all interfaces that lead out of the machine. */
export interface NetworkUsage {
  readonly rxBytesPerSecond?: number | undefined;
  readonly txBytesPerSecond?: number | undefined;
  readonly rxTotalBytes: number;
  readonly txTotalBytes: number;
  readonly interfaces?: readonly InterfaceUsage[] | undefined;
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
  readonly powerWatts?: number | undefined;
}

/** Share of the time in which some work had to wait for it, 0 to 100. */
export interface Pressure {
  readonly cpuPercent?: number | undefined;
  readonly memoryPercent?: number | undefined;
  readonly ioPercent?: number | undefined;
}

export interface Temperature {
  readonly name: string;
  readonly celsius: number;
}

/** The measurements: a payload without its frame. Unreadable values are absent. */
export interface Measurements {
  readonly uptimeSeconds?: number | undefined;
  readonly cpu?: CpuUsage | undefined;
  readonly load?: LoadAverages | undefined;
  readonly memory?: MemoryUsage | undefined;
  readonly swap?: Usage | undefined;
  readonly disk?: DiskUsage | undefined;
  readonly network?: NetworkUsage | undefined;
  readonly connections?: ConnectionCounts | undefined;
  readonly processes?: number | undefined;
  readonly gpus?: readonly GpuUsage[] | undefined;
  readonly temperatures?: readonly Temperature[] | undefined;
  readonly pressure?: Pressure | undefined;
}

/** A fact of the machine that cannot be read, and why. */
export interface ReadFault {
  readonly name: string;
  readonly reason: string;
}

/** A container of Docker or Podman. */
export interface Container {
  readonly name: string;
  readonly image?: string | undefined;
  /** "running", "exited", "restarting" … */
  readonly state?: string | undefined;
  readonly health?: "healthy" | "unhealthy" | "starting" | undefined;
  /** Of one that is exited. */
  readonly exitCode?: number | undefined;
  readonly restarts?: number | undefined;
  readonly startedAtUnixMs?: number | undefined;
  /** Of one core: it may be over 100. */
  readonly cpuPercent?: number | undefined;
  readonly memoryUsedBytes?: number | undefined;
  /** Absent without a limit. */
  readonly memoryLimitBytes?: number | undefined;
  readonly rxBytesPerSecond?: number | undefined;
  readonly txBytesPerSecond?: number | undefined;
  readonly readBytesPerSecond?: number | undefined;
  readonly writeBytesPerSecond?: number | undefined;
}

/** A unit of systemd that is watched. */
export interface WatchedUnit {
  readonly name: string;
  /** "active", "inactive", "failed", "activating" … */
  readonly state: string;
  readonly description?: string | undefined;
}

/** A unit of systemd that failed. */
export interface FailedUnit {
  readonly name: string;
  readonly description?: string | undefined;
}

/** An array of Linux software RAID. */
export interface RaidArray {
  readonly name: string;
  readonly level?: string | undefined;
  readonly state: string;
  readonly disks?: number | undefined;
  readonly activeDisks?: number | undefined;
  /** "recovery", "resync", "reshape" or "check". */
  readonly action?: string | undefined;
  readonly actionPercent?: number | undefined;
}

export interface Battery {
  readonly name: string;
  readonly percent: number;
  /** "charging", "discharging" … */
  readonly state?: string | undefined;
}

/** A value out of a file in the folder of extra values: a number or a text. */
export interface ExtraValue {
  readonly name: string;
  readonly value?: number | undefined;
  readonly text?: string | undefined;
  readonly unit?: string | undefined;
  readonly state: "ok" | "warning" | "critical" | "unknown";
}

export interface ExtraGroup {
  readonly title: string;
  readonly writtenAtUnixMs: number;
  readonly values: readonly ExtraValue[];
}

/** SMART data of a disk. */
export interface DiskHealth {
  readonly name: string;
  readonly model?: string | undefined;
  readonly state: "ok" | "failing" | "unknown";
  readonly celsius?: number | undefined;
  /** Of what its maker expects; it may be over 100. */
  readonly wornPercent?: number | undefined;
  readonly reallocatedSectors?: number | undefined;
}

/** Lists that come with some reports only and hold until the next time. */
export interface Details {
  readonly containers?: readonly Container[] | undefined;
  readonly failedUnits?: readonly FailedUnit[] | undefined;
  readonly units?: readonly WatchedUnit[] | undefined;
  readonly raidArrays?: readonly RaidArray[] | undefined;
  readonly batteries?: readonly Battery[] | undefined;
  readonly extras?: readonly ExtraGroup[] | undefined;
  readonly disks?: readonly DiskHealth[] | undefined;
}

/** One try of one check, as a report tells it. */
export interface CheckResult {
  readonly id: string;
  /** When, epoch milliseconds. */
  readonly at: number;
  /** Of what was looked at; see `kit/check-files/check-hash.ts`. */
  readonly hash: string;
  /** Absent: the target is as expected. */
  readonly fault?: string | undefined;
  readonly detail: string;
  readonly latencyMs?: number | undefined;
  /** Comes when it is another than the last time, and every hour. */
  readonly certificate?: SeenCertificate | undefined;
}

/** The checks that this machine runs, by a file of its owner. */
export interface CheckReport {
  /** Of the file in use. */
  readonly hash?: string | undefined;
  /** Targets that the machine's owner allows beyond public addresses. */
  readonly allow?: readonly string[] | undefined;
  /** Error of the current file; the previous one stays in use. */
  readonly problem?: string | undefined;
  readonly results?: readonly CheckResult[] | undefined;
}

/** payload_json, version 1. `host` comes first and again when it changes. */
export interface Payload extends Measurements {
  readonly v: 1;
  readonly intervalMs: number;
  readonly host?: HostFacts | undefined;
  readonly containers?:
    | { readonly running: number; readonly exited: number; readonly unhealthy: number }
    | undefined;
  readonly systemd?: { readonly failedUnits: number } | undefined;
  readonly raid?: { readonly degradedArrays: number } | undefined;
  /** Of the emptiest. */
  readonly battery?: { readonly percent: number } | undefined;
  readonly extra?: { readonly warnings: number; readonly criticals: number } | undefined;
  readonly details?: Details | undefined;
  /** Values missing from this report. */
  readonly faults?: readonly ReadFault[] | undefined;
  readonly checks?: CheckReport | undefined;
  /** Asks for the lists that the monitor has for this machine, when they are others than these; see `choices.ts`. */
  readonly lists?: string | undefined;
}

/** Rounds to one decimal and keeps within 0 to 100. */
export function toPercent(share: number): number {
  return Math.min(100, Math.max(0, Math.round(share * 1000) / 10));
}
