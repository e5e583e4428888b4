/** The kind of a field for administrative scopes. */
import { type KindOf, toTexts } from "../resource/kind.ts";
import { choicesKind } from "../resource/set-kinds.tsx";
import { ScopeFields } from "./scope-fields.tsx";
import { describeScopes } from "./scope-words.ts";

/** An access level for each noun; the schema lists the scopes. */
export function scopesKind<C>(): KindOf<C> {
  return (json) => ({
    ...choicesKind<C>()(json),
    hasOwnWords: true,
    Field: ({ label, error, value, onChange }) => (
      <ScopeFields
        label={label}
        offered={(json.choices ?? []).map(String)}
        scopes={toTexts(value)}
        error={error}
        onChange={onChange}
      />
    ),
    say: (value) => describeScopes(Array.isArray(value) ? value.map(String) : []).join(" · "),
  });
}
