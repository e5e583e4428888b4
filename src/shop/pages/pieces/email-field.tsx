/** @jsxImportSource hono/jsx */
/** The email address of a buyer in a form. */
import type { FormState } from "../../../html/faults.ts";
import { Field } from "../../../html/form.tsx";
import type { Visit } from "../visit.tsx";

export function EmailField({
  visit: { t },
  state,
  name = "email",
  hint,
  value,
}: {
  readonly visit: Pick<Visit, "t">;
  readonly state: FormState;
  readonly name?: string;
  readonly hint?: string;
  readonly value?: string;
}) {
  return (
    <Field
      name={name}
      label={t("checkout.email")}
      state={state}
      type="email"
      inputmode="email"
      autocomplete="email"
      hint={hint}
      value={value}
      required
    />
  );
}
