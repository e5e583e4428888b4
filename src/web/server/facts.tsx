/** A server: the head of its page, and the facts from its agent. */
import type { JSX } from "preact";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { toAgo, toMoment } from "../app/format.ts";
import { second } from "../app/now.ts";
import { countText, text } from "../app/texts.ts";
import { Duration } from "../fleet/card.tsx";
import { toSystem } from "../fleet/server-words.ts";
import { EditLink, HiddenMark } from "../ui/admin-marks.tsx";
import { Icon } from "../ui/icons.tsx";
import { Flag, MaintenanceMark, StateBadge } from "../ui/state-mark.tsx";

/** The way back, name, state, and what is said to everybody. */
export function ServerHead({ server }: { server: PublicServer }): JSX.Element {
  return (
    <header class="server-head">
      <a class="button quiet small back" href="/">
        <Icon name="back" />
        {text("page.home")}
      </a>
      <div class="server-title">
        <h1>{server.name}</h1>
        <Flag region={server.region} />
        <StateBadge state={server.state} reports={server.reports} />
        <HiddenMark server={server} />
        <MaintenanceMark until={server.maintenanceUntil} />
        <span class="quiet-text">
          {server.state === "online" || server.state === "offline" ? <Duration server={server} /> : null}
        </span>
        {server.tags.map((tag) => (
          <a class="tag" href={`/?tag=${encodeURIComponent(tag)}`} key={tag}>
            #{tag}
          </a>
        ))}
        <EditLink server={server} />
      </div>
      {server.publicNote !== "" && (
        <p class="public-note">
          <Icon name="info" />
          {server.publicNote}
        </p>
      )}
    </header>
  );
}

function LastSeen({ atMs }: { atMs: number }): JSX.Element {
  return <span title={toMoment(atMs)}>{toAgo(second.value - atMs)}</span>;
}

function toProcessor({ host }: PublicServer): string {
  const cores = host?.["cpuCores"];
  const words = [host?.["cpuModel"], typeof cores === "number" ? countText("server.cores", cores) : ""];
  return words.filter((word) => word !== undefined && word !== "").join(" · ");
}

/** The facts; those that are not known are left out. */
export function Facts({ server }: { server: PublicServer }): JSX.Element {
  const { host } = server;
  const boot = host?.["bootTimeUnixMs"];
  const facts: readonly (readonly [string, JSX.Element | string])[] = [
    [text("server.platform"), toSystem(server)],
    [text("server.cpuModel"), toProcessor(server)],
    [text("server.arch"), String(host?.["arch"] ?? "")],
    [text("server.virtualization"), String(host?.["virtualization"] ?? "")],
    [text("server.bootTime"), typeof boot === "number" ? toMoment(boot) : ""],
    [text("server.lastSeen"), server.lastSeenAt === undefined ? "" : <LastSeen atMs={server.lastSeenAt} />],
    [text("server.group"), server.group],
    [text("server.provider"), server.provider ?? ""],
  ];
  return (
    <section class="panel" aria-labelledby="facts">
      <h2 id="facts">{text("server.facts")}</h2>
      <dl class="facts">
        {facts
          .filter(([, value]) => value !== "")
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
