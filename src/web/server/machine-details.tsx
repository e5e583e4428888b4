/**
 * Details of a machine for administrators only: addresses, containers, failed units, RAID, batteries, extra values.
 */
import type { ComponentChildren, JSX } from "preact";
import type { AdminServer } from "../../monitor/fleet/view-schema.ts";
import type { ReportDetails } from "../../monitor/base/report-schema.ts";
import { serviceNow } from "../ui/server-clock.ts";
import { toAgo, toNumber, UNKNOWN } from "../app/format.ts";
import { type TextName, text } from "../app/texts.ts";
import { Meter } from "../ui/meter.tsx";
import { Containers } from "./containers.tsx";
import { usePolled } from "./use-polled.ts";

const POLL_MS = 10_000;

// Beside what they name, and not among the texts of every page: strangers never load them.
const labels = {
  machine: "server.machine.machine",
  hostname: "server.machine.hostname",
  addresses: "server.machine.addresses",
  peer: "server.machine.peer",
  kernel: "server.machine.kernel",
  agent: "server.machine.agent",
  units: "server.machine.units",
  raid: "server.machine.raid",
  disks: "server.machine.disks",
  batteries: "server.machine.batteries",
  written: "server.machine.written",
} satisfies Record<string, TextName>;

function Panel(props: { title: string; hint?: string; children: ComponentChildren }): JSX.Element {
  return (
    <section class="panel" aria-label={props.title}>
      <h2>{props.title}</h2>
      {props.children}
      {props.hint !== undefined && <p class="quiet-text">{props.hint}</p>}
    </section>
  );
}

type Rows = readonly (readonly [name: ComponentChildren, value: ComponentChildren])[];

function Facts({ rows }: { rows: Rows }): JSX.Element {
  return (
    <dl class="facts">
      {rows.map(([name, value], index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Machine({ server: { agent, host } }: { server: AdminServer }): JSX.Element | null {
  const rows: readonly (readonly [TextName, string | undefined])[] = [
    [labels.hostname, agent.hostname],
    [labels.addresses, agent.addresses?.join("\n")],
    [labels.peer, agent.peerAddress],
    [labels.kernel, host?.["kernel"]?.toString()],
    [labels.agent, agent.version],
  ];
  const known = rows.filter(([, value]) => value !== undefined && value !== "");
  if (known.length === 0) return null;
  return (
    <Panel title={text(labels.machine)}>
      <Facts rows={known.map(([label, value]) => [text(label), <span class="lines">{value}</span>])} />
    </Panel>
  );
}

type Lists = {
  [Name in "failedUnits" | "raidArrays" | "batteries" | "extras"]-?: NonNullable<ReportDetails[Name]>;
};

function Units({ units }: { units: Lists["failedUnits"] }): JSX.Element {
  return (
    <Panel title={text(labels.units)}>
      <Facts
        rows={units.map(({ name, description }) => [
          <span class="is-bad-text">{name}</span>,
          description ?? "",
        ])}
      />
    </Panel>
  );
}

function toArrayWords({
  level,
  state,
  disks,
  activeDisks,
  action,
  actionPercent,
}: Lists["raidArrays"][number]): string {
  const words = [
    level,
    state,
    disks === undefined ? undefined : text(labels.disks, { active: activeDisks ?? UNKNOWN, all: disks }),
    action === undefined ? undefined : `${action} ${toNumber(actionPercent ?? 0, 1)} %`,
  ];
  return words.filter((word) => word !== undefined).join(" · ");
}

function Arrays({ arrays }: { arrays: Lists["raidArrays"] }): JSX.Element {
  return (
    <Panel title={text(labels.raid)}>
      <Facts
        rows={arrays.map((array) => {
          const isWhole = array.state === "active" && (array.activeDisks ?? 0) >= (array.disks ?? 0);
          return [array.name, <span class={isWhole ? "" : "is-bad-text"}>{toArrayWords(array)}</span>];
        })}
      />
    </Panel>
  );
}

function Batteries({ batteries }: { batteries: Lists["batteries"] }): JSX.Element {
  return (
    <Panel title={text(labels.batteries)}>
      {batteries.map(({ name, percent, state }, index) => (
        <div class="fullness is-charge" key={index}>
          <Meter label={name} percent={percent} />
          <span class="quiet-text">{state}</span>
        </div>
      ))}
    </Panel>
  );
}

const stateClasses: Readonly<Record<string, string>> = { warning: "is-warn-text", critical: "is-bad-text" };

function Extra({ extra }: { extra: Lists["extras"][number] }): JSX.Element {
  const { title = "", values = [], writtenAtUnixMs = 0 } = extra;
  return (
    <Panel title={title} hint={text(labels.written, { ago: toAgo(serviceNow() - writtenAtUnixMs) })}>
      <Facts
        rows={values.map(({ name = "", value, text = UNKNOWN, unit = "", state = "ok" }) => [
          name,
          <span class={stateClasses[state] ?? ""}>
            {value === undefined ? text : `${toNumber(value, 2)} ${unit}`}
            {state !== "ok" && ` · ${state}`}
          </span>,
        ])}
      />
    </Panel>
  );
}

/** The details of a report of version 1. */
function readDetails({ latest }: AdminServer): ReportDetails {
  const { v, details } = latest?.sample ?? {};
  // `as`: the monitor takes no report of this version whose details are not of this schema.
  return v === 1 && details !== undefined ? (details as ReportDetails) : {};
}

/** The panels; those without data are left out. */
export function MachineDetails({ id }: { id: string }): JSX.Element | null {
  const { data } = usePolled<AdminServer>(`/api/admin/servers/${encodeURIComponent(id)}`, POLL_MS);
  if (data === undefined) return null;
  const { containers, failedUnits = [], raidArrays = [], batteries = [], extras = [] } = readDetails(data);
  return (
    <div class="machine-details">
      {containers !== undefined && <Containers containers={containers} />}
      {failedUnits.length > 0 && <Units units={failedUnits} />}
      {raidArrays.length > 0 && <Arrays arrays={raidArrays} />}
      {extras.map((extra, index) => (
        <Extra extra={extra} key={index} />
      ))}
      {batteries.length > 0 && <Batteries batteries={batteries} />}
      <Machine server={data} />
    </div>
  );
}
