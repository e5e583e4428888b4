/**
 * Containers of Docker or Podman, from their socket. Access to that socket is root access, so it is read only if the
 * owner sets it; only GET is ever sent.
 */
import type { Clock } from "../../kit/time/clock.ts";
import { createRateMeter } from "../metrics/rates.ts";
import type { NameFilter } from "../../kit/text/name-filter.ts";
import { chooseNothing } from "../name-filter.ts";
import type { Container } from "../payload.ts";
import type { DetailReading } from "./details.ts";
import { countAt, listAt, toLine, valueAt } from "./json.ts";
import type { GetJson } from "./socket-http.ts";

/** Those that run come first. */
const MOST_CONTAINERS = 64;
const AT_ONCE = 8;
const healths = ["healthy", "unhealthy", "starting"] as const;
const NANOSECONDS_PER_PERCENT = 1e7;

export interface ContainersDeps {
  readonly get: GetJson;
  /** Which containers to report; by default all. */
  readonly choose?: NameFilter;
  readonly clock: Pick<Clock, "monotonic">;
}

function createMeters() {
  return {
    cpu: createRateMeter(),
    rx: createRateMeter(),
    tx: createRateMeter(),
    read: createRateMeter(),
    write: createRateMeter(),
  };
}
type Meters = ReturnType<typeof createMeters>;

function sum(values: readonly (number | undefined)[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

function readBlockBytes(stats: unknown, wanted: string): number | undefined {
  const entries = listAt(stats, "blkio_stats.io_service_bytes_recursive");
  // "Read" on cgroup v1, "read" on v2.
  const matching = entries.filter((entry) => String(valueAt(entry, "op")).toLowerCase() === wanted);
  return sum(matching.map((entry) => countAt(entry, "value")));
}

function readNetworkBytes(stats: unknown, field: string): number | undefined {
  const networks = valueAt(stats, "networks");
  if (typeof networks !== "object" || networks === null) return undefined;
  return sum(Object.values(networks).map((network) => countAt(network, field)));
}

/** Memory use of the container, like `docker stats`: without reclaimable file cache. */
function readMemory(stats: unknown): number | undefined {
  const usage = countAt(stats, "memory_stats.usage");
  if (usage === undefined) return undefined;
  const cache =
    countAt(stats, "memory_stats.stats.total_inactive_file") ??
    countAt(stats, "memory_stats.stats.inactive_file") ??
    0;
  return Math.max(0, usage - cache);
}

function toUsage(stats: unknown, meters: Meters, atMs: number): Partial<Container> {
  const rate = (meter: keyof Meters, value: number | undefined): number | undefined =>
    value === undefined ? undefined : meters[meter].perSecond(value, atMs);
  const cpu = rate("cpu", countAt(stats, "cpu_stats.cpu_usage.total_usage"));
  return {
    cpuPercent: cpu === undefined ? undefined : Math.round(cpu / (NANOSECONDS_PER_PERCENT / 10)) / 10,
    memoryUsedBytes: readMemory(stats),
    rxBytesPerSecond: rate("rx", readNetworkBytes(stats, "rx_bytes")),
    txBytesPerSecond: rate("tx", readNetworkBytes(stats, "tx_bytes")),
    readBytesPerSecond: rate("read", readBlockBytes(stats, "read")),
    writeBytesPerSecond: rate("write", readBlockBytes(stats, "write")),
  };
}

function toHealth(item: unknown, inspected: unknown): Container["health"] {
  const said = toLine(valueAt(inspected, "State.Health.Status"), 32);
  // Without an inspection the list says it in words: "Up 2 hours (unhealthy)".
  const words = /\((?:health: )?(\w+)\)/u.exec(String(valueAt(item, "Status")))?.[1];
  return healths.find((health) => health === (said ?? words));
}

function toImage(item: unknown): string | undefined {
  // An image without a name is shown by the beginning of its digest.
  return toLine(valueAt(item, "Image"), 200)?.replace(/^(?:sha256:)?([0-9a-f]{12})[0-9a-f]{52}$/u, "$1");
}

function toName(item: unknown): string {
  return (toLine(listAt(item, "Names")[0], 101) ?? "").replace(/^\//u, "");
}

function toContainer(item: unknown, inspected: unknown): Container {
  const state = toLine(valueAt(item, "State"), 32);
  const limit = countAt(inspected, "HostConfig.Memory") ?? 0;
  const startedAtUnixMs = Date.parse(String(valueAt(inspected, "State.StartedAt")));
  return {
    name: toName(item),
    image: toImage(item),
    state,
    health: toHealth(item, inspected),
    exitCode: state === "exited" ? countAt(inspected, "State.ExitCode") : undefined,
    restarts: countAt(inspected, "RestartCount"),
    startedAtUnixMs: state === "running" && startedAtUnixMs > 0 ? startedAtUnixMs : undefined,
    memoryLimitBytes: limit > 0 ? limit : undefined,
  };
}

function isUnhealthy({ state, health }: Container): boolean {
  return health === "unhealthy" || state === "restarting" || state === "dead";
}

function count(list: readonly unknown[], states: readonly string[]): number {
  return list.filter((item) => states.includes(String(valueAt(item, "State")))).length;
}

/** Creates the reader of one socket. */
export function createContainersReader({
  get,
  clock,
  choose = chooseNothing,
}: ContainersDeps): () => Promise<DetailReading> {
  const meters = new Map<string, Meters>();

  async function readOne(item: unknown): Promise<Container> {
    const id = encodeURIComponent(String(valueAt(item, "Id")));
    // One that is removed meanwhile answers with 404: what the list said remains.
    const inspected = await get(`/containers/${id}/json`).catch(() => undefined);
    const container = toContainer(item, inspected);
    if (container.state !== "running") return container;
    const stats = await get(`/containers/${id}/stats?stream=false&one-shot=true`).catch(() => undefined);
    const own = meters.get(id) ?? createMeters();
    meters.set(id, own);
    return { ...container, ...toUsage(stats, own, clock.monotonic()) };
  }

  return async () => {
    const all = listAt({ list: await get("/containers/json?all=1") }, "list");
    const list = all.filter((item) => choose(toName(item)) !== false);
    const isRunning = (item: unknown): boolean => valueAt(item, "State") === "running";
    const shown = [...list]
      .sort((a, b) => Number(isRunning(b)) - Number(isRunning(a)))
      .slice(0, MOST_CONTAINERS);
    const ids = new Set(shown.map((item) => encodeURIComponent(String(valueAt(item, "Id")))));
    for (const id of meters.keys()) if (!ids.has(id)) meters.delete(id);
    const containers: Container[] = [];
    for (let from = 0; from < shown.length; from += AT_ONCE)
      containers.push(...(await Promise.all(shown.slice(from, from + AT_ONCE).map(readOne))));
    return {
      containers: {
        running: count(list, ["running"]),
        exited: count(list, ["exited", "dead"]),
        unhealthy: containers.filter(isUnhealthy).length,
      },
      details: { containers },
    };
  };
}
