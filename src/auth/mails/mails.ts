/** What mails say. */
import type { MailMessage } from "../../kit/mail/mail.ts";
import type { CodePurpose } from "../sessions/schema.ts";

export type OutgoingMail = MailMessage & { readonly kind: string; readonly ttlSeconds?: number };

/** Minutes that codes and reset links are good for; mails wait no longer. */
export const CODE_MINUTES = 10;
export const LINK_MINUTES = 30;

const purposes: Readonly<Record<CodePurpose, string>> = {
  verify: "confirm your e-mail address and finish your registration",
  login: "sign in",
  email: "confirm this e-mail address",
  reauth: "confirm that it is you",
};

/** A code, grouped for reading: "1234 5678". */
export function codeMail(
  to: string,
  options: { siteName: string; code: string; purpose: CodePurpose; username?: string },
): OutgoingMail {
  const { siteName, code, purpose, username } = options;
  const shown = `${code.slice(0, 4)} ${code.slice(4)}`;
  return {
    to,
    kind: "code",
    ttlSeconds: CODE_MINUTES * 60,
    subject: `${siteName}: your code`,
    text: [
      `Your code to ${purposes[purpose]} at ${siteName}${username === undefined ? "" : ` as "${username}"`}:`,
      "",
      `    ${shown}`,
      "",
      `It is good once, for ${CODE_MINUTES} minutes. Nobody of ${siteName} will ask you for it.`,
      "If you did not ask for it, ignore this mail.",
      "",
    ].join("\n"),
  };
}

/** A link to set a password. `link` is an address, or the bare token where no page is set up. */
export function linkMail(
  to: string,
  options: { siteName: string; link: string; purpose: "reset" | "set-password"; minutes: number },
): OutgoingMail {
  const { siteName, link, purpose, minutes } = options;
  const what = purpose === "reset" ? "choose a new password" : "set your password";
  return {
    to,
    kind: purpose === "reset" ? "reset-link" : "set-password-link",
    ttlSeconds: minutes * 60,
    subject: `${siteName}: ${what}`,
    text: [
      `With this you can ${what} at ${siteName}:`,
      "",
      `    ${link}`,
      "",
      ...(link.includes("://")
        ? []
        : [
            "It is no address: paste it where the application that you use asks for it beside the new password.",
            `Where none asks, an administrator of ${siteName} can help.`,
          ]),
      `It is good once, for ${minutes >= 120 ? `${Math.round(minutes / 60)} hours` : `${minutes} minutes`}, and ends all sessions of the account.`,
      "If you did not ask for it, ignore this mail; your password stays as it is.",
      "",
    ].join("\n"),
  };
}

const notices = {
  "already-registered":
    "somebody, perhaps you, wanted to register with this e-mail address. It has an account already: sign in with it, or ask for a new password if you forgot yours.",
  "refresh-reused":
    "a sign-in token of your account was used twice, which happens when it was copied. That session was ended. If you do not know why, change your password.",
  "password-changed":
    "the password of your account was changed. If that was not you, ask for a new password at once and look at your sessions.",
  "primary-email-changed":
    "the main e-mail address of your account was changed to another one. If that was not you, tell the administrator at once.",
  "email-added":
    "a further e-mail address was confirmed for your account. If that was not you, change your password.",
  "email-removed":
    "a further e-mail address was removed from your account, and links to set a new password that had been sent do not work any more. If that was not you, change your password.",
  "recovery-removed":
    "a further e-mail address of your account cannot be used to set a new password any more. If that was not you, change your password.",
  "address-elsewhere":
    "somebody, perhaps you, wanted to add this e-mail address to another account. It belongs to your account: remove it here first if you want it there.",
  "no-password":
    "your account was opened without a password: several registrations waited for this mailbox, and which password is yours could not be told. Ask for a new password to set one, or sign in with a code.",
  "second-factor-added": "a second factor was switched on for your account.",
  "second-factor-removed":
    "the second factor of your account was switched off. If that was not you, change your password at once.",
  "recovery-code-used": "a recovery code was used to sign in to your account.",
  "deletion-scheduled":
    "your account will be deleted in 14 days. Until then you can bring it back with your user name and password.",
  impersonated: "an administrator opened a session in your account to help or to look after something.",
  "role-changed":
    "an administrator changed the role of your account, which ended all its sessions. Sign in again.",
  approved: "your account was approved: you can sign in now.",
} as const;

export type Notice = keyof typeof notices;

/** Tells an owner what happened to their account. */
export function noticeMail(
  user: { readonly email: string; readonly username: string },
  options: { siteName: string; notice: Notice },
): OutgoingMail {
  const { siteName, notice } = options;
  return {
    to: user.email,
    kind: "notice",
    subject: `${siteName}: about your account`,
    text: `Hello ${user.username},\n\n${notices[notice]}\n\n${siteName}\n`,
  };
}

/** A mail with which an administrator tries the settings. */
export function testMail(to: string, siteName: string): MailMessage {
  return {
    to,
    subject: `${siteName}: a test`,
    text: `This mail was sent to try the mail settings of ${siteName}. They work.\n`,
  };
}
