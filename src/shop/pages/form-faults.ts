/** The refusals of the shop in the buyer's words, each at its field. */
import type { AppError } from "../../kit/errors.ts";
import type { Fault } from "../../html/faults.ts";
import type { FaultFields } from "../../html/form-pages.ts";
import type { Texts } from "./texts.ts";

/** The faults of a form that was refused. */
export function toFaults(
  error: AppError,
  { t, fields = {} }: { readonly t: Texts; readonly fields?: FaultFields | undefined },
): Fault[] {
  const said = Object.entries(error.details ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  const minutes = Math.max(1, Math.ceil((error.retryAfterSeconds ?? 60) / 60));
  const values = { ...Object.fromEntries(said), minutes };
  const words = (field: string, code: string): string =>
    t.find(`fault.${field}.${code}`, values) ??
    t.find(`fault.${field}`, values) ??
    t.find(`error.${code}`, values) ??
    t("error.invalid");
  if (error.errors.length > 0)
    return error.errors.map(({ pointer, code }) => {
      const path = pointer.slice(1).replaceAll("/", ".");
      const field = fields[path] ?? fields[path.split(".")[0] ?? ""] ?? path;
      return { field, text: words(field, code) };
    });
  const field = fields[error.code];
  const text = t.find(`error.${error.code}`, values) ?? t("error.invalid");
  return [field === undefined ? { text } : { field, text }];
}
