/** A check as a card, and as a row of the list and of the uptime view. */
import type { JSX } from "preact";
import type { ShownCheck, UptimeSpan } from "../../monitor/checks/shown-schema.ts";
import { toLatency, toSpan, toUptimeWords } from "../app/format.ts";
import { minute, second } from "../app/now.ts";
import { findText, text } from "../app/texts.ts";
import { Icon } from "../ui/icons.tsx";
import { MaintenanceMark } from "../ui/state-mark.tsx";
import { UptimeBars } from "../ui/uptime-bars.tsx";
import { BAR_HEIGHT, DAY_WIDTH, toUptimePaths } from "../ui/uptime-levels.ts";
import { SortButton, toAriaSort } from "../ui/controls-table.tsx";
import type { Criteria } from "../fleet/criteria.ts";
import { isBroken, toState } from "../fleet/home-item.ts";
import { NameLink } from "../fleet/name-link.tsx";
import "./texts.ts";
import { type CheckUptime, checkUptime, useCheckUptime } from "./uptime.ts";

/** Names of protocols are the same in every language. */
const protocols: Readonly<Partial<Record<ShownCheck["kind"], string>>> = {
  http: "HTTP",
  tcp: "TCP",
  tls: "TLS",
  dns: "DNS",
  ping: "Ping",
  websocket: "WebSocket",
  grpc: "gRPC",
  mqtt: "MQTT",
  udp: "UDP",
  ntp: "NTP",
};

function toKindWord({ kind }: ShownCheck): string {
  return protocols[kind] ?? findText(`home.kind.${kind}`) ?? kind;
}

/** "Down for 5m": how long it has been in its state. */
function toStanding(check: ShownCheck): string {
  const isDown = check.state === "down" || check.state === "partial";
  const ms = Math.max(60_000, (isDown ? second : minute).value - Date.parse(check.since));
  const span = toSpan(isDown ? ms : ms - (ms % 60_000));
  return check.state === "up"
    ? text("fleet.runningFor", { span })
    : text(`home.for.${check.state}`, { span });
}

