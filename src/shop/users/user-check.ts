/** PORT: whose access token it is. The auth center's client is the adapter; composition connects them. */
import type { ShopUser } from "./caller.ts";

export type UserCheckResult =
  | {
      readonly status: "valid";
      readonly user: ShopUser;
      readonly impersonatedBy?: string | undefined;
      /** Whether they administer the shop; false: they would with a second factor. */
      readonly administers?: boolean | undefined;
      /** Scopes of their roles, such as "orders:write". */
      readonly adminScopes?: readonly string[] | undefined;
      /** When they last verified their identity, in epoch ms; undefined: unknown. */
      readonly provedAt?: number | undefined;
      /** Scopes of an application that acts for them; undefined: a first-party sign-in. */
      readonly scopes?: readonly string[] | undefined;
    }
  | { readonly status: "refused" }
  /** Unknown now: neither accepted nor rejected. */
  | { readonly status: "auth_unavailable"; readonly retryAfterSeconds: number };

/** The auth center's answer about a user's own addresses. */
export type AddressesResult =
  /** The verified ones, the primary one first; may be none. */
  | { readonly status: "known"; readonly addresses: readonly string[] }
  | { readonly status: "refused" }
  /** An application asks that may not read them. */
  | { readonly status: "insufficient_scope" }
  | { readonly status: "auth_unavailable"; readonly retryAfterSeconds: number };

/** Reads the Authorization header of a request, or the cookie of who signed in here. Never rejects. */
export interface UserCheck {
  /** False: the shop has none, and no sign-in; true by default. */
  readonly hasAccounts?: boolean;
  validateRequest(request: Pick<Request, "headers">): Promise<UserCheckResult>;
  /** Whether the cookie of a sign-in comes with the request, and no header. */
  readonly hasSession?: (request: Pick<Request, "headers">) => Promise<boolean>;
  /** For the few writes that decide where emails may go: requested every time. */
  readAddresses(request: Pick<Request, "headers">): Promise<AddressesResult>;
}
