/** Why an administrator does something to an account: it stands in the audit. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { TextField } from "../../ui/controls.tsx";
import type { Task } from "../../ui/console/problem.tsx";

/** The field of "/reason". */
export function ReasonField(props: {
  value: string;
  errors: Task["errors"];
  onInput: (value: string) => void;
}): JSX.Element {
  const { value, errors, onInput } = props;
  return (
    <TextField
      label={text("auth.users.reason")}
      hint={text("auth.user.impersonate.reason")}
      error={errors.get("/reason")}
      required
      maxLength={200}
      value={value}
      onInput={onInput}
    />
  );
}
