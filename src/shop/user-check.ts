/** PORT: whose access token it is. The auth center's client is the adapter; composition connects them. */
import type { ShopUser } from "./caller.ts";

export type UserCheckResult =
  | {
      readonly status: "valid";
      readonly user: ShopUser;
      readonly impersonatedBy?: string | undefined;
    }
  | { readonly status: "refused" }
  /** Nobody knows now: neither let in nor turned away. */
  | { readonly status: "auth_unavailable"; readonly retryAfterSeconds: number };

/** Reads the Authorization header of a request. Never rejects. */
export interface UserCheck {
  validateRequest(request: Pick<Request, "headers">): Promise<UserCheckResult>;
}
