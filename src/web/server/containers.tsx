/** The containers of a machine. */
import type { ComponentChildren, JSX } from "preact";
import type { ReportDetails } from "../../monitor/base/report-schema.ts";
import { serviceNow } from "../ui/server-clock.ts";
import { toBytes, toNumber, toRate, toSpan, UNKNOWN } from "../app/format.ts";
import { type TextName, text } from "../app/texts.ts";
import { Table } from "../ui/controls-table.tsx";

type Container = NonNullable<ReportDetails["containers"]>[number];

const labels = {
  title: "server.container.title",
  none: "server.container.none",
  io: "server.container.io",
  limit: "server.container.limit",
  restarts: "server.container.restarts",
  exit: "server.container.exit",
  up: "server.container.up",
} satisfies Record<string, TextName>;

const states: Readonly<Record<string, TextName>> = {
  running: "server.container.state.running",
  exited: "server.container.state.exited",
  paused: "server.container.state.paused",
  restarting: "server.container.state.restarting",
  created: "server.container.state.created",
  dead: "server.container.state.dead",
  healthy: "server.container.state.healthy",
  unhealthy: "server.container.state.unhealthy",
  starting: "server.container.state.starting",
};

/** Important ones first: problems, then the highest usage. */
function rank({ state, health, exitCode }: Container): number {
  if (health === "unhealthy" || state === "restarting" || state === "dead") return 0;
  if (state === "exited") return (exitCode ?? 0) > 0 ? 1 : 3;
  return 2;
}

function toStateWords({ state = "", health }: Container): string {
  const name = state === "running" && health !== undefined ? health : state;
  const label = states[name];
  return label === undefined ? name : text(label);
}

/** A line, and a quieter one below it. */
function Two({ first, second }: { first: ComponentChildren; second: ComponentChildren }): JSX.Element {
  return (
    <>
      {first}
      <br />
      <span class="quiet-text">{second}</span>
    </>
  );
}

type Rate = readonly [name: string, bytesPerSecond: number | undefined];

function toRateWords([name, value]: Rate): string {
  return `${name} ${value === undefined ? UNKNOWN : toRate(value)}`;
}

function Rates({ first, second }: { first: Rate; second: Rate }): JSX.Element {
  if (first[1] === undefined && second[1] === undefined) return <>{UNKNOWN}</>;
  return <Two first={toRateWords(first)} second={toRateWords(second)} />;
}

function toStateDetail({ exitCode, restarts = 0, startedAtUnixMs }: Container): string {
  const parts = [
    startedAtUnixMs === undefined ? "" : text(labels.up, { span: toSpan(serviceNow() - startedAtUnixMs) }),
    exitCode === undefined ? "" : text(labels.exit, { code: exitCode }),
    restarts === 0 ? "" : text(labels.restarts, { count: restarts }),
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

const columns: readonly { key: string; label: () => string; cell: (item: Container) => ComponentChildren }[] =
  [
    {
      key: "name",
      label: () => text("metric.name"),
      cell: ({ name = "", image }) => <Two first={<strong>{name}</strong>} second={image} />,
    },
    {
      key: "state",
      label: () => text("metric.state"),
      cell: (item) => (
        <Two
          first={<span class={rank(item) < 2 ? "is-bad-text" : ""}>{toStateWords(item)}</span>}
          second={toStateDetail(item)}
        />
      ),
    },
    {
      key: "cpu",
      label: () => text("metric.cpu"),
      cell: ({ cpuPercent }) => (
        <>
          <span class="narrow-label">{text("metric.cpu")} </span>
          {cpuPercent === undefined ? UNKNOWN : `${toNumber(cpuPercent, 1)} %`}
        </>
      ),
    },
    {
      key: "memory",
      label: () => text("metric.memory"),
      cell: ({ memoryUsedBytes: used, memoryLimitBytes: limit }) => (
        <Two
          first={
            <>
              <span class="narrow-label">{text("metric.ram")} </span>
              {used === undefined ? UNKNOWN : toBytes(used)}
            </>
          }
          second={limit === undefined ? "" : text(labels.limit, { limit: toBytes(limit) })}
        />
      ),
    },
    {
      key: "network",
      label: () => text("metric.network"),
      cell: ({ rxBytesPerSecond: rx, txBytesPerSecond: tx }) => (
        <Rates first={["↓", rx]} second={["↑", tx]} />
      ),
    },
    {
      key: "io",
      label: () => text(labels.io),
      cell: ({ readBytesPerSecond: read, writeBytesPerSecond: write }) => (
        <Rates first={[text("chart.read"), read]} second={[text("chart.write"), write]} />
      ),
    },
  ];

/** The panel. */
export function Containers({ containers }: { containers: readonly Container[] }): JSX.Element {
  const title = text(labels.title);
  const rows = containers
    .map((item, index) => ({ item, index }))
    .sort(
      (a, b) => rank(a.item) - rank(b.item) || (b.item.memoryUsedBytes ?? 0) - (a.item.memoryUsedBytes ?? 0),
    );
  return (
    <section class="panel is-wide" aria-label={title}>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="quiet-text">{text(labels.none)}</p>
      ) : (
        <div class="container-table" tabIndex={0} role="group" aria-label={title}>
          <Table
            caption={title}
            rows={rows}
            keyOf={({ index }) => String(index)}
            columns={columns.map(({ key, label, cell }) => ({
              key,
              label: label(),
              number: key !== "name" && key !== "state",
              cell: ({ item }: { item: Container }) => cell(item),
            }))}
          />
        </div>
      )}
    </section>
  );
}
