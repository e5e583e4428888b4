/** The columns of the list. */
import type { ComponentChildren, JSX } from "preact";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { toNumber, toPrice, UNKNOWN } from "../app/format.ts";
import { readNumber, readUsedPercent } from "../app/sample.ts";
import { type TextName, text } from "../app/texts.ts";
import { Meter } from "../ui/meter.tsx";
import { Spark } from "../ui/spark.tsx";
import { Flag, StateMark } from "../ui/state-mark.tsx";
import { type CardParts, Duration, ExpiryWords, Labels, Rates, toUsedWords, TrafficGauge } from "./card.tsx";
import type { SortKey } from "./criteria.ts";
import { toSystem } from "./server-words.ts";

export interface Column {
  readonly key: string;
  readonly label: TextName;
  /** At least, px. */
  readonly width: number;
  readonly sort?: SortKey;
  readonly cell: (server: PublicServer) => ComponentChildren;
}

/** Below this width the list has rows of two lines, px. */
export const COMPACT_BELOW = 700;
const COLUMN_GAP = 18;
const NAME_WIDTH = 200;

/** State, name, flag, and a second line in small. */
export function NameCell({ server }: { server: PublicServer }): JSX.Element {
  return (
    <span class="name-cell">
      <StateMark state={server.state} />
      <a class="row-link" href={`/servers/${server.id}`}>
        {server.name}
      </a>
      <Flag region={server.region} />
      <span class={`name-sub ${server.state === "offline" ? "is-bad-text" : ""}`}>
        <Duration server={server} />
      </span>
    </span>
  );
}

function meter(group: "memory" | "disk"): (server: PublicServer) => ComponentChildren {
  return (server) => (
    <Meter
      label={<span class="cell-label">{text(group === "memory" ? "metric.ram" : "metric.disk")}</span>}
      percent={readUsedPercent(server, group)}
      detail={toUsedWords(server, group)}
    />
  );
}

function loadOf(server: PublicServer): string {
  const load = readNumber(server, "load.one");
  return load === undefined ? UNKNOWN : toNumber(load, 2);
}

/** In the order in which they stand. */
const columns: readonly Column[] = [
  {
    key: "name",
    label: "metric.name",
    width: NAME_WIDTH,
    sort: "name",
    cell: (server) => <NameCell server={server} />,
  },
  {
    key: "system",
    label: "metric.system",
    width: 118,
    cell: (server) => <span class="quiet-text">{toSystem(server) || UNKNOWN}</span>,
  },
  {
    key: "cpu",
    label: "metric.cpu",
    width: 84,
    sort: "cpu",
    cell: (server) => (
      <Meter
        label={<span class="cell-label">{text("metric.cpu")}</span>}
        percent={readNumber(server, "cpu.usagePercent")}
      />
    ),
  },
  { key: "memory", label: "metric.memory", width: 84, sort: "memory", cell: meter("memory") },
  { key: "disk", label: "metric.disk", width: 84, sort: "disk", cell: meter("disk") },
  { key: "spark", label: "metric.spark", width: 110, cell: (server) => <Spark server={server} /> },
  { key: "load", label: "metric.load", width: 52, sort: "load", cell: loadOf },
  {
    key: "network",
    label: "metric.network",
    width: 104,
    sort: "down",
    cell: (server) => <Rates server={server} />,
  },
  {
    key: "traffic",
    label: "metric.traffic",
    width: 160,
    sort: "traffic",
    cell: (server) => (server.traffic === undefined ? UNKNOWN : <TrafficGauge server={server} />),
  },
  {
    key: "expiry",
    label: "metric.expiry",
    width: 130,
    sort: "expiry",
    cell: (server) => (
      <span class="paid">
        <ExpiryWords server={server} />
        <span class="quiet-text">{server.billing && toPrice(server.billing)}</span>
      </span>
    ),
  },
  { key: "labels", label: "fleet.tags", width: 170, cell: (server) => <Labels server={server} /> },
];

/** What gives way first stands last. */
const priorities = [
  "name",
  "cpu",
  "memory",
  "disk",
  "network",
  "traffic",
  "expiry",
  "load",
  "spark",
  "system",
  "labels",
];

/** The columns that fit into `width` px; those that no server fills are left out. */
export function fitListColumns(width: number, parts: CardParts): readonly Column[] {
  const skipped = new Set([
    ...(parts.traffic ? [] : ["traffic"]),
    ...(parts.billing ? [] : ["expiry"]),
    ...(parts.labels ? [] : ["labels"]),
    ...(width < COMPACT_BELOW ? priorities.slice(5) : []),
  ]);
  const chosen = new Set<string>();
  let left = width - 2 * COLUMN_GAP;
  for (const key of priorities) {
    const column = columns.find((one) => one.key === key);
    if (column === undefined || skipped.has(key)) continue;
    left -= column.width + COLUMN_GAP;
    if (left < 0 && width >= COMPACT_BELOW) break;
    chosen.add(key);
  }
  return columns.filter(({ key }) => chosen.has(key));
}

/** The widths as the grid of a row wants them. */
export function toTemplate(chosen: readonly Column[]): string {
  // What is left on a wide screen goes to all of them, in proportion.
  return chosen.map(({ width }) => `minmax(${width}px, ${width}fr)`).join(" ");
}
