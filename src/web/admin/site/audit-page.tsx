/** Who changed what, when. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AuditEntryView } from "../../../monitor/fleet/view-schema.ts";
import { text } from "../../app/texts.ts";
import { Button, Select } from "../../ui/controls.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Moment, PageHead } from "../pieces.tsx";
import { usePages } from "../paged.ts";
import { ErrorNote, toMessage } from "../problem.tsx";
import { toFieldName } from "../value-text.ts";

/** Beginnings of actions, as the filter names them. */
const areas = [
  "",
  "server.",
  "enrolment.",
  "settings.",
  "alert-rule.",
  "incident.",
  "channel.",
  "notice.",
  "session.",
] as const;
type Area = (typeof areas)[number];

const TYPING_MS = 400;

const columns: () => readonly TableColumn<AuditEntryView>[] = () => [
  { key: "at", label: text("admin.audit.at"), cell: ({ at }) => <Moment at={at} /> },
  { key: "actor", label: text("admin.audit.actor"), cell: ({ actor }) => actor },
  { key: "action", label: text("admin.audit.action"), cell: ({ action }) => <code>{action}</code> },
  {
    key: "target",
    label: text("admin.audit.target"),
    cell: ({ target, action }) =>
      action.startsWith("server.") && action !== "server.delete" && target !== "servers" ? (
        <a href={`/admin/servers/${target}`}>{target}</a>
      ) : (
        target
      ),
  },
  {
    key: "changes",
    label: text("admin.audit.changes"),
    cell: ({ changes }) => (changes.length === 0 ? "–" : changes.map(toFieldName).join(", ")),
  },
  { key: "request", label: text("admin.audit.request"), cell: ({ requestId }) => <code>{requestId}</code> },
];

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
            columns={columns()}
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
