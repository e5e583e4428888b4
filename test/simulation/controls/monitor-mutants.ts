/** Programs that are known to be broken: the monitor. */
import type { Mutant } from "./mutant.ts";

const ingest = "src/monitor/ingest/ingest.ts";
const scene = "monitor" as const;

export const monitorMutants: readonly Mutant[] = [
  {
    scene,
    name: "a report is acknowledged before it is stored",
    path: ingest,
    from: "    const seq = await durable;\n",
    to: "    durable.catch(() => undefined);\n    const seq = 1;\n",
  },
  {
    scene,
    name: "a repeated report is stored again",
    path: ingest,
    from: 'if (claim !== "new") {',
    to: 'if (claim !== "new" && claim !== "stored") {',
  },
  {
    scene,
    name: "a restart forgets which reports have arrived",
    path: ingest,
    from: "    this.#arrivals.set(id, server.dedupe);\n",
    to: "",
  },
  {
    scene,
    name: "rows that the history has are counted again after a restart",
    path: ingest,
    from: "history.restore(id, { at: row.at, values: row.values, seq });",
    to: "history.restore(id, { at: row.at, values: row.values, seq: seq + 1 });",
  },
  {
    scene,
    name: "late reports count their traffic again",
    path: "src/monitor/usage/counting.ts",
    from: "if (counter === undefined || reading.at > counter.countedAt) return this.#append(reading);",
    to: "return this.#append({ ...reading, at: Math.max(reading.at, (counter?.countedAt ?? 0) + 1) });",
    more: [
      ["    const gap = gaps.find((one) => isWithin(one, reading.at));\n", ""],
      ["    if (gap !== undefined) this.#split(gap, reading);\n", ""],
    ],
  },
  {
    scene,
    name: "a server that closes its stream is never offline",
    path: "src/monitor/fleet/live.ts",
    from: "  return closed || monotonicNow - entry.heardMs >= silenceMs;",
    to: "  return closed && monotonicNow - entry.heardMs >= 3_600_000 + silenceMs;",
  },
  {
    scene,
    name: "an outage is reported without its grace period",
    path: "src/monitor/alerts/kinds/offline.ts",
    from: "waitSeconds: ({ graceSeconds }) => graceSeconds,",
    to: "waitSeconds: ({ graceSeconds }) => graceSeconds / 4,",
  },
  {
    scene,
    name: "a check is down after its first failure",
    path: "src/monitor/checks/run/places.ts",
    from: "failures >= wanted;",
    to: "failures >= wanted - 1;",
  },
  {
    scene,
    name: "open alerts are forgotten at a restart",
    path: "src/monitor/alerts/incident-log.ts",
    from: '      ...(await listAll(tx, "byState", "open")),\n',
    to: "",
  },
  {
    scene,
    name: "an alert notification counts as sent before it is sent",
    path: "src/monitor/channels/notification-queue.ts",
    from: "{ ...record, attempts, nextAttemptAt: now + CLAIM_MS });",
    to: '{ ...record, attempts, state: "sent", sentAt: now, expiresAt: now + KEEP_MS });',
  },
  {
    scene,
    name: "no one hears of the end of an outage",
    path: "src/monitor/alerts/recording.ts",
    from: 'notice: ended?.told.up === true ? toNotice(ended, "up", words) : undefined,',
    to: "notice: undefined,",
  },
  {
    scene,
    name: "slow viewers get changes without those that they missed",
    path: "src/monitor/fleet/feed.ts",
    from: "    if (unsent > 0) {\n      viewer.stale = true;",
    to: "    if (unsent > 0) {\n      viewer.stale = false;",
  },
];
