/** The groups of the routes in the order of Swagger UI: people first, administrators after them. */
import type { TagNouns } from "../../records/rights/route-scopes.ts";

export const authGroups: Readonly<Record<string, string>> = {
  registration: "Making an account, and proving its mailbox.",
  "sign-in": "By password or a code from the mailbox, with the second step where there is one.",
  tokens: "Whose token it is, for applications and proxies; renewing and ending tokens.",
  password: "A forgotten one, a new one, and proving again who one is.",
  "second factor": "One-time passwords of an authenticator app, and recovery codes.",
  passkeys: "Signing in without a password, as a second step, and one's own passkeys.",
  account: "One's own account: reading, changing, exporting and deleting it.",
  "e-mails": "Further addresses of one's own account, and what each is for.",
  sessions: "Where one is signed in, and which applications used the account.",
  profile: "What others see of one's own account, and its picture.",
  "check-in": "One's own daily check-in, with points and streaks.",
  public: "Profiles, likes and the rules of registration, for everybody.",
  console: "Signing in to the console at /admin, and proving again who one is.",
  users: "Accounts for administrators: reading, changing, suspending, importing.",
  applications:
    "Registered applications, their secrets and addresses, and who may use them, for administrators.",
  providers: "Other providers that people sign in by, for administrators.",
  groups: "Groups of accounts, and who is in them, for administrators.",
  roles: "Named sets of scopes, built-in and own ones, for administrators.",
  invites: "Codes that open the registration, for administrators.",
  settings: "Registration, check-in, invites and mail, for administrators.",
  "api keys": "API keys: what programs administer this service with.",
  outbox: "Mails that wait, were sent or have failed, and what each kind says, for administrators.",
  audit: "What administrators did, in a chain that shows changes, for administrators.",
  operation: "What the center is, how it fares, and its figures.",
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
