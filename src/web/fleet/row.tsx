/** A server as a row of the list, and the list's row of headings. */
import type { JSX } from "preact";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { text } from "../app/texts.ts";
import { SortButton, toAriaSort } from "../ui/controls-table.tsx";
import { type Column, toTemplate } from "./columns.tsx";
import { type Criteria, sortKeys, startsDescending } from "./criteria.ts";
import { changeCriteria } from "./present-criteria.ts";

/** Sorts by a column; a second time turns the order, a third time ends it. */
export function sortBy(key: string, criteria: Criteria): void {
  const sort = sortKeys.find((one) => one === key) ?? "order";
  const first = startsDescending(sort);
  if (criteria.sort !== sort) changeCriteria({ sort, descending: first });
  else if (criteria.descending === first) changeCriteria({ descending: !first });
  else changeCriteria({ sort: "order", descending: false });
}

/** The headings. */
export function ListHead({
  columns,
  criteria,
}: {
  columns: readonly Column[];
  criteria: Criteria;
}): JSX.Element {
  const order = { key: criteria.sort, descending: criteria.descending };
  return (
    <div
      class="row head-row"
      role="row"

      style={{ gridTemplateColumns: toTemplate(columns) }}
    >
      {columns.map(({ key, label, sort }) => (
        <span
          role="columnheader"
          key={key}
          class={`cell is-${key}`}
          aria-sort={sort === undefined ? undefined : toAriaSort(order, sort)}
        >
          {sort === undefined ? (
            text(label)
          ) : (
            <SortButton
              label={text(label)}
              column={sort}
              order={order}
              onOrder={() => sortBy(sort, criteria)}
            />
          )}
        </span>
      ))}
    </div>
  );
}

/** The row; its parent has role "row". */
export function ServerRow(props: {
  server: PublicServer;
  columns: readonly Column[];
  compact: boolean;
}): JSX.Element {
  const { server, columns, compact } = props;
  return (
    <div
      class={`row is-${server.state}${compact ? " is-compact" : ""}`}
      role="presentation"
      style={compact ? {} : { gridTemplateColumns: toTemplate(columns) }}
    >
      {columns.map(({ key, cell }) => (
        <span role="cell" key={key} class={`cell is-${key}`}>
          {cell(server)}
        </span>
      ))}
    </div>
  );
}
