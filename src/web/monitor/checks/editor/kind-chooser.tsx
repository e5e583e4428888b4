/** The kinds of checks, each with a sentence. */
import type { JSX } from "preact";
import { checkForms } from "../../../../monitor/checks/form-schema.ts";
import type { CheckKind } from "../../../../monitor/checks/schema.ts";
import { text } from "../../../app/texts.ts";
import { Icon, toIcon } from "../../../ui/icons.tsx";
import { checkKindNames } from "./check-form.ts";
import { kindText } from "../../pieces/check-words.ts";

/** The chooser. */
export function KindChooser(props: { kind: CheckKind; onChange: (kind: CheckKind) => void }): JSX.Element {
  const { kind: chosen, onChange } = props;
  return (
    <fieldset class="plain-fieldset check-kinds">
      <legend class="for-readers">{text("admin.check.kind")}</legend>
      {checkKindNames.map((kind) => (
        <label class="check-kind" key={kind}>
          <input
            type="radio"
            name="check-kind"
            class="for-readers"
            checked={kind === chosen}
            onChange={() => onChange(kind)}
          />
          <Icon name={toIcon(checkForms[kind].icon)} />
          <span>
            <strong>{kindText(kind)}</strong>
            <span class="field-hint">{kindText(kind, "text")}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
