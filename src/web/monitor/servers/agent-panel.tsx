/** The agent of a server: what it reported, a new key, a new machine in its place, and deleting all of it. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { AdminServer } from "../../../monitor/fleet/view-schema.ts";
import { toNumber, toSpan } from "../../app/format.ts";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Ago, CopyBox, Moment } from "../../ui/console/pieces.tsx";
import type { ItemTools } from "../../ui/resource/resource.ts";
import { hasWrongClock, toUpgradeLine } from "../server-data.ts";
import { AddMachineDialog } from "./add-machine.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { KeyDialog } from "./key-dialog.tsx";

function Fact({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

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
        <p class="admin-note is-bad">
          <Icon name="alert" />
          <span>{text(`admin.agent.${reports}.text`, { reason: rejectedBecause })}</span>
        </p>
      )}
      {faults.length > 0 && (
        <div class="admin-note is-warn">
          <Icon name="alert" />
          <div>
            {text("admin.agent.faults.text")}
            <ul>
              {faults.map(({ name, reason }) => (
                <li key={name}>
                  {name}: {reason}
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </>
  );
}

/** What is wrong with an agent, said so that one knows what to do. */
function Warnings({ server }: { server: AdminServer }): JSX.Element {
  return (
    <>
      <ReportWarnings server={server} />
      {server.agent.duplicateAgent && (
        <p class="admin-note is-bad">
          <Icon name="alert" />
          <span>{text("admin.agent.duplicate.text")}</span>
        </p>
      )}
      {server.agent.isOutdated && (
        <>
          <p class="admin-note is-warn">
            <Icon name="refresh" />
            <span>{text("admin.agent.outdated.text")}</span>
          </p>
          <CopyBox label={text("admin.agent.outdated.line")} value={toUpgradeLine()} />
        </>
      )}
      {hasWrongClock(server) && (
        <p class="admin-note is-warn">
          <Icon name="alert" />
          <span>{text("admin.agent.skew.text", { skew: toSkew(server.agent.clockSkewMs ?? 0) })}</span>
        </p>
      )}
    </>
  );
}

function Facts({ server }: { server: AdminServer }): JSX.Element {
  const { agent } = server;
  return (
    <dl class="admin-facts">
      <Fact name={text("admin.agent.id")}>
        <code>{server.id}</code>
      </Fact>
      <Fact name={text("admin.agent.hostname")}>{agent.hostname === "" ? "–" : agent.hostname}</Fact>
      {agent.addresses !== undefined && agent.addresses.length > 0 && (
        <Fact name={text("admin.agent.addresses")}>{agent.addresses.join(", ")}</Fact>
      )}
      {agent.peerAddress !== undefined && <Fact name={text("admin.agent.peer")}>{agent.peerAddress}</Fact>}
      <Fact name={text("admin.agent.version")}>{agent.version ?? "–"}</Fact>
      <Fact name={text("admin.column.seen")}>
        <Ago at={server.lastSeenAt} />
      </Fact>
      <Fact name={text("admin.agent.skew")}>
        {agent.clockSkewMs === undefined ? "–" : toSkew(agent.clockSkewMs)}
      </Fact>
      <Fact name={text("admin.agent.key")}>
        <code>{agent.keyPrefix}…</code> · <Moment at={agent.keyRotatedAt} />
      </Fact>
      <Fact name={text("admin.agent.reports")}>{toNumber(agent.reportsStored)}</Fact>
      <Fact name={text("admin.column.added")}>
        <Moment at={server.createdAt} />
      </Fact>
    </dl>
  );
}

/** The panel. */
export function AgentPanel({ view: server, mayWrite, refresh }: ItemTools<AdminServer>): JSX.Element {
  const [open, setOpen] = useState<"key" | "machine" | "delete" | undefined>();
  const close = (): void => setOpen(undefined);
  return (
    <section class="admin-panel stack" aria-labelledby="agent-title">
      <h2 id="agent-title">{text("admin.agent.title")}</h2>
      <Warnings server={server} />
      <Facts server={server} />
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
    </section>
  );
}
