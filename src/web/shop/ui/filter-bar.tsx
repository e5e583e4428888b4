/** What a list is narrowed to; the address keeps it. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Field, Select } from "../../ui/controls.tsx";
import { toDayEnd, toDayStart } from "../../ui/forms/local-time.ts";
import { useTyped } from "../../ui/filters/search-field.tsx";
import type { Query } from "../../ui/console/query.ts";

/** A choice of one; "" narrows nothing, and its words say what is chosen. */
export function FilterSelect(props: {
  query: Query;
  name: string;
  label: string;
  any: string;
  choices: readonly { readonly value: string; readonly label: string }[];
}): JSX.Element {
  const { query, name, label, any, choices } = props;
  const asked = query.get(name);
  // What the address asks for and no choice has stays in sight, so that it can be left.
  const isKnown = asked === "" || choices.some(({ value }) => value === asked);
  return (
    <Select<string>
      label={label}
      value={asked}
      choices={[{ value: "", label: any }, ...choices, ...(isKnown ? [] : [{ value: asked, label: asked }])]}
      onChange={(value) => query.set({ [name]: value, cursor: "" })}
    />
  );
}

/** A further fact that the list is narrowed to, typed into a field with its label. */
export function FilterField(props: {
  query: Query;
  name: string;
  label: string;
  type?: "text" | "date";
  maxLength?: number;
}): JSX.Element {
  const { query, name, label, type = "text", maxLength = 100 } = props;
  const [typed, setTyped] = useTyped(query, name);
  return (
    <Field label={label}>
      {(links) => (
        <input
          {...links}
          type={type}
          maxLength={maxLength}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** The way back to the whole list, while it is narrowed. */
export function ClearFilters({
  query,
  names,
}: {
  query: Query;
  names: readonly string[];
}): JSX.Element | null {
  if (names.every((name) => query.get(name) === "")) return null;
  const none = Object.fromEntries([...names, "cursor"].map((name) => [name, ""]));
  return (
    <button type="button" class="button quiet" onClick={() => query.set(none)}>
      {text("shop.ui.clear")}
    </button>
  );
}

/** Days of a query as the moments between which they lie; the last day is meant whole. */
export function toMoments(from: string, to: string): { from: string; to: string } {
  return { from: toDayStart(from), to: toDayEnd(to) };
}
