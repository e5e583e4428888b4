/** Validates an email before it is stored for sending. */
import { AppError } from "../errors.ts";
import { type MailMessage, isMailAddress, isMailLine } from "./mail.ts";

/** Characters of a mail's text, and of its HTML part, at most. */
const MAX_MAIL_TEXT = 50_000;
export const MAX_MAIL_HTML = 100_000;

/** @throws AppError `invalid` for an address, subject or text that cannot be sent */
export function checkMail(mail: MailMessage): void {
  const errors = [
    { pointer: "/to", isWrong: !isMailAddress(mail.to), message: "must be a single email address" },
    {
      pointer: "/subject",
      isWrong: !isMailLine(mail.subject),
      message: "must be one line of at most 500 characters",
    },
    {
      pointer: "/text",
      isWrong: mail.text.length > MAX_MAIL_TEXT,
      message: `must have at most ${MAX_MAIL_TEXT} characters`,
    },
    {
      pointer: "/html",
      isWrong: (mail.html?.length ?? 0) > MAX_MAIL_HTML,
      message: `must have at most ${MAX_MAIL_HTML} characters`,
    },
  ].filter(({ isWrong }) => isWrong);
  if (errors.length === 0) return;
  throw new AppError("invalid", "The email is invalid", {
    errors: errors.map(({ pointer, message }) => ({ pointer, code: "invalid", message })),
  });
}
