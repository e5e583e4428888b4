/** @jsxImportSource hono/jsx */
/** The field in which a person chooses a password. */
import type { FormState } from "../../html/faults.ts";
import { Field } from "../../html/form.tsx";
import type { Visit } from "./visit.tsx";

/** Says how long a password must be; `label` is for pages without another password field. */
export function NewPasswordField({
  visit: { t, settings },
  state,
  label = t("field.newPassword"),
}: {
  readonly visit: Pick<Visit, "t" | "settings">;
  readonly state: FormState;
  readonly label?: string;
}) {
  return (
    <Field
      name="password"
      label={label}
      state={state}
      type="password"
      autocomplete="new-password"
      hint={t("signUp.passwordHint", { min: settings.passwordMinLength })}
      required
    />
  );
}
