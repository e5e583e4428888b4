/** Planned maintenance: windows without notifications. */
import type { JSX } from "preact";
import { type MaintenanceView, maintenanceFieldsSchema } from "../../../monitor/maintenance/schema.ts";
import { text } from "../../app/texts.ts";
import { Badge, Moment } from "../../ui/console/pieces.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ItemDialog } from "../../ui/resource/item-dialog.tsx";
import type { ListTools, Resource } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { type ScopeContext, scopeKind, toScopeText, useScopeContext } from "../alerts/scope-kind.tsx";
import { toScheduleText } from "./maintenance-words.ts";
import { scheduleKind } from "./schedule-kind.tsx";
import { CardButtons } from "../../ui/resource/card-buttons.tsx";

function MaintenanceCard(props: { view: MaintenanceView; tools: ListTools<MaintenanceView> }): JSX.Element {
  const { view, tools } = props;
  return (
    <li class="admin-panel stack-small" aria-label={view.name}>
      <div class="admin-head rule-head">
        <h2>{view.name}</h2>
        {view.activeUntil !== undefined && (
          <Badge kind="warn" icon="wrench">
            {text("admin.maintenance.active")} <Moment at={view.activeUntil} />
          </Badge>
        )}
        <span class="spacer" />
        <CardButtons view={view} tools={tools} />
      </div>
      <p class="field-hint">
        {toScheduleText(view.schedule)} · {toScopeText(view, "both")}
        {view.activeUntil === undefined && view.nextFrom !== undefined && view.schedule.type !== "once" && (
          <>
            {" "}
            · {text("admin.maintenance.next")} <Moment at={view.nextFrom} />
          </>
        )}
      </p>
    </li>
  );
}

export const maintenances: Resource<MaintenanceView, typeof maintenanceFieldsSchema, ScopeContext> = {
  api: "/api/admin/maintenances",
  home: "/admin/maintenance",
  navigation: "admin.nav.maintenance",
  texts: "admin.maintenance",
  words: "admin.maintenance",
  write: "alerts:write",
  schema: maintenanceFieldsSchema,
  fields: {
    name: { label: "admin.field.name", missing: "admin.fault.name" },
    schedule: { kind: scheduleKind },
    scope: { kind: scopeKind(() => "both") },
  },
  panels: [{ fields: ["name", "schedule", "scope"] }],
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  useContext: useScopeContext,
  dialog: { Editor: ItemDialog },
  table: {
    paging: "whole",
    pollMs: 30_000,
    Card: MaintenanceCard,
    Nothing: () => <Empty icon="wrench" title={text("admin.maintenance.none")} />,
  },
};

/** The page. */
export function MaintenancePage(): JSX.Element {
  return <ResourceList of={maintenances} />;
}
