/** A table of what fits on a page. */
import type { ComponentChildren, JSX } from "preact";
import { Icon } from "./icons.tsx";

export interface TableColumn<Row> {
  readonly key: string;
  readonly label: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly number?: boolean | undefined;
  readonly sortable?: boolean | undefined;
  /** Its label is for screen readers alone. */
  readonly silent?: boolean | undefined;
  /** Of its cells. */
  readonly class?: string | undefined;
}

/** A group of rows below a row with its title. */
export interface TableSection<Row> {
  readonly key: string;
  readonly head?: JSX.Element | undefined;
  readonly rows: readonly Row[];
}

export interface TableOrder {
  readonly key: string;
  readonly descending: boolean;
}

export interface TableProps<Row> {
  /** Caption for screen readers. */
  readonly caption: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly order?: TableOrder | undefined;
  readonly onOrder?: ((order: TableOrder) => void) | undefined;
  /** The same rows in sections. */
  readonly sections?: readonly TableSection<Row>[] | undefined;
  readonly class?: string | undefined;
  readonly rowClass?: ((row: Row) => string) | undefined;
  /** Its cells have nothing to focus, so that the keyboard scrolls the table itself. */
  readonly plain?: boolean | undefined;
}

/** "ascending" and so on, as aria-sort wants it. */
export function toAriaSort(
  order: TableOrder | undefined,
  key: string,
): "ascending" | "descending" | undefined {
  if (order?.key !== key) return undefined;
  return order.descending ? "descending" : "ascending";
}

/** A button in a column's head that sorts by it, and turns the order when it does already. */
export function SortButton(props: {
  label: string;
  column: string;
  order: TableOrder | undefined;
  onOrder: (order: TableOrder) => void;
}): JSX.Element {
  const { label, column, order, onOrder } = props;
  const descending = order?.key === column && !order.descending;
  return (
    <button type="button" class="sort-button" onClick={() => onOrder({ key: column, descending })}>
      {label}
      <Icon name="up" />
    </button>
  );
}

/** The table, which scrolls sideways when it must. */
export function Table<Row>(props: TableProps<Row>): JSX.Element {
  const { caption, columns, rows, keyOf, order, onOrder, rowClass } = props;
  const { sections = [{ key: "", rows, head: undefined }] } = props;
  return (
    <div class="table-frame" tabIndex={props.plain === true ? 0 : undefined}>
      <table class={props.class === undefined ? "table" : `table ${props.class}`}>
        <caption class="for-readers">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ key, label, number, sortable, silent }) => (
              <th
                scope="col"
                key={key}
                class={number === true ? "is-number" : ""}
                aria-sort={toAriaSort(order, key)}
              >
                {sortable === true && onOrder ? (
                  <SortButton label={label} column={key} order={order} onOrder={onOrder} />
                ) : (
                  <span class={silent === true ? "for-readers" : ""}>{label}</span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        {sections.map((section) => (
          <tbody key={section.key}>
            {section.head}
            {section.rows.map((row) => (
              <tr key={keyOf(row)} class={rowClass?.(row)}>
                {columns.map(({ key, cell, number, class: own = "" }) => (
                  <td key={key} class={number === true ? `is-number ${own}`.trim() : own}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}
