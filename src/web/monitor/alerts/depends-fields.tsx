/** The lists of checks and servers of a dependency field. Loaded when its panel is opened. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { SearchedTicks, useScopeContext } from "./scope-kind.tsx";

/** The lists; the error is said below the last. */
export function DependsFields(props: {
  hint?: string | undefined;
  error?: string | undefined;
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}): JSX.Element {
  const { hint, error, chosen, onChange } = props;
  const known = useScopeContext();
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
        error={error}
        onChange={onChange}
      />
    </div>
  );
}
