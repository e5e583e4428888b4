/** Accounts as the administration's routes give them. */

import type { ProfileFields } from "../../../auth/accounts/schema.ts";

/** What stands in a list. */
export interface UserView {
  readonly id: string;
  readonly version: number;
  readonly username: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly status: "pending" | "active" | "suspended" | "deleted";
  readonly role: "user" | "admin";
  readonly secondFactor: boolean;
  readonly passwordSet: boolean;
  readonly groups: readonly string[];
  /** Its own, not those of its groups. */
  readonly roles: readonly string[];
  readonly points: number;
  readonly locale: string;
  readonly timeZone: string;
  readonly createdAt: string;
  readonly lastLoginAt?: string;
  readonly suspendedUntil?: string;
  readonly suspendedReason?: string;
  readonly purgeAfter?: string;
  readonly signUpMessage?: string;
}

export interface ProfileView extends ProfileFields {
  readonly hasAvatar: boolean;
  readonly version: number;
}

/** What the page of one account shows. */
export interface UserDetailsView extends UserView {
  /** Absent while the account is being removed. */
  readonly profile?: ProfileView;
  readonly emails: readonly EmailView[];
  readonly linkedProviders: readonly LinkView[];
  readonly applications: readonly {
    readonly clientId: string;
    readonly count: number;
    readonly lastAt: string;
  }[];
}

/** An identity at another provider. */
export interface LinkView {
  readonly id: string;
  readonly upstreamId: string;
  /** The provider's name, "" when it was removed. */
  readonly title: string;
  readonly subject: string;
  readonly email?: string;
  readonly username?: string;
  readonly lastUsedAt?: string;
}

/** A further address. */
export interface EmailView {
  readonly id: string;
  readonly address: string;
  readonly verified: boolean;
  readonly purposes: readonly string[];
}

export interface PasskeyView {
  readonly id: string;
  readonly label: string;
  readonly lastUsedAt?: string;
}

export interface SessionView {
  readonly id: string;
  readonly label: string;
  readonly clientId: string;
  readonly ipPrefix: string;
  readonly lastSeenAt: string;
  readonly impersonatedBy?: string;
}

export interface EventView {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly clientId: string;
  readonly ipPrefix: string;
}

/** What became of one account of many. */
export interface OutcomeView {
  readonly id: string;
  readonly error?: { readonly code: string; readonly message: string };
}

export const USERS = "/api/admin/users";

/** The routes of one account. */
export function userPath(id: string, action = ""): string {
  return `${USERS}/${id}${action}`;
}
