/** A name, and the id that programs know it by: suggested from the name until somebody types one. */
import type { JSX } from "preact";
import { type TextName, text } from "../../app/texts.ts";
import { TextField } from "../../ui/controls.tsx";
import type { FormPart } from "../../ui/forms/bind.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { suggestId } from "./application-data.ts";

export interface Naming {
  readonly name: string;
  readonly id: string;
}

/** The two fields; `pointer` is where the API has the name. */
export function NameFields(
  props: FormPart<Naming> & { pointer: string; label: TextName; idLabel: TextName; idHint: TextName },
): JSX.Element {
  const { form, errors, onChange, pointer, label, idLabel, idHint } = props;
  const isSuggested = form.id === suggestId(form.name);
  return (
    <>
      <TextField
        label={text(label)}
        maxLength={100}
        value={form.name}
        error={findError(errors, pointer)}
        onInput={(name) => onChange({ name, ...(isSuggested ? { id: suggestId(name) } : {}) })}
      />
      <TextField
        label={text(idLabel)}
        hint={text(idHint)}
        maxLength={64}
        autoComplete="off"
        value={form.id}
        error={findError(errors, "/id")}
        onInput={(id) => onChange({ id })}
      />
    </>
  );
}
