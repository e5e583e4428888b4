/** Facts of a Linux machine. */
import { CHECK_LEVEL } from "../../kit/check-files/check-level.ts";
import type { HostFacts } from "../payload.ts";
import type { FactReader } from "../facts.ts";
import type { SystemFiles } from "./system-files.ts";
import { pickAddresses } from "./ip-addresses.ts";
import type { OwnSystem } from "./source.ts";
import { detectVirtualization } from "./virtualization.ts";

/** Reads os-release (os-release(5)): shell-like assignments, quoted or not. */
export function parseOsRelease(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const [, name = "", raw = ""] of text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gmu)) {
    const value = raw.trim().replace(/^(["'])(.*)\1$/u, "$2");
    fields.set(name, value.replace(/\\(["'$`\\])/gu, "$1"));
  }
  return fields;
}

/** The CPU's name in /proc/cpuinfo, whose key differs by architecture. */
export function parseCpuModel(text: string): string | undefined {
  for (const key of ["model name", "cpu model", "cpu", "Model", "Hardware", "uarch"]) {
    const value = new RegExp(`^${key}\\s*: (.+)$`, "mu").exec(text)?.[1]?.trim();
    if (value !== undefined && value !== "") return value.replace(/\s+/gu, " ");
  }
  return undefined;
}

/** Facts that the collector knows from elsewhere. */
export interface HostFactsOptions {
  readonly facts: FactReader;
  readonly system: OwnSystem;
  readonly agentVersion: string;
  readonly bootTimeUnixMs: number | undefined;
  /** Processors that a container may use at most. */
  readonly cpuLimit?: number | undefined;
}

/** Gathers the facts of this machine from its files and its runtime. */
export function readHostFacts(files: SystemFiles, options: HostFactsOptions): HostFacts {
  const { facts, system } = options;
  const osRelease = facts.read("The operating system", () =>
    parseOsRelease(files.text("/etc/os-release") ?? files.text("/usr/lib/os-release") ?? ""),
  );
  const cores = facts.read("The list of CPUs", () => system.cpus()) ?? [];
  return {
    os: "linux",
    platform: osRelease?.get("ID"),
    platformVersion: osRelease?.get("VERSION_ID"),
    kernel: facts.read("The version of the kernel", () => system.release()),
    arch: facts.read("The architecture", () => system.machine()),
    virtualization: facts.read("The virtualization", () => detectVirtualization(files)),
    cpuModel:
      facts.read("The model of the CPU", () => parseCpuModel(files.text("/proc/cpuinfo") ?? "")) ??
      cores[0]?.model,
    cpuCores:
      cores.length === 0 ? undefined : Math.min(cores.length, Math.ceil(options.cpuLimit ?? Infinity)),
    agentVersion: options.agentVersion,
    checkLevel: CHECK_LEVEL,
    bootTimeUnixMs: options.bootTimeUnixMs,
    addresses: facts.read("The network interfaces", () => pickAddresses(system.networkInterfaces())),
  };
}
