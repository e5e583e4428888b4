/** Which passwords are taken (NIST SP 800-63B-4 section 3.1.1.2): length and a list, no rules of composition. */
import { AuthError } from "../base/errors.ts";
import type { RegistrationSettings } from "../settings/schema.ts";

/** Code points at most. */
const MAX_LENGTH = 256;

export interface PasswordContext {
  readonly settings: Pick<RegistrationSettings, "passwordMinLength" | "siteName">;
  readonly username?: string;
  readonly email?: string;
  readonly displayName?: string;
  readonly isCommonPassword: (password: string) => boolean;
  /** The member of the body that holds it, for the error's pointer; "/password" unless told. */
  readonly pointer?: string;
}

/** The form in which passwords are hashed and compared. */
export function toPasswordForm(password: string): string {
  return password.normalize("NFKC");
}

function refuse(code: "invalid" | "password_blocked", message: string, pointer: string): never {
  throw new AuthError(code, message, { errors: [{ pointer, code, message }] });
}

/** The password in the form to hash. Throws `invalid` for its length, `password_blocked` when it is easy to guess. */
export function checkPassword(password: string, context: PasswordContext): string {
  const { settings, isCommonPassword, pointer = "/password" } = context;
  const form = toPasswordForm(password);
  const length = Array.from(form).length;
  if (length < settings.passwordMinLength || length > MAX_LENGTH) {
    const message = `The password must have ${settings.passwordMinLength} to ${MAX_LENGTH} characters`;
    refuse("invalid", message, pointer);
  }
  if (isCommonPassword(form))
    refuse(
      "password_blocked",
      "This password is on the list of the most common passwords. Choose another one",
      pointer,
    );
  const folded = form.toLowerCase();
  const { username, email, displayName } = context;
  const own = [username, email, email?.split("@")[0], displayName, settings.siteName];
  if (own.some((text) => text !== undefined && text.normalize("NFKC").toLowerCase() === folded)) {
    refuse(
      "password_blocked",
      "The password must not be your name, your email address or the name of the site",
      pointer,
    );
  }
  return form;
}
