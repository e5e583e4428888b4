/** The columns of the list. */
import type { ComponentChildren, JSX } from "preact";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { toLoad, toPrice, UNKNOWN } from "../app/format.ts";
import { readLive, readUsedPercent } from "../app/sample.ts";
import { type TextName, text } from "../app/texts.ts";
import { EditLink, HiddenMark } from "../ui/admin-marks.tsx";
import { Meter } from "../ui/meter.tsx";
import { Spark } from "../ui/spark.tsx";
import { Flag, MaintenanceMark, StateMark } from "../ui/state-mark.tsx";
import {
  type CardParts,
  DiskMeter,
  Duration,
  ExpiryWords,
  Labels,
  Rates,
  toUsedWords,
  TrafficGauge,
} from "./card.tsx";
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
  // There is little room: how long it runs can wait, how long it is gone cannot.
  const isDurationShown = server.maintenanceUntil === undefined || server.state === "offline";
  return (
    <span class="name-cell">
      <StateMark state={server.state} reports={server.reports} />
      <a class="row-link" href={`/servers/${server.id}`}>
        {server.name}
      </a>
      <span class="name-marks">
        <Flag region={server.region} />
        <EditLink server={server} small />
      </span>
      <span class={`name-sub ${server.state === "offline" ? "is-bad-text" : ""}`}>
        <MaintenanceMark until={server.maintenanceUntil} short={isDurationShown} />{" "}
        {isDurationShown && <Duration server={server} />} <HiddenMark server={server} />
      </span>
    </span>
  );
}

function memoryCell(server: PublicServer): ComponentChildren {
  return (
    <Meter
      label={<span class="cell-label">{text("metric.ram")}</span>}
      percent={readUsedPercent(server, "memory")}
      detail={toUsedWords(server, "memory")}
    />
  );
}

function diskCell(server: PublicServer): ComponentChildren {
  return <DiskMeter server={server} label={<span class="cell-label">{text("metric.disk")}</span>} />;
}

function loadOf(server: PublicServer): string {
  const load = readLive(server, "load.one");
  return load === undefined ? UNKNOWN : toLoad(load);
}

/** In display order. */
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
    cell: (server) => (
      <span class="paid quiet-text">
        <span>{toSystem(server) || UNKNOWN}</span>
        <span>{server.provider}</span>
      </span>
    ),
  },
  {
    key: "cpu",
    label: "metric.cpu",
    width: 84,
    sort: "cpu",
    cell: (server) => (
      <Meter
        label={<span class="cell-label">{text("metric.cpu")}</span>}
        percent={readLive(server, "cpu.usagePercent")}
      />
    ),
  },
  { key: "memory", label: "metric.memory", width: 84, sort: "memory", cell: memoryCell },
  { key: "disk", label: "metric.disk", width: 112, sort: "disk", cell: diskCell },
  { key: "spark", label: "metric.sparkCpu", width: 110, cell: (server) => <Spark server={server} /> },
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

/** The first to disappear comes last. */
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
  // On a wide screen, the rest is distributed in proportion.
  return chosen.map(({ width }) => `minmax(${width}px, ${width}fr)`).join(" ");
}
