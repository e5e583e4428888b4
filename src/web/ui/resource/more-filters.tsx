/** Filters of which most are seldom asked for, and texts and days among them: for `table.Filters`. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { useQuery } from "../console/query.ts";
import { Field } from "../controls.tsx";
import { useTyped } from "../filters/search-field.tsx";
import { FilterChoice, ListFilters, findMax } from "./list-parts.tsx";
import type { DrawnFilter, TableQuery } from "./resource.ts";

/** A text or a day, in a field with its label. */
export function FilterText({ filter, table }: { filter: DrawnFilter; table: TableQuery }): JSX.Element {
  const { name, label, as } = filter;
  const [typed, setTyped] = useTyped(useQuery(), name);
  return (
    <Field label={text(label)}>
      {(links) => (
        <input
          {...links}
          type={as === "day" ? "date" : "text"}
          maxLength={findMax(table, name)}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** All of them; those that are `seldom` behind "More filters". */
export function MoreFilters({ table }: { table: TableQuery }): JSX.Element {
  const query = useQuery();
  const seldom = (table.filters ?? []).flatMap((filter) =>
    filter.as !== "link" && filter.seldom ? [filter] : [],
  );
  return (
    <div class="stack-small">
      <ListFilters table={table} />
      <details class="fold" open={seldom.some(({ name }) => query.get(name) !== "")}>
        <summary>{text("admin.filter.more")}</summary>
        <div class="filter-fields">
          {seldom.map((filter) => {
            const Filter = filter.as === "text" || filter.as === "day" ? FilterText : FilterChoice;
            return <Filter filter={filter} table={table} key={filter.name} />;
          })}
        </div>
      </details>
    </div>
  );
}
