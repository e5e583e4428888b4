/** The newest pings of a heartbeat: what each said, how long its run took, and who sent it. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { toLatency, toMoment } from "../../../app/format.ts";
import { text } from "../../../app/texts.ts";
import { Badge } from "../../../ui/console/pieces.tsx";
import { usePages } from "../../../ui/console/paged.ts";
import { PagedRows } from "../../../ui/console/paged-rows.tsx";
import { toCheckPath } from "../check-data.ts";
import { Panel } from "../../../ui/panel.tsx";

const FIRST_PAGE = 20;

interface Ping {
  readonly number: number;
  readonly at: string;
  readonly signal: "success" | "start" | "fail" | "log";
  readonly exitStatus?: number;
  readonly rid?: string;
  readonly runMs?: number;
  readonly method: string;
  readonly clientAddress: string;
  readonly userAgent: string;
  readonly text: string;
  readonly isCut: boolean;
}

const signalKinds = { success: "good", start: "idle", fail: "bad", log: "idle" } as const;
const signalIcons = { success: "online", start: "play", fail: "offline", log: "info" } as const;

function PingRow({ ping }: { ping: Ping }): JSX.Element {
  const { signal, exitStatus, runMs, rid, method, clientAddress, userAgent, isCut } = ping;
  const about = [method, clientAddress, userAgent, rid].filter((part) => part !== undefined && part !== "");
  return (
    <li class="ping-row">
      <div class="ping-head">
        <Badge kind={signalKinds[signal]} icon={signalIcons[signal]}>
          {text(`admin.check.ping.signal.${signal}`)}
          {exitStatus !== undefined && exitStatus > 0 && ` ${exitStatus}`}
        </Badge>
        <time dateTime={ping.at}>{toMoment(Date.parse(ping.at))}</time>
        {runMs !== undefined && <span>{text("admin.check.ping.took", { span: toLatency(runMs) })}</span>}
        <span class="field-hint break">{about.join(" · ")}</span>
      </div>
      {ping.text !== "" && (
        <pre tabIndex={0} aria-label={text("admin.check.ping.said")}>
          {ping.text}
          {isCut && " …"}
        </pre>
      )}
    </li>
  );
}

/** The log; `signal` changes when another ping came. */
export function PingLog({ id, signal }: { id: string; signal: number }): JSX.Element {
  const pages = usePages<Ping>(`${toCheckPath(id)}/pings?limit=${FIRST_PAGE}`);
  const known = useRef(signal);
  useEffect(() => {
    if (known.current === signal) return;
    known.current = signal;
    // A reader who loaded further pages keeps their position.
    if (pages.items.length <= FIRST_PAGE) pages.refresh();
  }, [signal]);
  return (
    <Panel small title={text("admin.check.ping.log")}>
      <PagedRows pages={pages} none="admin.check.ping.none">
        <ul class="plain-list">
          {pages.items.map((ping) => (
            <PingRow ping={ping} key={ping.number} />
          ))}
        </ul>
      </PagedRows>
    </Panel>
  );
}
