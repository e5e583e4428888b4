/** Answers to what a product asks its buyer for. */
import { isMailAddress } from "../../kit/mail/mail.ts";
import type { InputField } from "../products/schema.ts";

/** Several lines are fine; other control characters are not. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u;

function findProblem(field: InputField, value: string): string | undefined {
  if (value === "") return field.required ? `"${field.label}" is required` : undefined;
  if (value.length > field.maxLength) return `must have at most ${field.maxLength} characters`;
  if (CONTROL.test(value)) return "must not contain control characters";
  if (field.kind === "email" && !isMailAddress(value)) return "must be an email address";
  if (field.kind === "number" && !/^-?\d{1,15}(?:\.\d{1,10})?$/u.test(value)) return "must be a number";
  if (field.kind === "select" && !field.options.includes(value))
    return `must be one of ${field.options.join(", ")}`;
  return undefined;
}

/** The answers that a product keeps; members that it does not ask for are dropped. */
export function readInputs(
  fields: readonly InputField[],
  answers: Readonly<Record<string, string>>,
): { inputs: Record<string, string>; problems: { key: string; message: string }[] } {
  const inputs: Record<string, string> = {};
  const problems: { key: string; message: string }[] = [];
  for (const field of fields) {
    const value = (Object.hasOwn(answers, field.key) ? (answers[field.key] ?? "") : "").trim();
    const message = findProblem(field, value);
    if (message !== undefined) problems.push({ key: field.key, message });
    else if (value !== "") inputs[field.key] = value;
  }
  return { inputs, problems };
}
