/** All checks: which are down, finding some, changing many. */
import type { JSX } from "preact";
import { checkKinds } from "../../../monitor/checks/schema.ts";
import type { CheckView } from "../../../monitor/checks/view-schema.ts";
import { text } from "../../app/texts.ts";
import { usePolled } from "../../ui/console/polled.ts";
import { useQuery } from "../../ui/console/query.ts";
import { mayUse } from "../../ui/console/session.ts";
import { Icon } from "../../ui/icons.tsx";
import { FilterChips } from "../../ui/resource/filter-chips.tsx";
import { usePolledList } from "../../ui/resource/polled-list.tsx";
import type { ListPart, ListTools, Listing } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { SectionHead } from "../../ui/resource/section-head.tsx";
import { kindText, listedStates } from "../pieces/check-words.ts";
import { CheckBulkBar, DeleteChecksDialog } from "./check-bulk.tsx";
import { useCheckColumns } from "./check-columns.tsx";
import { type CheckNames, CHECKS } from "./check-data.ts";
import { NO_GROUP, toCheckSections } from "./check-sections.ts";

const POLL_MS = 10_000;

/** The empty list: one of each sort to begin with. */
function NoChecks({ tools: { mayWrite } }: { tools: ListTools<CheckView> }): JSX.Element {
  return (
    <div class="check-welcome">
      {(["http", "heartbeat"] as const).map((kind) => (
        <section class="admin-panel stack-small" key={kind}>
          <Icon name={kind === "http" ? "globe" : "pulse"} />
          <h2>{text(`admin.checks.first.${kind}`)}</h2>
          <p>{text(`admin.checks.first.${kind}.text`)}</p>
          {mayWrite && (
            <div class="button-row">
              <a class={`button${kind === "http" ? " primary" : ""}`} href={`/admin/checks/new?kind=${kind}`}>
                <Icon name="plus" />
                {text(`admin.checks.first.${kind}.add`)}
              </a>
            </div>
          )}
        </section>
      ))}
    </div>
  );
}

function ListLinks({ tools: { mayWrite } }: ListPart<CheckView>): JSX.Element | null {
  if (!mayWrite) return null;
  return (
    <>
      <a class="button" href="/admin/checks/import">
        {text("admin.checks.import")}
      </a>
      <a class="button primary" href="/admin/checks/new">
        <Icon name="plus" />
        {text("admin.check.add")}
      </a>
    </>
  );
}

function useNames(): CheckNames {
  return usePolled<CheckNames>(`${CHECKS}/names`, 6 * POLL_MS).data ?? { groups: [], tags: [] };
}

const toChoices = (names: readonly string[]): readonly { value: string; label: string }[] =>
  names.map((value) => ({ value, label: value }));

export const checks: Listing<CheckView> = {
  api: CHECKS,
  navigation: "admin.nav.checks",
  texts: "admin.checks",
  write: "checks:write",
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  ListActions: ListLinks,
  Item: ({ view, tools, onClose }) => (
    <DeleteChecksDialog checks={[view]} onDone={tools.refresh} onClose={onClose} />
  ),
  table: {
    paging: "more",
    usePaging: usePolledList,
    pollMs: POLL_MS,
    search: "admin.checks.find",
    filters: [
      {
        name: "state",
        Draw: FilterChips,
        label: "admin.column.state",
        values: listedStates,
        words: "check.state",
        any: "admin.kind.all",
      },
      {
        name: "group",
        label: "admin.field.group",
        any: "admin.checks.any.group",
        none: NO_GROUP,
        useChoices: () => {
          const { groups } = useNames();
          return groups.length === 0
            ? []
            : [...toChoices(groups), { value: NO_GROUP, label: text("fleet.noGroup") }];
        },
      },
      {
        name: "tag",
        label: "admin.field.tags",
        any: "admin.checks.any.tag",
        useChoices: () => toChoices(useNames().tags),
      },
      {
        name: "kind",
        label: "admin.check.kind",
        any: "admin.checks.any.kind",
        useChoices: () => checkKinds.map((value) => ({ value, label: kindText(value) })),
      },
    ],
    Nothing: NoChecks,
    class: "check-table",
    rowClass: ({ standing }) => `is-${standing.state}`,
    columns: useCheckColumns,
    sections: {
      of: (items) => toCheckSections(items, { showsState: useQuery().get("state") !== "" }),
      Head: SectionHead,
    },
    Bulk: CheckBulkBar,
    bulkMax: Number.MAX_SAFE_INTEGER,
    mayTick: () => mayUse("checks:write"),
    tickName: ({ name }) => text("admin.tick", { name }),
  },
};

/** The page. */
export function ChecksPage(): JSX.Element {
  return <ResourceList of={checks} path={`${CHECKS}?sort=attention`} />;
}
