/** Who changed what, when. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { AuditEntryView } from "../../../monitor/fleet/view-schema.ts";
import { text } from "../../app/texts.ts";
import { Button, Select } from "../../ui/controls.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Moment, PageHead } from "../../ui/console/pieces.tsx";
import { type Items, usePages } from "../../ui/console/paged.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { usePolled } from "../../ui/console/polled.ts";
import { toFieldName, toValueText } from "../value-text.ts";
import { parseAuditChange } from "./audit-change.ts";

/** Beginnings of actions, as the filter names them. */
const areas = [
  "",
  "server.",
  "enrolment.",
  "settings.",
  "alert-rule.",
  "incident.",
  "channel.",
  "maintenance.",
  "notice.",
  "access-token.",
  "backup.",
  "session.",
] as const;
type Area = (typeof areas)[number];

const TYPING_MS = 400;

/** One field: its values where the entry has them. */
function Change({ change }: { change: string }): JSX.Element {
  const { name, values } = parseAuditChange(change);
  const label = toFieldName(name);
  if (values === undefined) return <li>{label}</li>;
  return (
    <li>
      <span class="quiet-text">{label}:</span>{" "}
      {"before" in values && (
        <>
          <del>{toValueText(name, values.before)}</del> <span aria-hidden="true">→</span>{" "}
        </>
      )}
      <ins>{toValueText(name, values.after)}</ins>
    </li>
  );
}

type Names = ReadonlyMap<string, string>;

/** The pages on which targets of such actions can be seen. */
const places = [
  { area: "server.", path: (id: string): string => `/admin/servers/${id}` },
  { area: "alert-rule.", path: (): string => "/admin/rules" },
  { area: "channel.", path: (): string => "/admin/channels" },
  { area: "maintenance.", path: (): string => "/admin/maintenance" },
];

/** The target by its name; what is gone has the name of its own entry. */
function Target({ entry, names }: { entry: AuditEntryView; names: Names }): JSX.Element {
  const { action, target, changes } = entry;
  const name = names.get(target);
  if (name === undefined) {
    const own = changes.map(parseAuditChange).find((change) => change.name === "name")?.values?.after;
    return <span title={target}>{typeof own === "string" ? own : target}</span>;
  }
  const place = places.find(({ area }) => action.startsWith(area));
  if (place === undefined) return <span title={target}>{name}</span>;
  return (
    <a href={place.path(target)} title={target}>
      {name}
    </a>
  );
}

const toColumns = (names: Names): readonly TableColumn<AuditEntryView>[] => [
  { key: "at", label: text("admin.column.when"), cell: ({ at }) => <Moment at={at} /> },
  { key: "actor", label: text("admin.audit.actor"), cell: ({ actor }) => actor },
  { key: "action", label: text("admin.audit.action"), cell: ({ action }) => <code>{action}</code> },
  {
    key: "target",
    label: text("admin.audit.target"),
    cell: (entry) => <Target entry={entry} names={names} />,
  },
  {
    key: "changes",
    label: text("admin.audit.changes"),
    cell: ({ changes }) =>
      changes.length > 0 && (
        <ul class="plain-list">
          {changes.map((change) => (
            <Change change={change} key={change} />
          ))}
        </ul>
      ),
  },
  {
    key: "request",
    label: text("admin.audit.request"),
    cell: ({ requestId }) => <code title={requestId}>{requestId.slice(0, 8)}…</code>,
  },
];

type NamedList = Items<{ readonly id: string; readonly name: string }>;

/** Names of all that entries speak of by id. */
function useNames(): Names {
  const lists = [
    usePolled<NamedList>("/api/admin/servers", 0).data,
    usePolled<NamedList>("/api/admin/alert-rules", 0).data,
    usePolled<NamedList>("/api/admin/channels", 0).data,
    usePolled<NamedList>("/api/admin/maintenances", 0).data,
  ];
  return useMemo(
    () => new Map(lists.flatMap((list) => (list?.items ?? []).map(({ id, name }) => [id, name]))),
    lists,
  );
}

/** The value as it is once nobody types any more. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

function toAddress(area: Area, target: string): string {
  const query = new URLSearchParams({ limit: "50" });
  if (area !== "") query.set("action", area);
  if (target.trim() !== "") query.set("target", target.trim());
  return `/api/admin/audit?${query.toString()}`;
}

/** The page. */
export function AuditPage(): JSX.Element {
  const [area, setArea] = useState<Area>("");
  const [target, setTarget] = useState("");
  const names = useNames();
  const pages = usePages<AuditEntryView>(toAddress(area, useSettled(target)));
  return (
    <>
      <PageHead title={text("admin.nav.audit")} hint={text("admin.audit.hint")} />
      <div class="admin-filters">
        <Select<Area>
          label={text("admin.audit.area")}
          value={area}
          choices={areas.map((value) => ({
            value,
            label: value === "" ? text("admin.audit.all") : `${value}*`,
          }))}
          onChange={setArea}
        />
        <span class="search">
          <Icon name="search" />
          <input
            type="search"
            aria-label={text("admin.audit.filter")}
            placeholder={text("admin.audit.filter")}
            value={target}
            onInput={(event) => setTarget(event.currentTarget.value)}
          />
        </span>
      </div>
      {pages.error && <ErrorNote message={toMessage(pages.error)} onRetry={pages.more} />}
      {pages.items.length > 0 && (
        <div class="audit-table">
          <Table
            caption={text("admin.nav.audit")}
            columns={toColumns(names)}
            rows={pages.items}
            keyOf={({ id }) => id}
          />
        </div>
      )}
      {pages.items.length === 0 && !pages.error && (
        <p class="empty">{text(pages.busy ? "page.loading" : "admin.audit.none")}</p>
      )}
      {pages.hasMore && (
        <Button disabled={pages.busy} onClick={pages.more}>
          {text("admin.older")}
        </Button>
      )}
    </>
  );
}
