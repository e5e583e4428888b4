/** The field that says which checks and servers something depends on. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { type KindOf, type Shown, toTexts } from "../../ui/resource/kind.ts";
import { SearchedTicks, useScopeContext } from "./scope-kind.tsx";

function DependsFields<C>({ hint, value, error, errorAt, onChange }: Shown<C>): JSX.Element {
  const known = useScopeContext();
  const chosen = toTexts(value);
  const fault = error ?? chosen.map((_id, index) => errorAt(`/${index}`)).find((one) => one !== undefined);
  if (known === undefined) return <p class="field-hint">{text("page.loading")}</p>;
  return (
    <div class="stack-small">
      {hint !== undefined && <p class="field-hint">{hint}</p>}
      <SearchedTicks
        label={text("admin.depends.servers")}
        options={known.servers}
        chosen={chosen}
        onChange={onChange}
      />
      <SearchedTicks
        label={text("admin.depends.checks")}
        options={known.checks}
        chosen={chosen}
        error={fault}
        onChange={onChange}
      />
    </div>
  );
}

/** The kind; nothing chosen is an empty list. */
export function dependsKind<C>(): KindOf<C> {
  return () => ({
    blank: [],
    toTyped: (value) => toTexts(Array.isArray(value) ? value : []),
    read: (typed) => ({ value: toTexts(typed) }),
    Field: DependsFields,
    say: (value) => (Array.isArray(value) ? value.join(", ") : ""),
  });
}
