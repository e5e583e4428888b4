/** The groups of the routes in the order of Swagger UI: people first, administrators after them. */
import type { TagNouns } from "../../records/rights/route-scopes.ts";

export const authGroups: Readonly<Record<string, string>> = {
  registration: "Registration and email verification.",
  "sign-in": "Sign-in by password or email code, with two-factor authentication.",
  tokens: "Token validation for applications and proxies; refresh and revocation.",
  password: "Password reset, password change and reauthentication.",
  "second factor": "Authenticator apps (TOTP) and recovery codes.",
  passkeys: "Passkey sign-in, passkeys as the second factor, and passkey management.",
  account: "The caller's account: read, change, export and delete.",
  "e-mails": "Additional email addresses of the caller's account and their purposes.",
  sessions: "Sessions of the caller's account, and applications that have used it.",
  profile: "The caller's public profile and profile picture.",
  "check-in": "The caller's daily check-in, with points and streaks.",
  public: "Public profiles, likes and the registration policy. No sign-in required.",
  console: "Sign-in to the console at /admin, and reauthentication.",
  users: "Administration of accounts: read, change, suspend, import.",
  applications: "Administration of applications: secrets, URLs and access policies.",
  providers: "Administration of identity providers for social and enterprise sign-in.",
  groups: "Administration of groups and their members.",
  roles: "Administration of roles: named sets of scopes, built-in and custom.",
  invites: "Administration of invite codes for registration.",
  settings: "Administration of the settings for registration, check-in, invites and email.",
  "api keys": "API keys for programs that administer this service.",
  outbox: "Administration of outgoing email: waiting, sent and failed emails, and template previews.",
  audit: "Audit log of administrator actions, with a tamper-evident hash chain.",
  operation: "Service information, health and statistics.",
};

/** The noun of the scope that opens the admin routes of each group. */
export const authNouns = {
  "api keys": "administrator",
  users: "users",
  groups: "users",
  roles: "users",
  invites: "users",
  applications: "applications",
  providers: "auth-settings",
  settings: "auth-settings",
  outbox: "auth-settings",
  operation: "auth-settings",
  audit: "audit",
} as const satisfies TagNouns<"auth">;
