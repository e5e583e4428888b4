/** Facts of a Linux machine. */
import { cpus, machine, release } from "node:os";
import type { HostFacts } from "../payload.ts";
import type { SystemFiles } from "./system-files.ts";
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
  readonly agentVersion: string;
  readonly bootTimeUnixMs: number | undefined;
}

/** Gathers the facts of this machine from its files and node:os. */
export function readHostFacts(files: SystemFiles, options: HostFactsOptions): HostFacts {
  const osRelease = parseOsRelease(files.text("/etc/os-release") ?? files.text("/usr/lib/os-release") ?? "");
  const cores = cpus();
  return {
    os: "linux",
    platform: osRelease.get("ID"),
    platformVersion: osRelease.get("VERSION_ID"),
    kernel: release(),
    arch: machine(),
    virtualization: detectVirtualization(files),
    cpuModel: parseCpuModel(files.text("/proc/cpuinfo") ?? "") ?? cores[0]?.model,
    cpuCores: cores.length === 0 ? undefined : cores.length,
    agentVersion: options.agentVersion,
    bootTimeUnixMs: options.bootTimeUnixMs,
  };
}
