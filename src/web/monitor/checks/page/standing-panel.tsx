/** The current state of a check: since when, why, by location, and its target. */
import type { JSX } from "preact";
import { judgedKinds, untimedKinds } from "../../../../monitor/checks/schema.ts";
import type { CheckView } from "../../../../monitor/checks/view-schema.ts";
import { toLatency, toMoment, toSpan } from "../../../app/format.ts";
import { second } from "../../../app/now.ts";
import { text } from "../../../app/texts.ts";
import { Table } from "../../../ui/controls-table.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { Ago, Badge } from "../../../ui/console/pieces.tsx";
import { showToast } from "../../../ui/controls-toast.tsx";
import { Remedy } from "../../remedy.tsx";
import {
  findWhy,
  kindText,
  toFoundText,
  toMembersText,
  toTargetText,
  toWhy,
} from "../../pieces/check-words.ts";
import { stateIcons } from "../check-marks.tsx";
import { MONITOR, toLocationName, useLocationNames } from "../check-locations.ts";

type LocationResult = CheckView["standing"]["locations"][number];

function LocationState({ result }: { result: LocationResult }): JSX.Element {
  if (!result.counts)
    return (
      <span class="check-state is-unknown">
        <Icon name="never" />
        {text("admin.check.place.silent")}
      </span>
    );
  const state = result.isDown ? "down" : "up";
  return (
    <span class={`check-state is-${state}`}>
      <Icon name={stateIcons[state]} />
      {text(`check.state.${state}`)}
    </span>
  );
}

function Locations({ results }: { results: readonly LocationResult[] }): JSX.Element {
  const names = useLocationNames();
  return (
    <Table
      caption={text("admin.check.places")}
      rows={results}
      keyOf={({ serverId = MONITOR }) => serverId}
      columns={[
        {
          key: "location",
          label: text("admin.check.place"),
          cell: ({ serverId = MONITOR }) => toLocationName(serverId, names),
        },
        {
          key: "state",
          label: text("admin.column.state"),
          cell: (result) => <LocationState result={result} />,
        },
        {
          key: "latency",
          label: text("admin.checks.latency"),
          number: true,
          cell: ({ latencyMs }) => (latencyMs === undefined ? "–" : toLatency(latencyMs)),
        },
        { key: "at", label: text("admin.check.last"), cell: ({ at }) => <Ago at={at} /> },
        {
          key: "detail",
          label: text("admin.check.found"),
          cell: ({ fault, detail }) => (
            <span class="break">
              {fault === undefined ? detail : `${toWhy(fault, "")}${detail === "" ? "" : ` · ${detail}`}`}
            </span>
          ),
        },
      ]}
    />
  );
}

function toWords(check: CheckView): string {
  const { state, since, locations } = check.standing;
  const span = toSpan(Math.max(0, second.value - Date.parse(since)));
  const why = findWhy(check);
  switch (state) {
    case "up":
      return text("admin.check.says.up", { span });
    case "down":
    case "partial":
      return text(`admin.check.says.${state}`, { span, why: toWhy(why?.fault, why?.detail ?? "") });
    case "unknown":
      if (why?.fault !== undefined)
        return text("admin.check.says.unknown.why", { span, why: toWhy(why.fault, "") });
      return text(locations.length === 0 ? "admin.check.says.new" : "admin.check.says.unknown", { span });
    case "paused":
      return text("admin.check.says.paused", { span });
  }
}

function Target({ check }: { check: CheckView }): JSX.Element {
  const { target, address } = check;
  const words = `${kindText(target.kind)} · `;
  if (!/^https?:/u.test(address)) return <>{words + toTargetText(check)}</>;
  return (
    <>
      {words}
      <a href={address} target="_blank" rel="noreferrer noopener" class="break">
        {address}
      </a>
    </>
  );
}

/** Tags, and what is unusual about it. */
function Marks({ check }: { check: CheckView }): JSX.Element | null {
  const { tags, inverted, mute } = check;
  if (tags.length === 0 && !inverted && mute === undefined) return null;
  return (
    <div>
      <dt>{text("admin.field.tags")}</dt>
      <dd class="marks">
        {inverted && <Badge icon="refresh">{text("admin.check.mark.inverted")}</Badge>}
        {mute !== undefined && (
          <Badge kind="warn" icon="bell">
            {mute.until === undefined
              ? text("admin.mark.muted")
              : `${text("admin.mute.until")} ${toMoment(Date.parse(mute.until))}`}
          </Badge>
        )}
        {tags.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
      </dd>
    </div>
  );
}

/** The panel. */
export function StandingPanel({ check }: { check: CheckView }): JSX.Element {
  const { standing, target, intervalSeconds, note, group } = check;
  const { state, since, locations } = standing;
  const why = state === "up" || state === "paused" ? undefined : findWhy(check);
  const members = state === "paused" ? "" : toMembersText(check);
  const isPartly = members !== "" && (standing.members?.down ?? 0) > 0;
  const found = isPartly ? "" : members === "" && why !== undefined ? toFoundText(why) : members;
  const isJudged = judgedKinds.includes(target.kind);
  const [first] = locations;
  const isElsewhere = locations.length > 1 || first?.serverId !== undefined;
  return (
    <section class={`admin-panel stack check-now is-${state}`} aria-labelledby="standing-title">
      <div class="check-headline">
        <Icon name={stateIcons[state]} />
        <div>
          <h2 id="standing-title">{toWords(check)}</h2>
          <p class="field-hint">
            {isPartly && (
              <>
                <span class={`check-members is-${state}`}>
                  <Icon name="alert" />
                  {members}
                </span>{" "}
                ·{" "}
              </>
            )}
            {found !== "" && <span class="break">{found} · </span>}
            {text("admin.check.since", { time: toMoment(Date.parse(since)) })}
          </p>
        </div>
      </div>
      {why?.setting !== undefined && (
        <Remedy setting={why.setting} onDone={() => showToast(text("admin.check.allowed"))} />
      )}
      <dl class="admin-facts">
        <div class="is-wide">
          <dt>{text("admin.check.looks")}</dt>
          <dd>
            <Target check={check} />
          </dd>
        </div>
        {!isJudged && (
          <div>
            <dt>{text("check.any.intervalSeconds")}</dt>
            <dd>{toSpan(intervalSeconds * 1_000)}</dd>
          </div>
        )}
        {!isJudged && locations.length === 1 && first && (
          <>
            <div>
              <dt>{text("admin.check.last")}</dt>
              <dd>
                <Ago at={first.at} />
              </dd>
            </div>
            {!untimedKinds.includes(target.kind) && (
              <div>
                <dt>{text("admin.checks.latency")}</dt>
                <dd>{first.latencyMs === undefined ? "–" : toLatency(first.latencyMs)}</dd>
              </div>
            )}
          </>
        )}
        {group !== "" && (
          <div>
            <dt>{text("admin.field.group")}</dt>
            <dd>{group}</dd>
          </div>
        )}
        <Marks check={check} />
      </dl>
      {!isJudged && isElsewhere && <Locations results={locations} />}
      {note !== "" && <p class="check-note">{note}</p>}
    </section>
  );
}
