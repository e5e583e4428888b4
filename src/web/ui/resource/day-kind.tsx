/** The kind of a field for a day on which something ends. */
import { TextField } from "../controls.tsx";
import { toDateText } from "../forms/local-time.ts";
import { type KindOf, toText } from "./kind.ts";
import { timeKind } from "./kinds.tsx";

/** The day; it counts until its last second in the reader's zone. */
export function dayKind<C>(): KindOf<C> {
  return (json) => ({
    ...timeKind<C>(json),
    toTyped: (value) => (typeof value === "string" ? toDateText(value) : ""),
    Field: ({ label, hint, error, value, onChange }) => (
      <TextField
        label={label}
        hint={hint}
        error={error}
        type="date"
        value={toText(value)}
        onInput={onChange}
      />
    ),
  });
}
