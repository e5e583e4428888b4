/** The audit log. */
import type { ComponentChildren, JSX } from "preact";
import { useMemo } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { toAuditList } from "../../ui/audit/audit-list.tsx";
import type { Items } from "../../ui/console/paged.ts";
import { usePolled } from "../../ui/console/polled.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { toFieldName, toValueText } from "../value-text.ts";
import { parseAuditChange } from "./audit-change.ts";

/** One field: its values where the entry has them. */
function toChange(change: string): ComponentChildren {
  const { name, values } = parseAuditChange(change);
  const label = toFieldName(name);
  if (values === undefined) return label;
  return (
    <>
      <span class="quiet-text">{label}:</span>{" "}
      {"before" in values && (
        <>
          <del>{toValueText(name, values.before)}</del> <span aria-hidden="true">→</span>{" "}
        </>
      )}
      <ins>{toValueText(name, values.after)}</ins>
    </>
  );
}

/** The pages on which targets of such actions can be seen. */
const places = [
  { area: "server.", path: (id: string): string => `/admin/servers/${id}` },
  { area: "alert-rule.", path: (): string => "/admin/rules" },
  { area: "channel.", path: (): string => "/admin/channels" },
  { area: "maintenance.", path: (): string => "/admin/maintenance" },
];

type NamedList = Items<{ readonly id: string; readonly name: string }>;

/** Names of all that entries speak of by id. */
function useNames(): ReadonlyMap<string, string> {
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

export const audit = toAuditList({
  navigation: "admin.nav.audit",
  areas: [
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
  ],
  withoutActors: true,
  useTarget: () => {
    const names = useNames();
    return ({ action, target, changes }) => {
      const name = names.get(target);
      const place = places.find(({ area }) => action.startsWith(area));
      if (name !== undefined) return { name, href: place?.path(target) };
      // A deleted record has the name of its own entry.
      const own = changes.map(parseAuditChange).find((change) => change.name === "name")?.values?.after;
      return { name: typeof own === "string" ? own : target, href: undefined };
    };
  },
  toChange,
  columns: () => [
    {
      key: "request",
      label: text("admin.audit.request"),
      cell: ({ requestId }) => <code title={requestId}>{requestId.slice(0, 8)}…</code>,
    },
  ],
});

/** The page. */
export function AuditPage(): JSX.Element {
  return <ResourceList of={audit} />;
}
