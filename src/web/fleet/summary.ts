/** All in one line: how many in which state, traffic now, and who is worst. */
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { readMetric, readNumber, readUsedPercent } from "../app/sample.ts";
import { type HomeItem, type State, isCheck, toState } from "./home-item.ts";

export interface Worst {
  readonly id: string;
  readonly name: string;
  /** 0 to 100. */
  readonly percent: number;
}

export interface Summary {
  readonly total: number;
  /** How many of them are servers. */
  readonly servers: number;
  readonly byState: Readonly<Record<State, number>>;
  /** Of all servers that are online. */
  readonly rxBytesPerSecond: number;
  readonly txBytesPerSecond: number;
  readonly worstCpu: Worst | undefined;
  readonly worstMemory: Worst | undefined;
  readonly worstDisk: Worst | undefined;
}

/** Reckons the summary. */
export function summarise(items: readonly HomeItem[]): Summary {
  const byState: Record<State, number> = { online: 0, offline: 0, never: 0, disabled: 0 };
  const sums = { rxBytesPerSecond: 0, txBytesPerSecond: 0 };
  const worst: { cpu?: Worst; memory?: Worst; disk?: Worst } = {};
  function note(kind: keyof typeof worst, server: PublicServer, percent: number | undefined): void {
    if (percent === undefined || percent <= (worst[kind]?.percent ?? -1)) return;
    worst[kind] = { id: server.id, name: server.name, percent };
  }
  let servers = 0;
  for (const server of items) {
    byState[toState(server)] += 1;
    if (isCheck(server)) continue;
    servers += 1;
    if (server.state !== "online") continue;
    sums.rxBytesPerSecond += readNumber(server, "network.rxBytesPerSecond") ?? 0;
    sums.txBytesPerSecond += readNumber(server, "network.txBytesPerSecond") ?? 0;
    note("cpu", server, readNumber(server, "cpu.usagePercent"));
    note("memory", server, readUsedPercent(server, "memory"));
    note("disk", server, readMetric(server, "disk.fullestPercent"));
  }
  return {
    total: items.length,
    servers,
    byState,
    ...sums,
    worstCpu: worst.cpu,
    worstMemory: worst.memory,
    worstDisk: worst.disk,
  };
}
