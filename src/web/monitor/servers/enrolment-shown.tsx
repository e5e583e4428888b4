/** The lines that new machines run, how long they are good, and which machines have come. */
import type { Items } from "../../ui/console/paged.ts";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AdminServer } from "../../../monitor/fleet/view-schema.ts";
import type { EnrolmentView, OpenEnrolmentView } from "../../../monitor/ingest/enrolment-schema.ts";
import { toSpan } from "../../app/format.ts";
import { second } from "../../app/now.ts";
import { text } from "../../app/texts.ts";
import { Button, Segments } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import { CopyBox } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import type { DownloadList } from "../../../monitor/install/download-schema.ts";
import { type ServerList, ENROLMENTS, SERVERS } from "../server-data.ts";
import { type InstallWay, installWays, toInstallText } from "./install-ways.ts";

const POLL_MS = 2_000;

/** How far the machine has come: the code is open, used, or the machine reports. */
type Progress = "waiting" | "enrolled" | "online";

function toProgress(server: AdminServer | undefined, since: string | undefined): Progress {
  // A server that was there before is enrolled when its key is a newer one.
  if (server === undefined || (since !== undefined && server.agent.keyRotatedAt <= since)) return "waiting";
  const keyAt = server.agent.keyRotatedAt;
  return server.state === "online" && (server.latest?.receivedAt ?? "") >= keyAt ? "online" : "enrolled";
}

const notes = {
  online: { kind: " is-good", icon: "online", words: "admin.machine.online" },
  enrolled: { kind: "", icon: "refresh", words: "admin.machine.enrolled" },
  waiting: { kind: "", icon: "refresh", words: "admin.machine.waiting" },
  expired: { kind: " is-warn", icon: "alert", words: "admin.machine.expired" },
} as const;

function ProgressNote({ note, serverId }: { note: keyof typeof notes; serverId: string }): JSX.Element {
  const { kind, icon, words } = notes[note];
  return (
    <p class={`admin-note${kind}`}>
      <Icon name={icon} class={icon === "refresh" ? "is-turning" : undefined} />
      <span>{text(words)}</span>
      {note === "online" && <a href={`/admin/servers/${serverId}`}>{text("admin.machine.open")}</a>}
    </p>
  );
}

/** The lines, one tab a way. */
function InstallLines({ enrolment }: { enrolment: EnrolmentView }): JSX.Element {
  const [way, setWay] = useState<InstallWay>("shell");
  const { data } = usePolled<DownloadList>("/download", 0);
  const hasImage = data?.items.some(({ name }) => name.startsWith("trivet-agent-image-")) === true;
  const ofImage = { docker: "image", compose: "image.compose" } as const;
  const hint = hasImage && (way === "docker" || way === "compose") ? ofImage[way] : way;
  return (
    <div class="stack-small">
      <div class="button-row">
        <Segments<InstallWay>
          label={text("admin.install.way")}
          value={way}
          choices={installWays.map((value) => ({ value, label: text(`admin.install.${value}`) }))}
          onChange={setWay}
        />
      </div>
      <CopyBox
        label={text("admin.machine.command")}
        value={toInstallText(way, enrolment, hasImage ? data : undefined)}
      />
      <p class="field-hint">{text(`admin.install.${hint}.hint`)}</p>
      {enrolment.url.startsWith("http:") && <p class="field-hint">{text("admin.machine.http")}</p>}
    </div>
  );
}

interface ShownProps {
  readonly enrolment: EnrolmentView;
  readonly onDone: () => Promise<void>;
}

/** For one machine: whether it has come. `since` is when the server got its present key, when it exists. */
function OneMachine(
  props: ShownProps & {
    serverId: string;
    since: string | undefined;
    busy: boolean;
    onAgain: () => void;
  },
): JSX.Element {
  const { enrolment, serverId, since, busy, onDone, onAgain } = props;
  const { data } = usePolled<ServerList>(SERVERS, POLL_MS);
  const progress = toProgress(
    data?.items.find(({ id }) => id === serverId),
    since,
  );
  const leftMs = Date.parse(enrolment.expiresAt) - second.value;
  const over = progress === "waiting" && leftMs <= 0;
  useEffect(() => {
    if (progress !== "waiting") void onDone();
  }, [progress]);
  return (
    <>
      <div role="status">
        <ProgressNote note={over ? "expired" : progress} serverId={serverId} />
      </div>
      {progress === "waiting" && leftMs > 0 && (
        <p class="field-hint">{text("admin.machine.good", { span: toSpan(leftMs) })}</p>
      )}
      {over && (
        <div class="button-row">
          <Button icon="refresh" disabled={busy} onClick={onAgain}>
            {text("admin.machine.newcode")}
          </Button>
        </div>
      )}
    </>
  );
}

/** For many machines: how many have come. */
function ManyMachines({ enrolment, onDone }: ShownProps): JSX.Element {
  const { data } = usePolled<Items<OpenEnrolmentView>>(ENROLMENTS, POLL_MS);
  const left = data?.items.find(({ id }) => id === enrolment.id)?.usesLeft ?? (data ? 0 : enrolment.usesLeft);
  const come = enrolment.usesLeft - left;
  const leftMs = Date.parse(enrolment.expiresAt) - second.value;
  useEffect(() => {
    if (come > 0) void onDone();
  }, [come]);
  return (
    <>
      <div role="status">
        <p class={come > 0 ? "admin-note is-good" : "admin-note"}>
          <Icon name={come > 0 ? "online" : "refresh"} class={come > 0 ? undefined : "is-turning"} />
          <span>{text("admin.machine.many.come", { come, all: enrolment.usesLeft })}</span>
        </p>
      </div>
      <p class="field-hint">{text("admin.machine.many.good", { span: toSpan(Math.max(0, leftMs)) })}</p>
    </>
  );
}

/** The lines and the news. */
export function EnrolmentShown(
  props: ShownProps & { since: string | undefined; busy: boolean; onAgain: () => void },
): JSX.Element {
  const { enrolment } = props;
  return (
    <div class="stack">
      <p>{text("admin.machine.run")}</p>
      <InstallLines enrolment={enrolment} />
      {enrolment.serverId === undefined ? (
        <ManyMachines {...props} />
      ) : (
        <OneMachine {...props} serverId={enrolment.serverId} />
      )}
    </div>
  );
}
