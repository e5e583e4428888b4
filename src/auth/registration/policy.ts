/** Rules of the registration settings for names, addresses and terms. */
import { AppError } from "../../kit/errors.ts";
import { AuthError } from "../base/errors.ts";
import { passesForOfficial } from "./official-names.ts";
import type { RegistrationSettings } from "../settings/schema.ts";

function refuse(pointer: string, message: string): never {
  throw new AppError("invalid", message, { errors: [{ pointer, code: "not_allowed", message }] });
}

/** Throws `invalid` for a length outside the settings and `username_taken` for a reserved name. */
export function checkUsername(username: string, settings: RegistrationSettings): void {
  const { usernameMinLength, usernameMaxLength, reservedUsernames } = settings;
  if (username.length < usernameMinLength || username.length > usernameMaxLength)
    refuse("/username", `The username must have ${usernameMinLength} to ${usernameMaxLength} characters`);
  if (reservedUsernames.includes(username.toLowerCase()))
    throw new AuthError("username_taken", `The username "${username}" is reserved. Choose another one`);
}

/** The same for a name that someone chooses for themselves, which must not pass for the site's own. */
export function checkChosenUsername(username: string, settings: RegistrationSettings): void {
  checkUsername(username, settings);
  if (passesForOfficial(username, settings))
    throw new AuthError("username_taken", `The username "${username}" is reserved. Choose another one`);
}

/** Throws `invalid` for a name that is reserved: it would pass for the site's own. */
export function checkDisplayName(name: string, settings: RegistrationSettings): void {
  if (passesForOfficial(name, settings))
    refuse(
      "/displayName",
      `The name "${name}" is reserved for the administrators of this site. Choose another one`,
    );
}

function isWithin(domain: string, list: readonly string[]): boolean {
  return list.some((entry) => domain === entry || domain.endsWith(`.${entry}`));
}

/** Throws `invalid` when the address's domain may not register. A domain includes its subdomains. */
export function checkEmailDomain(email: string, settings: RegistrationSettings): void {
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  const { allowedDomains, blockedDomains } = settings;
  const isAllowed = allowedDomains.length === 0 || isWithin(domain, allowedDomains);
  if (!isAllowed || isWithin(domain, blockedDomains))
    refuse("/email", "Email addresses of this domain cannot register here. Use another one");
}

/** Throws `terms_required` unless the current version was accepted. */
export function checkTerms(accepted: string | undefined, settings: RegistrationSettings): void {
  const { termsVersion, termsUrl } = settings;
  if (termsVersion === "" || accepted === termsVersion) return;
  throw new AuthError(
    "terms_required",
    `The terms are not accepted. Accept them by sending termsVersion "${termsVersion}"`,
    {
      details: { termsVersion, ...(termsUrl === "" ? {} : { termsUrl }) },
    },
  );
}
