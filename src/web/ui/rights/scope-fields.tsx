/** A choice of scopes: what may be done with each noun. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Select } from "../controls.tsx";
import { Icon } from "../icons.tsx";
import { type ScopeLevel, findLevel, toNounTitle, toNouns, withLevel } from "./scope-words.ts";

const levels: readonly ScopeLevel[] = ["none", "read", "write"];

/** The fields; `offered` are the scopes that can be given. */
export function ScopeFields(props: {
  label: string;
  offered: readonly string[];
  scopes: readonly string[];
  error?: string | undefined;
  onChange: (scopes: readonly string[]) => void;
}): JSX.Element {
  const { label, offered, scopes, error, onChange } = props;
  return (
    <fieldset class="scope-fields">
      <legend class="field-label">{label}</legend>
      {toNouns(offered).map((noun) => (
        <div class="scope-row" key={noun}>
          <span>{toNounTitle(noun)}</span>
          <Select<ScopeLevel>
            label={toNounTitle(noun)}
            value={findLevel(scopes, noun)}
            choices={levels
              .filter((level) => level === "none" || offered.includes(`${noun}:${level}`))
              .map((value) => ({ value, label: text(`admin.scope.${value}`) }))}
            onChange={(level) => onChange(withLevel(scopes, noun, level))}
          />
        </div>
      ))}
      {error && (
        <span class="field-error">
          <Icon name="alert" />
          {error}
        </span>
      )}
    </fieldset>
  );
}
