/** The headers of a request: names and values, of which stored ones are never shown again. */
import { targetFields } from "../../../../monitor/checks/form-schema.ts";
import { toBounds } from "../../../ui/forms/parsed.ts";
import type { JSX } from "preact";
import { text } from "../../../app/texts.ts";
import { Button, IconButton } from "../../../ui/controls.tsx";
import { SecretInput } from "../../../ui/console/field-kinds.tsx";
import type { HeaderForm } from "./check-form.ts";

/** As many as the monitor takes. */
const MAX_HEADERS = toBounds(targetFields.http["headers"] ?? {}).max;

/** The rows, and a button for one more. */
export function HeaderFields(props: {
  headers: readonly HeaderForm[];
  error: string | undefined;
  onChange: (headers: readonly HeaderForm[]) => void;
}): JSX.Element {
  const { headers, error, onChange } = props;
  const change = (at: number, part: Partial<HeaderForm>): void =>
    onChange(headers.map((header, index) => (index === at ? { ...header, ...part } : header)));
  return (
    <fieldset class="plain-fieldset stack-small">
      <legend class="field-label">{text("admin.check.headers")}</legend>
      {headers.map((header, index) => {
        const number = index + 1;
        return (
          <div class="header-line" key={index}>
            <input
              type="text"
              aria-label={text("admin.channel.header.name", { number })}
              aria-invalid={error !== undefined && header.name.trim() === "" ? true : undefined}
              placeholder="Authorization"
              autoComplete="off"
              spellcheck={false}
              maxLength={100}
              value={header.name}
              onInput={(event) => change(index, { name: event.currentTarget.value })}
            />
            <SecretInput
              label={text("admin.channel.header.value", { number })}
              placeholder={header.isKept ? text("admin.check.header.kept") : undefined}
              value={header.value}
              onInput={(value) => change(index, { value })}
            />
            <IconButton
              icon="trash"
              label={text("admin.channel.header.remove", { number })}
              onClick={() => onChange(headers.filter((_, other) => other !== index))}
            />
          </div>
        );
      })}
      {headers.length < MAX_HEADERS && (
        <div>
          <Button
            small
            icon="plus"
            onClick={() => onChange([...headers, { name: "", value: "", isKept: false }])}
          >
            {text("admin.channel.header.add")}
          </Button>
        </div>
      )}
      <p class="field-hint">{text("admin.check.headers.hint")}</p>
      {error !== undefined && <p class="field-error">{error}</p>}
    </fieldset>
  );
}
