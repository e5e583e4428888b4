/** A filter whose values are all in sight, each with how many there are: for `Draw` of a filter. */
import type { JSX } from "preact";
import { findText, text } from "../../app/texts.ts";
import { useQuery } from "../console/query.ts";
import { Chip } from "../controls.tsx";
import { listValues } from "./list-parts.tsx";
import type { FilterProps } from "./resource.ts";

/** The chips; values that there is none of are left out. */
export function FilterChips({ filter, table, counts }: FilterProps): JSX.Element {
  const query = useQuery();
  const { name, label, values, words, any } = filter;
  const asked = query.get(name);
  const set = (value: string): void => query.set({ [name]: value, cursor: "" });
  const sum = counts && Object.values(counts).reduce((all, count) => all + count, 0);
  return (
    <span class="filter-chips" role="group" aria-label={text(label)}>
      <Chip pressed={asked === ""} count={sum} onClick={() => set("")}>
        {any === undefined ? findText(`${words}.any`) : text(any)}
      </Chip>
      {listValues(table, name, values).map((value) => {
        const count = counts?.[value] ?? 0;
        if (count === 0 && asked !== value) return null;
        return (
          <Chip
            key={value}
            count={count}
            pressed={asked === value}
            onClick={() => set(asked === value ? "" : value)}
          >
            {findText(`${words}.${value}`) ?? value}
          </Chip>
        );
      })}
    </span>
  );
}
