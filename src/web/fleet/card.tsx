/** A server as a card. All cards of a view have one height: it depends on what any of them shows. */
import type { ComponentChildren, JSX } from "preact";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { toBytes, toLoad, toPrice, toRate, toUsedTraffic, UNKNOWN } from "../app/format.ts";
import { isAdministrator } from "../app/fleet.ts";
import { minute, second } from "../app/now.ts";
import { readFullestPath, readLive, readNumber, readUsedPercent, toDiskGroup } from "../app/sample.ts";
import { text } from "../app/texts.ts";
import { EditLink, HiddenMark } from "../ui/admin-marks.tsx";
import { Icon } from "../ui/icons.tsx";
import { Bar, Meter } from "../ui/meter.tsx";
import { Spark } from "../ui/spark.tsx";
import { Flag, MaintenanceMark, StateMark } from "../ui/state-mark.tsx";
import { toDuration, toExpiry, toReset, toSystemLine } from "./server-words.ts";

/** Lines that only some fleets need. */
export interface CardParts {
  readonly traffic: boolean;
  readonly billing: boolean;
  readonly labels: boolean;
}

const BASE_HEIGHT = 194;
const TRAFFIC_HEIGHT = 36;
const LINE_HEIGHT = 30;

/** Which lines the cards of these servers need. */
export function toCardParts(servers: readonly PublicServer[]): CardParts {
  return {
    traffic: servers.some(({ traffic }) => traffic !== undefined),
    billing: servers.some(({ billing, nextExpiryAt }) => billing !== undefined || nextExpiryAt !== undefined),
    labels: servers.some(({ tags, publicNote }) => tags.length > 0 || publicNote !== ""),
  };
}

/** px. */
export function toCardHeight({ traffic, billing, labels }: CardParts): number {
  return (
    BASE_HEIGHT + (traffic ? TRAFFIC_HEIGHT : 0) + (billing ? LINE_HEIGHT : 0) + (labels ? LINE_HEIGHT : 0)
  );
}

/** "used of total" of memory, swap or disk. */
export function toUsedWords(server: PublicServer, group: string): string | undefined {
  const used = readNumber(server, `${group}.usedBytes`);
  const total = readNumber(server, `${group}.totalBytes`);
  if (used === undefined || total === undefined) return undefined;
  return text("fleet.ofLimit", { used: toBytes(used), limit: toBytes(total) });
}

/** The fullest disk: its share, and as a tip which one and how much. */
export function DiskMeter({
  server,
  label,
}: {
  server: PublicServer;
  label: ComponentChildren;
}): JSX.Element {
  const group = toDiskGroup(server);
  const path = readFullestPath(server);
  const words = toUsedWords(server, group);
  return (
    <Meter
      label={label}
      part={path}
      percent={readUsedPercent(server, group)}
      detail={path === undefined ? words : `${path}: ${words ?? UNKNOWN}`}
    />
  );
}

/** How long it is up or gone; moves on by itself. */
export function Duration({ server }: { server: PublicServer }): JSX.Element {
  const now = server.state === "offline" ? second : minute;
  return <>{toDuration(server, now.value)}</>;
}

/** When the paid time ends. */
export function ExpiryWords({ server }: { server: PublicServer }): JSX.Element | null {
  const expiry = toExpiry(server, minute.value);
  if (expiry === undefined) return null;
  return (
    <span class={`expiry is-${expiry.urgency}`} title={expiry.title}>
      <Icon name={server.billing?.autoRenew === true ? "refresh" : "calendar"} />
      {expiry.words}
      {server.billing?.autoRenew === true && <span class="for-readers"> {text("fleet.renews")}</span>}
    </span>
  );
}

/** Bytes a second in both directions. */
export function Rates({ server }: { server: PublicServer }): JSX.Element {
  const rx = readLive(server, "network.rxBytesPerSecond");
  const tx = readLive(server, "network.txBytesPerSecond");
  return (
    <span class="rates">
      <span title={text("metric.down")}>
        <Icon name="download" />
        <span class="for-readers">{text("metric.down")} </span>
        {rx === undefined ? UNKNOWN : toRate(rx)}
      </span>
      <span title={text("metric.up")}>
        <Icon name="upload" />
        <span class="for-readers">{text("metric.up")} </span>
        {tx === undefined ? UNKNOWN : toRate(tx)}
      </span>
    </span>
  );
}