/** Why it is down, for who may know; else what is checked. */
function toAbout(check: ShownCheck): string {
  if (check.members !== undefined && check.members.down > 0) return text("home.members", check.members);
  if (isBroken(check)) {
    const why = check.fault && findText(`check.fault.${check.fault}`);
    const words = why ?? check.detail ?? "";
    if (words !== "") return words.charAt(0).toLocaleUpperCase() + words.slice(1);
  }
  return (check.address ?? "").replace(/^https?:\/\//u, "").replace(/\/$/u, "");
}

function CheckMark({ check }: { check: ShownCheck }): JSX.Element {
  const word = text(`check.state.${check.state}`);
  const look = check.state === "partial" ? "silent" : toState(check);
  return (
    <span class={`state-mark is-${look}`} title={word}>
      <Icon name={look === "silent" ? "alert" : look} />
      <span class="for-readers">{word}</span>
    </span>
  );
}

/** What is said of it in small: its kind, and the target, the fault, or the planned maintenance. */
function About({ check, short = false }: { check: ShownCheck; short?: boolean }): JSX.Element {
  const about = toAbout(check);
  const { maintenanceUntil } = check;
  return (
    <>
      <span class="check-kind">{toKindWord(check)} </span>
      {maintenanceUntil === undefined ? (
        about !== "" && (
          <span
            class={isBroken(check) ? "is-bad-text" : (check.members?.down ?? 0) > 0 ? "is-warn-text" : ""}
          >
            {about}
          </span>
        )
      ) : (
        <MaintenanceMark until={Date.parse(maintenanceUntil)} short={short} />
      )}
      {check.hidden === true && (
        <span class="hidden-mark" title={text("home.check.hiddenHint")}>
          <Icon name="hidden" />
          <span class="for-readers">{text("home.check.hiddenHint")}</span>
        </span>
      )}
    </>
  );
}

function useUptime({ id }: ShownCheck, span: UptimeSpan): CheckUptime | undefined {
  useCheckUptime([id], span);
  return checkUptime[span].value.get(id);
}

function HourBars({ found, value }: { found: CheckUptime | undefined; value: string }): JSX.Element {
  if (found === undefined) return <span class="hour-bars" aria-hidden="true" />;
  return (
    <svg
      class="hour-bars"
      viewBox={`0 0 ${found.shares.length * DAY_WIDTH} ${BAR_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={text("home.day", { value })}
    >
      {toUptimePaths(found.shares).map(({ level, path }) => (
        <path key={level} class={`uptime-${level}`} d={path} />
      ))}
    </svg>
  );
}

/** The card. */
export function CheckCard({ check }: { check: ShownCheck }): JSX.Element {
  const found = useUptime(check, "24h");
  const value = toUptimeWords(found?.ratio, found?.knownMs);
  const state = toState(check);
  return (
    <article class={`card is-check is-${state}${check.state === "partial" ? " is-partial" : ""}`}>
      <div class="card-head">
        <CheckMark check={check} />
        <NameLink item={check} class="card-link" />
        {check.latencyMs !== undefined && <span class="check-latency">{toLatency(check.latencyMs)}</span>}
      </div>
      <div class="card-sub">
        <span class="card-system">
          <About check={check} short={check.state !== "up"} />
        </span>
        <span class={isBroken(check) ? "is-bad-text" : ""}>{toStanding(check)}</span>
      </div>
      <div class="check-day">
        <HourBars found={found} value={value} />
        <span class="check-ratio" title={text("home.day", { value })}>
          <span class="quiet-text" aria-hidden="true">
            {text("home.hours")}
          </span>{" "}
          {value}
        </span>
      </div>
    </article>
  );
}

/** `isBrief`: what is checked is said elsewhere, or there is no room for it. */
function CheckName({ check, isBrief }: { check: ShownCheck; isBrief: boolean }): JSX.Element {
  return (
    <span class="name-cell">
      <CheckMark check={check} />
      <NameLink item={check} class="row-link" />
      <span class="name-marks" />
      <span class="name-sub">
        <span class={isBroken(check) ? "is-bad-text check-standing" : "check-standing"}>
          {toStanding(check)}
        </span>
        {!isBrief && <About check={check} />}
      </span>
    </span>
  );
}

/** The headings of checks alone. */
export function CheckHead({
  criteria,
  onOrder,
}: {
  criteria: Criteria;
  onOrder: (key: string) => void;
}): JSX.Element {
  const order = { key: criteria.sort, descending: criteria.descending };
  const columns = [
    ["name", "metric.name", "is-name"],
    [undefined, "home.target", "is-about"],
    [undefined, "home.hours", "is-bars"],
    ["uptime", "metric.uptime", "is-number"],
    ["latency", "metric.latency", "is-number"],
    [undefined, "fleet.tags", ""],
  ] as const;
  return (
    <div class="row head-row is-checks" role="row">
      {columns.map(([key, label, look]) => (
        <span
          role="columnheader"
          key={label}
          class={`cell ${look}`}
          aria-sort={key === undefined ? undefined : toAriaSort(order, key)}
        >
          {key === undefined ? (
            text(label)
          ) : (
            <SortButton label={text(label)} column={key} order={order} onOrder={() => onOrder(key)} />
          )}
        </span>
      ))}
    </div>
  );
}

/**
 * A row of the list; its parent has role "row". Among servers it takes their `columns` as one; undefined: alone, with
 * columns of its own.
 */
export function CheckRow(props: {
  check: ShownCheck;
  columns: number | undefined;
  /** Of the servers' columns. */
  template: string;
  compact: boolean;
}): JSX.Element {
  const { check, columns, template, compact } = props;
  const found = useUptime(check, "24h");
  const value = toUptimeWords(found?.ratio, found?.knownMs);
  const role = columns === undefined ? "cell" : undefined;
  const figures = (
    <>
      <span role={role} class="cell is-about">
        <About check={check} />
      </span>
      <span role={role} class="cell is-bars">
        <HourBars found={found} value={value} />
      </span>
      <span role={role} class="cell check-ratio is-number">
        {value}
      </span>
      <span role={role} class="cell check-latency is-number">
        {check.latencyMs === undefined ? "" : toLatency(check.latencyMs)}
      </span>
      <span role={role} class="cell labels">
        {check.tags.map((tag) => (
          <span class="tag" key={tag}>
            {tag}
          </span>
        ))}
      </span>
    </>
  );
  const look = `row is-check is-${toState(check)}${compact ? " is-compact" : ""}`;
  return (
    <div
      class={columns === undefined ? `${look} is-checks` : look}
      role="presentation"
      style={compact || columns === undefined ? {} : { gridTemplateColumns: template }}
    >
      <span role="cell" class="cell is-name">
        <CheckName check={check} isBrief />
      </span>
      {columns === undefined ? (
        figures
      ) : (
        <span role="cell" class="cell check-cell" aria-colspan={Math.max(1, columns - 1)}>
          {figures}
        </span>
      )}
    </div>
  );
}

/** Requests the uptime of all: an order needs them. Those in sight ask by themselves. */
export function UptimeOfAll({ ids }: { ids: readonly string[] }): null {
  useCheckUptime(ids, "90d");
  return null;
}

const noDays = Array.from({ length: 90 }, () => null);

/** A row of the uptime view; its parent has role "row". */
export function CheckUptimeRow({ check, compact }: { check: ShownCheck; compact: boolean }): JSX.Element {
  const found = useUptime(check, "90d");
  const value = toUptimeWords(found?.ratio, found?.knownMs);
  return (
    <div class={`uptime-row row is-${toState(check)}${compact ? " is-compact" : ""}`} role="presentation">
      <span role="cell">
        <CheckName check={check} isBrief={compact} />
      </span>
      <span role="cell" class="uptime-cell">
        <UptimeBars days={found?.shares ?? noDays} value={value} zone="UTC" />
      </span>
      <span role="cell" class="is-number uptime-ratio">
        {value}
      </span>
    </div>
  );
}
