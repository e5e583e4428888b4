/** The audit of a console: what administrators did, with filters, and whether the chain of entries is unbroken. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { AuditEntryView, AuditVerdict } from "../../../records/audit-view.ts";
import { toNumber } from "../../app/format.ts";
import { type TextName, text } from "../../app/texts.ts";
import { Button } from "../controls.tsx";
import type { TableColumn } from "../controls-table.tsx";
import { Note } from "../console/note.tsx";
import { Moment } from "../console/pieces.tsx";
import { ErrorNote, useTask } from "../console/problem.tsx";
import { adminRequest } from "../console/session.ts";
import type { Listing } from "../resource/resource.ts";

const AUDIT = "/api/admin/audit";

/** Members of an entry that all services have. */
export type AuditEntry = Omit<AuditEntryView, "clientId">;

/** Settings of a service's audit log. */
export interface AuditWords {
  readonly navigation: TextName;
  /** Beginnings of actions, as the filter names them. */
  readonly areas: readonly string[];
  /** The service does not filter by who did it. */
  readonly withoutActors?: true;
  /** Called when the list is drawn: how the target of an action is named, and the page on which it can be seen. */
  readonly useTarget: () => (entry: AuditEntry) => {
    readonly name: string;
    readonly href: string | undefined;
  };
  /** Draws a change; the entry's text by default. */
  readonly toChange?: (change: string) => ComponentChildren;
  readonly columns?: () => readonly TableColumn<AuditEntry>[];
}

function useColumns({ useTarget, toChange, columns }: AuditWords): readonly TableColumn<AuditEntry>[] {
  const toTarget = useTarget();
  return [
    { key: "at", label: text("admin.column.when"), cell: ({ at }) => <Moment at={at} /> },
    {
      key: "actor",
      label: text("admin.audit.actor"),
      cell: ({ actor }) => <span class="break">{actor}</span>,
    },
    {
      key: "action",
      label: text("admin.audit.action"),
      cell: ({ action, result }) => (
        <>
          <code>{action}</code>
          {result !== "ok" && <span class="badge is-bad">{result}</span>}
        </>
      ),
    },
    {
      key: "target",
      label: text("admin.audit.target"),
      cell: (entry) => {
        const { name, href } = toTarget(entry);
        const title = name === entry.target ? undefined : entry.target;
        return href === undefined ? (
          <span class="break" title={title}>
            {name}
          </span>
        ) : (
          <a href={href} title={title}>
            {name}
          </a>
        );
      },
    },
    {
      key: "changes",
      label: text("admin.audit.changes"),
      cell: ({ changes }) =>
        changes.length > 0 && (
          <ul class="plain-list break">
            {changes.map((change) => (
              <li key={change}>{toChange?.(change) ?? change}</li>
            ))}
          </ul>
        ),
    },
    ...(columns?.() ?? []),
  ];
}

/** The chain's verdict, when it was asked for. */
function Verification(): JSX.Element {
  const [verdict, setVerdict] = useState<AuditVerdict | undefined>();
  const task = useTask();
  const verify = async (): Promise<void> => setVerdict(await adminRequest<AuditVerdict>(`${AUDIT}/verify`));
  return (
    <>
      <Button disabled={task.busy} onClick={() => void task.run(verify)}>
        {text(task.busy ? "admin.audit.verifying" : "admin.audit.verify")}
      </Button>
      <div role="status" class="verdict">
        {task.message !== undefined && <ErrorNote message={task.message} />}
        {verdict && (
          <Note kind={verdict.valid ? "good" : "bad"}>
            {verdict.valid
              ? text("admin.audit.valid", { count: toNumber(verdict.entries) })
              : text("admin.audit.broken", { at: verdict.brokenAt ?? "" })}
          </Note>
        )}
      </div>
    </>
  );
}

/** The list of a service. */
export function toAuditList(words: AuditWords): Listing<AuditEntry> {
  const { navigation, areas, withoutActors } = words;
  const actor = { name: "actor", label: "admin.audit.actorFilter", as: "text" } as const;
  return {
    api: AUDIT,
    navigation,
    texts: "admin.audit",
    write: "administrator",
    idOf: ({ id }) => id,
    nameOf: ({ action }) => action,
    ListActions: Verification,
    table: {
      class: "audit-table",
      filters: [
        {
          name: "action",
          label: "admin.audit.area",
          any: "admin.audit.all",
          useChoices: () => areas.map((value) => ({ value, label: `${value}*` })),
        },
        ...(withoutActors ? [] : [actor]),
        { name: "target", label: "admin.audit.targetFilter", as: "text" },
      ],
      columns: () => useColumns(words),
    },
  };
}
