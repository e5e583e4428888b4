/** All applications, and who may use each. */
import type { JSX } from "preact";
import type { GroupView } from "../../../auth/groups/schema.ts";
import { useState } from "preact/hooks";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { Badge, PageHead } from "../../ui/console/pieces.tsx";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { Empty } from "../../ui/empty.tsx";
import { AddApplication, type Made } from "./add-application.tsx";
import { APPLICATIONS, type ApplicationView, GROUPS, useEvery } from "./application-data.ts";
import { PresetBlock } from "../presets/preset-block.tsx";
import { RefusalsPanel } from "./refusals-panel.tsx";
import { SecretShown } from "./secret-shown.tsx";

function toColumns(groups: readonly GroupView[]): readonly TableColumn<ApplicationView>[] {
  const titles = new Map(groups.map(({ id, title }) => [id, title]));
  return [
    {
      key: "name",
      label: text("admin.field.name"),
      cell: ({ id, name, enabled }) => (
        <>
          <a class="row-name" href={`/admin/applications/${id}`}>
            {name}
          </a>
          {!enabled && <Badge kind="warn">{text("auth.applications.off")}</Badge>}
          <br />
          <code class="field-hint break">{id}</code>
        </>
      ),
    },
    {
      key: "who",
      label: text("auth.applications.who"),
      cell: ({ allowedGroups }) =>
        allowedGroups.length === 0
          ? text("auth.applications.everybody")
          : allowedGroups.map((id) => titles.get(id) ?? id).join(", "),
    },
    {
      key: "address",
      label: text("admin.field.address"),
      cell: ({ launchUrl, protectedOrigins: [origin = "–"] }) => (
        <span class="break">{launchUrl === "" ? origin : launchUrl}</span>
      ),
    },
  ];
}

/** The section without an application in its address. */
export function ApplicationsPage(): JSX.Element {
  const { items, busy, error, refresh } = useEvery<ApplicationView>(APPLICATIONS);
  const groups = useEvery<GroupView>(GROUPS);
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<Made | undefined>();
  const open = ({ id }: ApplicationView): void => navigate(`/admin/applications/${id}`);
  return (
    <>
      <PageHead title={text("auth.nav.applications")} hint={text("auth.applications.hint")}>
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
          {text("auth.applications.add")}
        </Button>
      </PageHead>
      {error && <ErrorNote message={toMessage(error)} onRetry={refresh} />}
      {items.length === 0 && busy && <p class="empty">{text("page.loading")}</p>}
      {items.length === 0 && !busy && !error && (
        <Empty
          icon="grid"
          title={text("auth.applications.none")}
          hint={text("auth.applications.none.text")}
        />
      )}
      {items.length > 0 && (
        <div class="named-table">
          <Table
            caption={text("auth.nav.applications")}
            columns={toColumns(groups.items)}
            rows={items}
            keyOf={({ id }) => id}
          />
        </div>
      )}
      <RefusalsPanel />
      {isAdding && (
        <AddApplication
          onMade={(next) => {
            setAdding(false);
            if (next.kind === "proxy") open(next.application);
            else setMade(next);
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {made && (
        <SecretShown made={made.application} onClose={() => open(made.application)}>
          {made.kind === "proxy" || made.kind === "code" ? undefined : (
            <PresetBlock
              preset={made.kind}
              program={{ ...made.answers, id: made.application.id, secret: made.application.secret }}
            />
          )}
        </SecretShown>
      )}
    </>
  );
}
