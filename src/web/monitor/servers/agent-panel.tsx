/** The agent of a server: what it reported, a new key, a new machine in its place, and deleting all of it. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AdminServer } from "../../../monitor/fleet/view-schema.ts";
import { toNumber, toSpan } from "../../app/format.ts";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { Ago, CopyBox, Moment } from "../../ui/console/pieces.tsx";
import type { ItemTools } from "../../ui/resource/resource.ts";
import { hasWrongClock, toUpgradeLine } from "./server-state.ts";
import { AddMachineDialog } from "./add-machine.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { KeyDialog } from "./key-dialog.tsx";
import { Note } from "../../ui/console/note.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Facts } from "../../ui/facts.tsx";

/** The difference of the clocks with its sign, as people say it. */
function toSkew(ms: number): string {
  if (Math.abs(ms) < 1_000) return text("admin.agent.skew.none");
  return text(ms > 0 ? "admin.agent.skew.ahead" : "admin.agent.skew.behind", { span: toSpan(Math.abs(ms)) });
}

function ReportWarnings({ server }: { server: AdminServer }): JSX.Element {
  const { reports, rejectedBecause = "", faults = [] } = server.agent;
  return (
    <>
      {reports !== undefined && (
        <Note kind="bad">{text(`admin.agent.${reports}.text`, { reason: rejectedBecause })}</Note>
      )}
      {faults.length > 0 && (
        <Note kind="warn">
          {text("admin.agent.faults.text")}
          <ul>
            {faults.map(({ name, reason }) => (
              <li key={name}>
                {name}: {reason}
              </li>
            ))}
          </ul>
        </Note>
      )}
    </>
  );
}

/** Problems of an agent with their solutions. */
function Warnings({ server }: { server: AdminServer }): JSX.Element {
  return (
    <>
      <ReportWarnings server={server} />
      {server.agent.duplicateAgent && <Note kind="bad">{text("admin.agent.duplicate.text")}</Note>}
      {server.agent.isOutdated && (
        <>
          <Note kind="warn" icon="refresh">
            {text("admin.agent.outdated.text")}
          </Note>
          <CopyBox label={text("admin.agent.outdated.line")} value={toUpgradeLine()} />
        </>
      )}
      {hasWrongClock(server) && (
        <Note kind="warn">
          {text("admin.agent.skew.text", { skew: toSkew(server.agent.clockSkewMs ?? 0) })}
        </Note>
      )}
    </>
  );
}

function AgentFacts({ server }: { server: AdminServer }): JSX.Element {
  const { agent, id, lastSeenAt, createdAt } = server;
  const { hostname, addresses = [], clockSkewMs } = agent;
  return (
    <Facts
      class="admin-facts"
      facts={[
        [text("admin.agent.id"), <code>{id}</code>],
        [text("admin.agent.hostname"), hostname === "" ? "–" : hostname],
        [text("admin.agent.addresses"), addresses.length === 0 ? undefined : addresses.join(", ")],
        [text("admin.agent.peer"), agent.peerAddress],
        [text("admin.agent.version"), agent.version ?? "–"],
        [text("admin.column.seen"), <Ago at={lastSeenAt} />],
        [text("admin.agent.skew"), clockSkewMs === undefined ? "–" : toSkew(clockSkewMs)],
        [
          text("admin.agent.key"),
          <>
            <code>{agent.keyPrefix}…</code> · <Moment at={agent.keyRotatedAt} />
          </>,
        ],
        [text("admin.agent.reports"), toNumber(agent.reportsStored)],
        [text("admin.column.added"), <Moment at={createdAt} />],
      ]}
    />
  );
}

/** The panel. */
export function AgentPanel({ view: server, mayWrite, refresh }: ItemTools<AdminServer>): JSX.Element {
  const [open, setOpen] = useState<"key" | "machine" | "delete" | undefined>();
  const close = (): void => setOpen(undefined);
  return (
    <Panel title={text("admin.agent.title")}>
      <Warnings server={server} />
      <AgentFacts server={server} />
      {mayWrite && (
        <div class="button-row">
          <Button icon="key" onClick={() => setOpen("key")}>
            {text("admin.key.title")}
          </Button>
          <Button icon="server" onClick={() => setOpen("machine")}>
            {text("admin.machine.again")}
          </Button>
          <Button icon="trash" kind="danger" onClick={() => setOpen("delete")}>
            {text("admin.delete.one")}
          </Button>
        </div>
      )}
      {open === "key" && <KeyDialog server={server} onDone={refresh} onClose={close} />}
      {open === "machine" && (
        <AddMachineDialog server={server} groups={[]} tags={[]} onDone={refresh} onClose={close} />
      )}
      {open === "delete" && (
        <DeleteDialog
          servers={[server]}
          onClose={close}
          onDone={async () => navigate("/admin/servers", { replace: true })}
        />
      )}
    </Panel>
  );
}
