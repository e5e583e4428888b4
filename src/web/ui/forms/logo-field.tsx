/** The site's logo: a file that is chosen, shown, and taken away again. */
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button, Field } from "../controls.tsx";
import type { FormPart } from "./bind.ts";
import { findError } from "./field-errors.ts";

function readAsAddress(file: File): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === "string" ? reader.result : "");
    reader.onerror = () => resolve("");
    reader.readAsDataURL(file);
  });
}

/** The field. */
export function LogoField({ form, errors, onChange }: FormPart<{ readonly logo: string }>): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const { logo } = form;
  return (
    <Field label={text("admin.logo.label")} hint={text("admin.logo.hint")} error={findError(errors, "/logo")}>
      {(links) => (
        <span class="logo-field">
          {logo !== "" && <img src={logo} alt={text("admin.logo.present")} />}
          <input
            {...links}
            ref={input}
            type="file"
            accept="image/png,image/svg+xml"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file !== undefined) void readAsAddress(file).then((read) => onChange({ logo: read }));
            }}
          />
          {logo !== "" && (
            <Button
              onClick={() => {
                if (input.current !== null) input.current.value = "";
                onChange({ logo: "" });
              }}
            >
              {text("admin.remove")}
            </Button>
          )}
        </span>
      )}
    </Field>
  );
}
