/** Planned maintenance: windows in which nobody is notified. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { MaintenanceView } from "../../../monitor/maintenance/schema.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import { toScopeText } from "../alerts/rule-data.ts";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { Badge, Moment, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { useCheckNames } from "../check-names.ts";
import { type ServerList, SERVERS } from "../server-data.ts";
import { MaintenanceEditor } from "./maintenance-editor.tsx";
import { MAINTENANCES, toScheduleText } from "./maintenance-words.ts";

const POLL_MS = 30_000;

function MaintenanceCard(props: {
  view: MaintenanceView;
  onEdit: () => void;
  onDelete: () => void;
}): JSX.Element {
  const { view, onEdit, onDelete } = props;
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
        <Button small icon="edit" onClick={onEdit}>
          {text("admin.edit")}
        </Button>
        <Button small icon="trash" kind="danger" onClick={onDelete}>
          {text("admin.delete")}
        </Button>
      </div>
      <p class="field-hint">
        {toScheduleText(view.schedule)} · {toScopeText(view, "both")}
      </p>
    </li>
  );
}

type Opened = { readonly kind: "add" } | { readonly kind: "edit" | "delete"; readonly view: MaintenanceView };

/** The page. */
export function MaintenancePage(): JSX.Element {
  const { data, error, refresh } = usePolled<{ readonly items: readonly MaintenanceView[] }>(
    MAINTENANCES,
    POLL_MS,
  );
  const servers = usePolled<ServerList>(SERVERS, 0).data?.items ?? [];
  const [opened, setOpened] = useState<Opened | undefined>();
  const close = (): void => setOpened(undefined);
  const editor = { servers, checks: useCheckNames(), onDone: refresh, onClose: close };
  return (
    <>
      <PageHead title={text("admin.nav.maintenance")} hint={text("admin.maintenance.hint")}>
        <Button kind="primary" icon="plus" onClick={() => setOpened({ kind: "add" })}>
          {text("admin.maintenance.add")}
        </Button>
      </PageHead>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {!data && !error && <p class="empty">{text("page.loading")}</p>}
      {data?.items.length === 0 && (
        <div class="empty">
          <Icon name="wrench" />
          <h2>{text("admin.maintenance.none")}</h2>
        </div>
      )}
      <ul class="plain-list stack">
        {data?.items.map((view) => (
          <MaintenanceCard
            view={view}
            key={view.id}
            onEdit={() => setOpened({ kind: "edit", view })}
            onDelete={() => setOpened({ kind: "delete", view })}
          />
        ))}
      </ul>
      {opened?.kind === "add" && <MaintenanceEditor {...editor} before={undefined} />}
      {opened?.kind === "edit" && <MaintenanceEditor {...editor} before={opened.view} />}
      {opened?.kind === "delete" && (
        <DeleteDialog
          title={text("admin.maintenance.delete")}
          path={`${MAINTENANCES}/${opened.view.id}`}
          name={opened.view.name}
          onDone={refresh}
          onClose={close}
        >
          {text("admin.maintenance.delete.text", { name: opened.view.name })}
        </DeleteDialog>
      )}
    </>
  );
}
