/** How components are from now on, as a form of a post says it. */
import type { JSX } from "preact";
import type { StatusPageView } from "../../../monitor/status/post-schema.ts";
import { text } from "../../app/texts.ts";
import { SelectField } from "../../ui/controls.tsx";
import type { ComponentWords } from "./post-form.ts";
import { componentStatusNames } from "./status-data.ts";

/** One choice a component; "not said" leaves it as it is. */
export function ComponentWordFields(props: {
  page: StatusPageView;
  words: ComponentWords;
  onChange: (words: ComponentWords) => void;
}): JSX.Element | null {
  const { page, words, onChange } = props;
  if (page.components.length === 0) return null;
  const choices = [
    { value: "", label: text("admin.status.is.unsaid") },
    ...componentStatusNames.map((value) => ({ value, label: text(`admin.status.is.${value}`) })),
  ] as const;
  return (
    <fieldset class="plain-fieldset status-words">
      <legend class="field-label">{text("admin.status.concerned")}</legend>
      {page.components.map(({ id = "", name }) => (
        <SelectField
          key={id}
          label={name}
          value={words[id] ?? ""}
          choices={choices}
          onChange={(value) => {
            const { [id]: _before, ...rest } = words;
            onChange(value === "" ? rest : { ...rest, [id]: value });
          }}
        />
      ))}
    </fieldset>
  );
}
