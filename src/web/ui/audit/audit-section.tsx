/** The audit of a console: what administrators did, with filters, and whether the chain of entries is unbroken. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AuditEntryView, AuditVerdict } from "../../../records/audit-view.ts";
import { toNumber } from "../../app/format.ts";
import { type TextName, text } from "../../app/texts.ts";
import { Button, Select } from "../controls.tsx";
import { type TableColumn, Table } from "../controls-table.tsx";
import { Icon } from "../icons.tsx";
import { CursorList, useCursorPage } from "../console/cursor-page.tsx";
import { Moment, PageHead } from "../console/pieces.tsx";
import { ErrorNote, useTask } from "../console/problem.tsx";
import { useQuery } from "../console/query.ts";
import { adminRequest } from "../console/session.ts";

const AUDIT = "/api/admin/audit";

/** What a service has of its own. */
export interface AuditWords {
  readonly title: TextName;
  /** Beginnings of actions, as the filter names them. */
  readonly areas: readonly string[];
  /** The page on which the target of an action can be seen; undefined without one. */
  readonly toPlace: (entry: AuditEntryView) => string | undefined;
}

function Target({ entry, toPlace }: { entry: AuditEntryView } & Pick<AuditWords, "toPlace">): JSX.Element {
  const place = toPlace(entry);
  return place === undefined ? <span class="break">{entry.target}</span> : <a href={place}>{entry.target}</a>;
}

const toColumns = ({ toPlace }: AuditWords): readonly TableColumn<AuditEntryView>[] => [
  { key: "at", label: text("admin.column.when"), cell: ({ at }) => <Moment at={at} /> },
  { key: "actor", label: text("admin.audit.actor"), cell: ({ actor }) => <span class="break">{actor}</span> },
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
    cell: (entry) => <Target entry={entry} toPlace={toPlace} />,
  },
  {
    key: "changes",
    label: text("admin.audit.changes"),
    cell: ({ changes }) =>
      changes.length > 0 && (
        <ul class="plain-list break">
          {changes.map((change) => (
            <li key={change}>{change}</li>
          ))}
        </ul>
      ),
  },
];

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
          <p class={`admin-note ${verdict.valid ? "is-good" : "is-bad"}`}>
            <Icon name={verdict.valid ? "check" : "alert"} />
            <span>
              {verdict.valid
                ? text("admin.audit.valid", { count: toNumber(verdict.entries) })
                : text("admin.audit.broken", { at: verdict.brokenAt ?? "" })}
            </span>
          </p>
        )}
      </div>
    </>
  );
}

/** A filter that is taken over with Enter or on leaving it. */
function TypedFilter({ name, label }: { name: string; label: string }): JSX.Element {
  const query = useQuery();
  return (
    <span class="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={query.get(name)}
        onChange={(event) => query.set({ [name]: event.currentTarget.value.trim(), cursor: "" })}
      />
    </span>
  );
}

/** The section. */
export function AuditSection({ words }: { words: AuditWords }): JSX.Element {
  const query = useQuery();
  const filters = { action: query.get("action"), actor: query.get("actor"), target: query.get("target") };
  const page = useCursorPage<AuditEntryView>(AUDIT, filters);
  return (
    <>
      <PageHead title={text(words.title)} hint={text("admin.audit.chained")}>
        <Verification />
      </PageHead>
      <div class="admin-filters">
        <Select<string>
          label={text("admin.audit.area")}
          value={filters.action}
          choices={[
            { value: "", label: text("admin.audit.all") },
            ...words.areas.map((value) => ({ value, label: `${value}*` })),
          ]}
          onChange={(action) => query.set({ action, cursor: "" })}
        />
        <TypedFilter name="actor" label={text("admin.audit.actorFilter")} />
        <TypedFilter name="target" label={text("admin.audit.targetFilter")} />
      </div>
      <CursorList page={page} empty={text("admin.audit.none")}>
        <div class="audit-table">
          <Table
            caption={text(words.title)}
            columns={toColumns(words)}
            rows={page.items}
            keyOf={({ id }) => id}
          />
        </div>
      </CursorList>
    </>
  );
}