/** Traffic of the present cycle against its limit. */
export function TrafficGauge({ server }: { server: PublicServer }): JSX.Element | null {
  const { traffic } = server;
  if (traffic === undefined) return null;
  const used = toUsedTraffic(traffic);
  return (
    <span class="traffic" title={toReset(server)}>
      <span class="quiet-text">{text("metric.traffic")}</span>
      <span class="traffic-value">{traffic.limitBytes > 0 ? used : text("fleet.thisCycle", { used })}</span>
      {traffic.limitBytes > 0 && <Bar percent={traffic.percent} />}
    </span>
  );
}

/** Tags, and the note for everybody. */
export function Labels({ server }: { server: PublicServer }): JSX.Element {
  return (
    <span class="labels">
      {server.tags.map((tag) => (
        <span class="tag" key={tag}>
          {tag}
        </span>
      ))}
      {server.publicNote !== "" && (
        <span class="note" title={server.publicNote}>
          {server.publicNote}
        </span>
      )}
    </span>
  );
}

/** Why there is nothing to show of it. */
function toAbsence({ state, reports }: PublicServer) {
  if (state === "disabled") return "fleet.disabledHint";
  if (state === "online") return reports === "rejected" ? "fleet.rejectedHint" : "fleet.missingHint";
  return isAdministrator.value ? "fleet.neverHint" : "server.never";
}

function CardMeters({ server }: { server: PublicServer }): JSX.Element {
  if (server.latest === undefined) {
    return <p class="card-hint">{text(toAbsence(server))}</p>;
  }
  return (
    <div class="card-meters">
      <Meter label={text("metric.cpu")} percent={readLive(server, "cpu.usagePercent")} />
      <Meter
        label={text("metric.memory")}
        percent={readUsedPercent(server, "memory")}
        detail={toUsedWords(server, "memory")}
      />
      <DiskMeter server={server} label={text("metric.disk")} />
      <Meter
        label={text("metric.swap")}
        percent={readUsedPercent(server, "swap")}
        detail={toUsedWords(server, "swap")}
      />
    </div>
  );
}

/** A card of a server that someone should look after, as high as a check's: what it is, since when, how it was. */
export function BrokenServerCard({ server }: { server: PublicServer }): JSX.Element {
  return (
    <article class={`card is-${server.state}`}>
      <CardHead server={server} />
      <div class="card-sub">
        <span class="card-system">
          {toSystemLine(server)} <HiddenMark server={server} />
        </span>
        <span class="is-bad-text">
          <Duration server={server} />
        </span>
      </div>
      <div class="card-meters is-brief">
        <Meter label={text("metric.cpu")} percent={readLive(server, "cpu.usagePercent")} />
        <Meter label={text("metric.ram")} percent={readUsedPercent(server, "memory")} />
        <DiskMeter server={server} label={text("metric.disk")} />
      </div>
    </article>
  );
}

function CardHead({ server }: { server: PublicServer }): JSX.Element {
  return (
    <div class="card-head">
      <StateMark state={server.state} reports={server.reports} />
      <a class="card-link" href={`/servers/${server.id}`}>
        {server.name}
      </a>
      <Flag region={server.region} />
      <EditLink server={server} small />
    </div>
  );
}

/** The card. */
export function ServerCard({ server, parts }: { server: PublicServer; parts: CardParts }): JSX.Element {
  const load = readLive(server, "load.one");
  const isExpiring = !parts.billing && (toExpiry(server, minute.value)?.urgency ?? "none") !== "none";
  return (
    <article class={`card is-${server.state}`}>
      <CardHead server={server} />
      <div class="card-sub">
        <span class="card-system">
          {server.maintenanceUntil === undefined ? (
            isExpiring ? (
              <ExpiryWords server={server} />
            ) : (
              toSystemLine(server)
            )
          ) : (
            <MaintenanceMark until={server.maintenanceUntil} short={server.state === "offline"} />
          )}{" "}
          <HiddenMark server={server} />
        </span>
        <span class={server.state === "offline" ? "is-bad-text" : ""}>
          <Duration server={server} />
        </span>
      </div>
      <CardMeters server={server} />
      <div class="card-flow">
        <span class="card-spark">
          <span class="quiet-text" aria-hidden="true">
            {text("metric.sparkCpu")}
          </span>
          <Spark server={server} />
        </span>
        <span class="card-load">
          <span class="quiet-text">{text("metric.load")}</span> {load === undefined ? UNKNOWN : toLoad(load)}
        </span>
        <Rates server={server} />
      </div>
      {parts.traffic && <div class="card-traffic">{<TrafficGauge server={server} />}</div>}
      {parts.billing && (
        <div class="card-line">
          <span class="quiet-text">{server.billing && toPrice(server.billing)}</span>
          <ExpiryWords server={server} />
        </div>
      )}
      {parts.labels && (
        <div class="card-line">
          <Labels server={server} />
        </div>
      )}
    </article>
  );
}
