/** Accounts as administrators see them: the types of answers. */
import type { EventRecord } from "./ledger-schema.ts";
import type { UpstreamLinkRecord } from "./link-schema.ts";
import type { PasskeyRecord } from "./passkey-schema.ts";
import type { EmailRecord, ProfileFields, UserRecord } from "./schema.ts";

/** In a list. */
export type AdminUserView = Pick<
  UserRecord,
  | "id"
  | "username"
  | "email"
  | "status"
  | "role"
  | "points"
  | "locale"
  | "timeZone"
  | "suspendedReason"
  | "signUpMessage"
  | "claims"
> & {
  readonly version: number;
  readonly emailVerified: boolean;
  readonly secondFactor: boolean;
  readonly passwordSet: boolean;
  readonly groups: readonly string[];
  /** Its own, not those of its groups. */
  readonly roles: readonly string[];
  readonly createdAt: string;
  readonly lastLoginAt?: string | undefined;
  readonly suspendedUntil?: string | undefined;
  readonly purgeAfter?: string | undefined;
};

/** A new one. */
export type CreatedUserView = AdminUserView & {
  readonly setPasswordToken?: string | undefined;
  readonly setPasswordUrl?: string | undefined;
};

/** A link to set a password; the link itself only where it is shown. */
export interface OfferedLinkView {
  readonly sentTo: string;
  readonly token?: string | undefined;
  readonly url?: string | undefined;
}

/** The session that impersonation begins, as far as the console needs it. */
export interface ImpersonationView {
  readonly refreshToken: string;
}

/** On the page of one. */
export type AdminUserDetailsView = AdminUserView & {
  /** Absent while the account is being removed. */
  readonly profile?: (ProfileFields & { readonly hasAvatar: boolean; readonly version: number }) | undefined;
  readonly emails: readonly AdminEmailView[];
  readonly linkedProviders: readonly AdminLinkView[];
  readonly applications: readonly {
    readonly clientId: string;
    readonly count: number;
    readonly lastAt: string;
  }[];
};

export type AdminProfileView = NonNullable<AdminUserDetailsView["profile"]>;

/** A further address. */
export type AdminEmailView = Pick<EmailRecord, "id" | "address" | "purposes"> & {
  readonly verified: boolean;
};

/** An identity at another provider; its title is "" when the provider was removed. */
export type AdminLinkView = Pick<
  UpstreamLinkRecord,
  "id" | "upstreamId" | "subject" | "email" | "username"
> & { readonly title: string; readonly lastUsedAt?: string | undefined };

export type AdminPasskeyView = Pick<PasskeyRecord, "id" | "label"> & {
  readonly lastUsedAt?: string | undefined;
};

export type AdminEventView = Pick<EventRecord, "id" | "kind" | "clientId" | "ipPrefix" | "amr"> & {
  readonly at: string;
};
