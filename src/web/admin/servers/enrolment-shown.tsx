/** The line that a new machine runs, how long it is good, and whether the machine has come. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { AdminServer, EnrolmentView } from "../../../monitor/fleet/view-schema.ts";
import { toSpan } from "../../app/format.ts";
import { second } from "../../app/now.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import { usePolled } from "../polled.ts";
import { type ServerList, SERVERS } from "../server-data.ts";
import { CommandBox } from "./key-shown.tsx";

const POLL_MS = 2_000;

/** How far the machine has come: the code is open, used, or the machine reports. */
type Progress = "waiting" | "enrolled" | "online";

function toProgress(server: AdminServer | undefined, since: string | undefined): Progress {
  // A server that was there before is enrolled when its key is a newer one; times of answers sort as texts.
  if (server === undefined || (since !== undefined && server.agent.keyRotatedAt <= since)) return "waiting";
  const keyAt = server.agent.keyRotatedAt;
  return server.state === "online" && (server.lastSeenAt ?? "") >= keyAt ? "online" : "enrolled";
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

/** The line and the news. `since` is when the server got its present key, when it is one that exists. */
export function EnrolmentShown(props: {
  enrolment: EnrolmentView;
  since: string | undefined;
  busy: boolean;
  onDone: () => Promise<void>;
  onAgain: () => void;
}): JSX.Element {
  const { enrolment, since, busy, onDone, onAgain } = props;
  const { data } = usePolled<ServerList>(SERVERS, POLL_MS);
  const server = data?.items.find(({ id }) => id === enrolment.serverId);
  const progress = toProgress(server, since);
  const leftMs = Date.parse(enrolment.expiresAt) - second.value;
  const over = progress === "waiting" && leftMs <= 0;
  useEffect(() => {
    if (progress !== "waiting") void onDone();
  }, [progress]);
  return (
    <div class="stack">
      <p>{text("admin.machine.run")}</p>
      <CommandBox command={enrolment.command} />
      {enrolment.command.includes(" --url http:") && <p class="field-hint">{text("admin.machine.http")}</p>}
      <div role="status">
        <ProgressNote note={over ? "expired" : progress} serverId={enrolment.serverId} />
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
    </div>
  );
}
