/** A heartbeat: what its job calls, how its runs went, and what they said. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { CheckView } from "../../../../monitor/checks/view-schema.ts";
import { toLatency, toMoment, toSpan } from "../../../app/format.ts";
import { type TextName, text } from "../../../app/texts.ts";
import { Button, Segments } from "../../../ui/controls.tsx";
import { showToast } from "../../../ui/controls-toast.tsx";
import { Ago, CopyBox } from "../../../ui/console/pieces.tsx";
import { ConfirmTask } from "../../../ui/console/confirm-task.tsx";
import { adminRequest } from "../../../ui/console/session.ts";
import { kindText } from "../../pieces/check-words.ts";
import { toCheckPath } from "../check-data.ts";
import { PingLog } from "./ping-log.tsx";
import { toCrontabLine, toPingUrl, toPushUrl, toScriptLines, toSystemdLines } from "./ping-lines.ts";
import { Panel } from "../../../ui/panel.tsx";
import { Facts } from "../../../ui/facts.tsx";

type Heartbeat = CheckView & { readonly target: Extract<CheckView["target"], { kind: "heartbeat" }> };
const ways = ["ping", "push"] as const;
type Way = (typeof ways)[number];

/** Suffixes of a ping's URL. */
const endings = [
  ["/start", "admin.check.ping.ending.start"],
  ["/fail", "admin.check.ping.ending.fail"],
  ["/1", "admin.check.ping.ending.status"],
  ["/log", "admin.check.ping.ending.log"],
] as const satisfies readonly (readonly [string, TextName])[];

function PingWay({ check, pingKey }: { check: Heartbeat; pingKey: string }): JSX.Element {
  const { schedule } = check.target;
  const job = schedule.type === "onCalendar" ? "admin.check.ping.systemd" : "admin.check.ping.crontab";
  return (
    <>
      <CopyBox label={text("admin.field.address")} value={toPingUrl(pingKey)} />
      <dl class="ping-endings">
        {endings.map(([ending, words]) => (
          <div key={ending}>
            <dt>
              <code>{ending}</code>
            </dt>
            <dd>{text(words)}</dd>
          </div>
        ))}
      </dl>
      <h3>{text(job)}</h3>
      <CopyBox
        label={text(job)}
        value={
          schedule.type === "onCalendar"
            ? toSystemdLines(pingKey, schedule)
            : toCrontabLine(pingKey, schedule)
        }
      />
      <h3>{text("admin.check.ping.script")}</h3>
      <CopyBox label={text("admin.check.ping.script")} value={toScriptLines(pingKey)} />
    </>
  );
}

function Addresses({
  check,
  refresh,
}: {
  check: Heartbeat;
  refresh: () => Promise<void>;
}): JSX.Element | null {
  const { id, pingKey } = check;
  const [way, setWay] = useState<Way>("ping");
  const [asks, setAsks] = useState(false);
  if (pingKey === undefined) return null;
  async function rotate(): Promise<void> {
    await adminRequest(`${toCheckPath(id)}/rotate-ping-key`, { method: "POST", body: {} });
    await refresh();
    showToast(text("admin.check.ping.rotated"));
    setAsks(false);
  }
  return (
    <Panel
      small
      title={text("admin.check.ping.title")}
      hint={text("admin.check.ping.hint")}
      action={
        <Button small icon="refresh" onClick={() => setAsks(true)}>
          {text("admin.check.ping.rotate")}
        </Button>
      }
    >
      <Segments<Way>
        label={text("admin.check.ping.way")}
        value={way}
        choices={ways.map((value) => ({ value, label: text(`admin.check.ping.way.${value}`) }))}
        onChange={setWay}
      />
      {way === "ping" ? (
        <PingWay check={check} pingKey={pingKey} />
      ) : (
        <>
          <CopyBox label={text("admin.field.address")} value={toPushUrl(pingKey)} />
          <p class="field-hint">{text("admin.check.ping.push.hint")}</p>
        </>
      )}
      {asks && (
        <ConfirmTask
          title={text("admin.check.ping.rotate")}
          danger
          send={rotate}
          onClose={() => setAsks(false)}
        >
          {text("admin.check.ping.rotate.text")}
        </ConfirmTask>
      )}
    </Panel>
  );
}

function HeartbeatFacts({ check }: { check: Heartbeat }): JSX.Element {
  const { heartbeat, target } = check;
  const { lastPingAt, nextDueAt, lastRunMs, pings = 0, openRuns = [] } = heartbeat ?? {};
  return (
    <Facts
      class="admin-facts"
      facts={[
        [
          text("admin.check.ping.last"),
          heartbeat === undefined ? text("admin.check.ping.never") : <Ago at={lastPingAt} />,
        ],
        [text("admin.check.ping.due"), nextDueAt === undefined ? "–" : toMoment(Date.parse(nextDueAt))],
        [text("check.heartbeat.graceSeconds"), toSpan(target.graceSeconds * 1_000)],
        [text("admin.check.ping.run"), lastRunMs === undefined ? "–" : toLatency(lastRunMs)],
        [text("admin.check.ping.count"), pings],
        [
          text("admin.check.ping.open"),
          openRuns.length === 0
            ? undefined
            : openRuns.map(({ rid, startedAt }) => (
                <div key={`${rid} ${startedAt}`}>
                  <Ago at={startedAt} /> {rid !== "" && <code>{rid}</code>}
                </div>
              )),
        ],
      ]}
    />
  );
}

/** The panels. */
export function HeartbeatPanel(props: { check: Heartbeat; refresh: () => Promise<void> }): JSX.Element {
  const { check } = props;
  return (
    <>
      <Panel small title={kindText("heartbeat")}>
        <HeartbeatFacts check={check} />
      </Panel>
      <Addresses {...props} />
      <PingLog id={check.id} signal={check.heartbeat?.pings ?? 0} />
    </>
  );
}
