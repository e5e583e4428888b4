/** Who may use which route: one guard each for users, guests and administrators. Given to every room of routes. */
import type { UserCheck } from "../user-check.ts";
import type { AdminGuard } from "./admin-guard.ts";
import type { GuestGuard, UserGuard } from "./user-guard.ts";

/** The guards of an application. */
export interface Guards {
  readonly user: UserGuard;
  readonly guest: GuestGuard;
  readonly admin: AdminGuard;
  /** For what lasts longer than a request. */
  readonly userCheck: UserCheck;
}
