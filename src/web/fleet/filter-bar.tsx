/** Groups as tabs, tags in a menu, how many servers are left, and the order. */
import type { JSX } from "preact";
import { countText, text } from "../app/texts.ts";
import { Button, Select } from "../ui/controls.tsx";
import { Icon } from "../ui/icons.tsx";
import {
  type Criteria,
  isFiltered,
  sortKeys,
  startsDescending,
  toDirection,
  withoutFilter,
} from "./criteria.ts";
import type { Counted, Facets } from "./facets.ts";
import { changeCriteria, choose, toggleTag } from "./present-criteria.ts";
import { TagMenu } from "./tag-menu.tsx";

function OrderChoice({ criteria }: { criteria: Criteria }): JSX.Element {
  const { sort, descending } = criteria;
  const direction = text(toDirection(sort, descending));
  return (
    <span class="order">
      <Select
        label={text("fleet.sort")}
        value={sort}
        choices={sortKeys.map((key) => ({ value: key, label: text(`metric.${key}`) }))}
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

/** The bar. */
export function FilterBar({ criteria, facets }: { criteria: Criteria; facets: Facets }): JSX.Element {
  return (
    <div class="filters">
      <GroupTabs facets={facets} chosen={criteria.group} />
      <div class="filters-end">
        {criteria.tags.map((tag) => (
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
        <TagMenu tags={facets.tags} chosen={criteria.tags} />
        {isFiltered(criteria) && (
          <Button kind="quiet" onClick={() => changeCriteria(withoutFilter)}>
            {text("fleet.clear")}
          </Button>
        )}
        <span class="quiet-text filters-found" role="status">
          {countText("fleet.servers", facets.found.length)}
        </span>
        <OrderChoice criteria={criteria} />
      </div>
    </div>
  );
}
