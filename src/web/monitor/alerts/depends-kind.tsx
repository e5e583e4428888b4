/** The field that says which checks and servers something depends on. */
import type { JSX } from "preact";
import { lazy } from "../../pages/lazy.tsx";
import { type KindOf, type Shown, toTexts } from "../../ui/resource/kind.ts";

const DependsFields = lazy(async () => (await import("./depends-fields.tsx")).DependsFields);

function Field<C>({ hint, value, error, errorAt, onChange }: Shown<C>): JSX.Element {
  const chosen = toTexts(value);
  const fault = error ?? chosen.map((_id, index) => errorAt(`/${index}`)).find((one) => one !== undefined);
  return <DependsFields hint={hint} error={fault} chosen={chosen} onChange={onChange} />;
}

/** The kind; nothing chosen is an empty list. */
export function dependsKind<C>(): KindOf<C> {
  return () => ({
    blank: [],
    toTyped: (value) => toTexts(Array.isArray(value) ? value : []),
    read: (typed) => ({ value: toTexts(typed) }),
    Field,
    say: (value) => (Array.isArray(value) ? value.join(", ") : ""),
  });
}
