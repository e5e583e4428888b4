/** Groups and tags to filter by, how many servers are left, and the order. */
import type { JSX } from "preact";
import { countText, text } from "../app/texts.ts";
import { Button, Chip, IconButton, Select } from "../ui/controls.tsx";
import { type Criteria, isFiltered, sortKeys, startsDescending, withoutFilter } from "./criteria.ts";
import type { Counted } from "./summary.ts";
import { changeCriteria, toggleCriterion } from "./present-criteria.ts";

/** More would be a wall; the search finds the others. */
const MAX_TAGS = 24;

function OrderChoice({ criteria }: { criteria: Criteria }): JSX.Element {
  const { sort, descending } = criteria;
  return (
    <span class="order">
      <Select
        label={text("fleet.sort")}
        value={sort}
        choices={sortKeys.map((key) => ({ value: key, label: text(`metric.${key}`) }))}
        onChange={(key) => changeCriteria({ sort: key, descending: startsDescending(key) })}
      />
      {sort !== "order" && (
        <IconButton
          icon={descending ? "down" : "up"}
          label={text(descending ? "fleet.descending" : "fleet.ascending")}
          onClick={() => changeCriteria({ descending: !descending })}
        />
      )}
    </span>
  );
}

function Choices(props: {
  kind: "group" | "tag";
  label: string;
  counted: readonly Counted[];
  chosen: string | undefined;
}): JSX.Element | null {
  const { kind, label, counted, chosen } = props;
  if (counted.length === 0) return null;
  return (
    <div class="filter-chips" role="group" aria-label={label}>
      {counted.map(({ name, count }) => (
        <Chip key={name} pressed={chosen === name} count={count} onClick={() => toggleCriterion(kind, name)}>
          {kind === "tag" ? `#${name}` : name}
        </Chip>
      ))}
    </div>
  );
}

/** The bar. */
export function FilterBar(props: {
  criteria: Criteria;
  groups: readonly Counted[];
  tags: readonly Counted[];
  found: number;
}): JSX.Element {
  const { criteria, groups, tags, found } = props;
  const chosenTag = tags.filter(({ name }) => name === criteria.tag);
  const shownTags = [...new Set([...chosenTag, ...tags])].slice(0, MAX_TAGS);
  return (
    <div class="filters">
      <div class="filter-sets">
        <Choices kind="group" label={text("fleet.groups")} counted={groups} chosen={criteria.group} />
        <Choices kind="tag" label={text("fleet.tags")} counted={shownTags} chosen={criteria.tag} />
      </div>
      <div class="filters-end">
        <span class="quiet-text" role="status">
          {countText("fleet.servers", found)}
        </span>
        {isFiltered(criteria) && (
          <Button small icon="close" onClick={() => changeCriteria(withoutFilter)}>
            {text("fleet.clear")}
          </Button>
        )}
        <OrderChoice criteria={criteria} />
      </div>
    </div>
  );
}
