/** What is shown, groups as tabs, tags in a menu, how much is left, and the order; on a phone behind one button. */
import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import { countText, text } from "../app/texts.ts";
import { Button, Segments, Select } from "../ui/controls.tsx";
import { Icon } from "../ui/icons.tsx";
import {
  type Criteria,
  type Show,
  isFiltered,
  shows,
  listSortKeys,
  startsDescending,
  toDirection,
  withoutFilter,
} from "./criteria.ts";
import type { Counted, Facets } from "./facets.ts";
import { changeCriteria, choose, toggleTag } from "./present-criteria.ts";
import { TagMenu } from "./tag-menu.tsx";

function OrderChoice({ criteria, counts }: { criteria: Criteria; counts: Counts }): JSX.Element {
  const { sort, descending } = criteria;
  const direction = text(toDirection(sort, descending));
  const keys = listSortKeys({ servers: counts.servers > 0, checks: counts.checks > 0 });
  return (
    <span class="order">
      <Select
        label={text("fleet.sort")}
        value={sort}
        choices={keys.map((key) => ({ value: key, label: text(`metric.${key}`) }))}
        onChange={(key) => changeCriteria({ sort: key, descending: startsDescending(key) })}
      />
      {sort !== "order" && (
        <button
          type="button"
          class="button quiet"
          aria-label={text("fleet.turn", { direction })}
          title={text("fleet.turn", { direction })}
          onClick={() => changeCriteria({ descending: !descending })}
        >
          <Icon name={descending ? "arrowDown" : "arrowUp"} />
          {direction}
        </button>
      )}
    </span>
  );
}

/** One tab for each group, and one for all of them. */
function GroupTabs({ facets, chosen }: { facets: Facets; chosen: string | undefined }): JSX.Element | null {
  const { groups, allGroups } = facets;
  if (groups.length === 0) return null;
  const tab = ({ name, count }: Counted, group: string | undefined): JSX.Element => (
    <button
      type="button"
      class="tab"
      key={group ?? ""}
      aria-pressed={chosen === group}
      onClick={() => choose("group", group)}
    >
      {name}
      <span class="tab-count">{count}</span>
    </button>
  );
  return (
    <div class="tabs" role="group" aria-label={text("fleet.groups")}>
      {tab({ name: text("fleet.allGroups"), count: allGroups }, undefined)}
      {groups.map((group) => tab(group, group.name))}
    </div>
  );
}

function ShowChoice({ show, counts }: { show: Show; counts: Counts }): JSX.Element | null {
  // What there is none of is no choice, unless it was chosen.
  if (show === "all" && (counts.servers === 0 || counts.checks === 0)) return null;
  return (
    <Segments
      label={text("home.show")}
      value={show}
      choices={shows.map((value) => ({ value, label: text(`home.show.${value}`) }))}
      onChange={(chosen) => changeCriteria({ show: chosen })}
    />
  );
}
type Counts = Readonly<Record<Show, number>>;

function ActiveTags({ tags }: { tags: readonly string[] }): JSX.Element {
  return (
    <>
      {tags.map((tag) => (
        <button
          type="button"
          class="chip"
          key={tag}
          aria-label={text("fleet.withoutTag", { tag })}
          title={text("fleet.withoutTag", { tag })}
          onClick={() => toggleTag(tag)}
        >
          #{tag}
          <Icon name="close" />
        </button>
      ))}
    </>
  );
}

/** The bar. */
export function FilterBar(props: { criteria: Criteria; facets: Facets; counts: Counts }): JSX.Element {
  const { criteria, facets, counts } = props;
  const [open, setOpen] = useState(false);
  const panelId = useId();
  const { group, tags, show } = criteria;
  const chosen = tags.length + Number(group !== undefined) + Number(show !== "all");
  const count = facets.found.length;
  return (
    <div class={`filters${open ? " is-open" : ""}`}>
      <button
        type="button"
        class="button filters-toggle"
        aria-expanded={open}
        aria-controls={panelId}
        onClick={() => setOpen(!open)}
      >
        <Icon name="gear" />
        {text("home.filters")}
        {chosen > 0 && <span class="count-badge">{chosen}</span>}
      </button>
      <div class="filters-panel" id={panelId}>
        <ShowChoice show={show} counts={counts} />
        <GroupTabs facets={facets} chosen={group} />
        <div class="filters-end">
          <ActiveTags tags={tags} />
          <TagMenu tags={facets.tags} chosen={tags} />
          {isFiltered(criteria) && (
            <Button kind="quiet" onClick={() => changeCriteria(withoutFilter)}>
              {text("fleet.clear")}
            </Button>
          )}
          <span class="quiet-text filters-found" role="status">
            {countText(counts.checks === 0 ? "fleet.servers" : "home.items", count)}
          </span>
          <OrderChoice criteria={criteria} counts={counts} />
        </div>
      </div>
    </div>
  );
}
