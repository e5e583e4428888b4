/** Rules for a mail server that settings name: which addresses it may have, and that a stored password goes only where it was typed for and never in the clear to another machine. */
import type { FieldError } from "../errors.ts";
import type { AddressRules } from "../outbound/allowed-networks.ts";
import { type SmtpSettings, isLoopbackHost } from "./smtp-url.ts";

/** Rules for a mail server that an administrator set; one from the environment has none. */
export interface SmtpRules extends AddressRules {
  /** Default: what the system says. */
  readonly lookup?: (name: string) => Promise<readonly string[]>;
}

/** The rules of every service for mail servers of its settings. */
export function toSmtpRules(allowPrivate: boolean): SmtpRules {
  const privateRemedy = "set SMTP_PRIVATE=1 to allow private addresses, or set the server in SMTP_URL";
  return { allowPrivate, privateRemedy };
}

/** Where mails go and as whom; `user` is "" without a login. */
export type SmtpLogin = Pick<SmtpSettings, "host" | "port" | "security"> & { readonly user: string };

export interface SmtpLoginChange {
  readonly before: SmtpLogin;
  readonly after: SmtpLogin;
  /** The stored password, sealed. */
  readonly stored: string | undefined;
  /** The sent value: "" removes the password, undefined keeps it. */
  readonly given: string | undefined;
}

function isSameLogin(a: SmtpLogin, b: SmtpLogin): boolean {
  return (
    a.host.toLowerCase() === b.host.toLowerCase() &&
    a.port === b.port &&
    a.security === b.security &&
    a.user === b.user
  );
}

/** Errors of the login after a change of settings. */
export function findLoginFaults({ before, after, stored, given }: SmtpLoginChange): FieldError[] {
  if (after.user === "") return [];
  const faults: FieldError[] = [];
  if (stored !== undefined && given === undefined && !isSameLogin(before, after)) {
    const message =
      "must be sent again, because the stored password belongs to another host, port, security or user";
    faults.push({ pointer: "/password", code: "required", message });
  }
  if (after.security === "none" && !isLoopbackHost(after.host.toLowerCase())) {
    const message =
      "must be tls or starttls, because the username and password are not sent to other machines without encryption";
    faults.push({ pointer: "/security", code: "insecure", message });
  }
  return faults;
}

/** The password to store after a change without faults; `seal` is called for a new one. Without a user there is none. */
export function toStoredPassword(
  { after, stored, given }: SmtpLoginChange,
  seal: (password: string) => string,
): string | undefined {
  if (given === undefined) return after.user === "" ? undefined : stored;
  return given === "" ? undefined : seal(given);
}
