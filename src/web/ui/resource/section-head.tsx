/** The title of a group of rows: for `table.sections`. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import type { SectionHeadProps } from "./resource.ts";

/** The title of a group of rows, with a checkbox for all of them. */
export function SectionHead<View>({
  section: { title, class: own, rows },
  idOf,
  ticks,
  width,
}: SectionHeadProps<View>): JSX.Element {
  const ids = rows.map(idOf);
  return (
    <tr class={own === undefined ? "table-section" : `table-section ${own}`}>
      {ticks && (
        <td>
          <input
            type="checkbox"
            aria-label={text("admin.tick.section", { name: title ?? "" })}
            checked={ids.every((id) => ticks.ticked.has(id))}
            onChange={({ currentTarget: { checked } }) =>
              ticks.set([...[...ticks.ticked].filter((id) => !ids.includes(id)), ...(checked ? ids : [])])
            }
          />
        </td>
      )}
      <th scope="rowgroup" colSpan={ticks ? width - 1 : width}>
        {title} <span class="chip-count">{rows.length}</span>
      </th>
    </tr>
  );
}
