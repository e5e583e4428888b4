/** Servers and alert rules of Beszel: shown first, then added, with the command for each machine. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ServerImport, ServerImportResult } from "../../../../monitor/moving/schema.ts";
import { text } from "../../../app/texts.ts";
import { Button } from "../../../ui/controls.tsx";
import { Table } from "../../../ui/controls-table.tsx";
import { CopyBox } from "../../../ui/console/pieces.tsx";
import { Note } from "../../../ui/console/note.tsx";
import { TaskNote, useTask } from "../../../ui/console/problem.tsx";
import { adminRequest, mayUse } from "../../../ui/console/session.ts";
import type { BeszelRows } from "./read-file.ts";

type Noted = ServerImportResult["systems"][number]["notes"];

function Notes({ notes }: { notes: Noted }): JSX.Element | null {
  if (notes.length === 0) return null;
  return (
    <ul class="import-notes">
      {notes.map((note) => (
        <li key={note}>{text(`admin.moving.note.${note}`)}</li>
      ))}
    </ul>
  );
}

function Systems({ systems }: Pick<ServerImportResult, "systems">): JSX.Element {
  return (
    <Table
      caption={text("admin.nav.servers")}
      rows={systems.map((system, index) => ({ system, index }))}
      keyOf={({ index }) => String(index)}
      columns={[
        {
          key: "system",
          label: text("admin.moving.system"),
          cell: ({ system: { name, address } }) => (
            <div class="stack-small">
              <strong class="break">{name === "" ? "–" : name}</strong>
              <span class="field-hint break">{address}</span>
            </div>
          ),
        },
        {
          key: "server",
          label: text("admin.checks.import.becomes"),
          cell: ({ system: { outcome, id, name } }) =>
            outcome === "left_out" ? (
              <span class="field-hint">{text("admin.moving.leftOut")}</span>
            ) : id === undefined ? (
              text("admin.moving.server")
            ) : (
              <a href={`/admin/servers/${id}`}>{name}</a>
            ),
        },
        {
          key: "notes",
          label: text("admin.checks.import.notes"),
          cell: ({ system: { notes, command } }) => (
            <>
              <Notes notes={notes} />
              {command !== undefined && <CopyBox label={text("admin.moving.command")} value={command} />}
            </>
          ),
        },
      ]}
    />
  );
}

function Rules({ alerts }: Pick<ServerImportResult, "alerts">): JSX.Element {
  return (
    <Table
      caption={text("admin.nav.rules")}
      rows={alerts}
      keyOf={({ name }) => name}
      columns={[
        { key: "rule", label: text("admin.moving.rule"), cell: ({ name }) => <strong>{name}</strong> },
        {
          key: "becomes",
          label: text("admin.checks.import.becomes"),
          cell: ({ outcome, servers }) => (
            <span class={outcome === "rule" ? "" : "field-hint"}>
              {outcome === "rule"
                ? text("admin.moving.covers", { count: servers })
                : text("admin.moving.leftOut")}
            </span>
          ),
        },
        {
          key: "notes",
          label: text("admin.checks.import.notes"),
          cell: ({ notes }) => <Notes notes={notes} />,
        },
      ]}
    />
  );
}

/** What a chosen database becomes. */
export function BeszelImport({ rows }: { rows: BeszelRows }): JSX.Element {
  const [result, setResult] = useState<ServerImportResult>();
  const task = useTask();
  const may = mayUse("servers:write") && mayUse("alerts:write");
  const send = (trial: boolean): void =>
    void task.run(async () => {
      const body: ServerImport = { format: "beszel", ...rows, trial };
      setResult(await adminRequest("/api/admin/servers/import", { method: "POST", body }));
    });
  useEffect(() => {
    if (may) send(true);
  }, []);
  if (!may) return <Note kind="warn">{text("admin.remedy.ask")}</Note>;
  if (result === undefined) return <TaskNote task={task} pointers={[]} onRetry={() => send(true)} />;
  const { trial, servers, rules, systems, alerts } = result;
  const isNothing = servers === 0 && rules === 0;
  return (
    <section class="stack" aria-label={text("admin.checks.import.entries")}>
      <Note kind="good" isLive>
        <strong>
          {trial && isNothing
            ? text("admin.moving.nothing")
            : text(trial ? "admin.moving.counts" : "admin.moving.done", { servers, rules })}
        </strong>
        <br />
        {text(trial ? "admin.moving.lost" : "admin.moving.next")}
      </Note>
      <TaskNote task={task} pointers={[]} />
      {trial && !isNothing && (
        <div>
          <Button kind="primary" disabled={task.busy} onClick={() => send(false)}>
            {text("admin.moving.add")}
          </Button>
        </div>
      )}
      <Systems systems={systems} />
      {alerts.length > 0 && <Rules alerts={alerts} />}
    </section>
  );
}
