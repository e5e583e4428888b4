/** The refusals of the auth center in the person's words, each at its field. */
import type { Fault } from "../../html/faults.ts";
import type { AppError } from "../../kit/errors.ts";
import type { FaultFields } from "../../html/form-pages.ts";
import type { Visit } from "./visit.tsx";

const usualFields: FaultFields = {
  invalid_credentials: "password",
  code_invalid: "code",
  invite_invalid: "inviteCode",
  username_taken: "username",
  email_taken: "email",
  password_blocked: "password",
  terms_required: "terms",
  email_limit: "address",
  already_exists: "address",
};

/** Until when the account is suspended and why, as far as the administrator said it. */
function describeSuspension({ details }: AppError, { t, time }: Pick<Visit, "t" | "time">): string {
  const { until, reason } = details;
  const lead =
    typeof until === "string"
      ? t("suspended.until", { until: time(Date.parse(until)) })
      : t("error.account_suspended");
  return typeof reason === "string" ? `${lead} ${t("suspended.reason", { reason })}` : lead;
}

/** The faults of a form that was refused. */
export function toFaults(
  error: AppError,
  {
    t,
    settings,
    time,
    fields = {},
  }: Pick<Visit, "t" | "settings" | "time"> & { fields?: FaultFields | undefined },
): Fault[] {
  const { usernameMinLength, usernameMaxLength, passwordMinLength } = settings;
  const values = {
    usernameMin: usernameMinLength,
    usernameMax: usernameMaxLength,
    passwordMin: passwordMinLength,
    minutes: Math.max(1, Math.ceil((error.retryAfterSeconds ?? 60) / 60)),
  };
  const words = (field: string, code: string): string =>
    t.find(`fault.${field}.${code}`, values) ??
    t.find(`fault.${field}`, values) ??
    t.find(`error.${code}`, values) ??
    t("error.invalid");
  if (error.errors.length > 0)
    return error.errors.map(({ pointer, code }) => {
      const field = pointer.split("/")[1] ?? "";
      return { field: fields[field] ?? field, text: words(field, code) };
    });
  if (error.code === "account_suspended") return [{ text: describeSuspension(error, { t, time }) }];
  // Of codes that people type, what is to be done about a wrong one differs.
  const code = `${error.code}.${String(error.details["method"])}`;
  const field = fields[code] ?? fields[error.code] ?? usualFields[error.code];
  const isOfField = field !== undefined && error.code === "invalid";
  const text = isOfField
    ? words(field, error.code)
    : (t.find(`error.${code}`, values) ?? t.find(`error.${error.code}`, values) ?? t("error.invalid"));
  return [field === undefined ? { text } : { field, text }];
}
