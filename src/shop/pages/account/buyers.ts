/** The signed-in user of the storefront: only pages that need to know send a request to the auth center. */
import type { AppError } from "../../../kit/errors.ts";
import { toAppError } from "../../../kit/http/problem.ts";
import { findUser, toCaller } from "../../edge/user-guard.ts";
import type { Caller, ShopUser } from "../../users/caller.ts";
import type { UserCheck } from "../../users/user-check.ts";
import type { Visit } from "../visit.tsx";

/** The visitor of a page, as far as the auth center knows. */
export interface Buyer {
  readonly caller: Caller;
  readonly user: ShopUser | undefined;
  /** They signed in here, and the auth center cannot confirm it now. */
  readonly isAway: boolean;
}

/** Reads the visitor. Rejects with `forbidden` for a change by an administrator who impersonates an account. */
export async function readBuyer(
  userCheck: UserCheck,
  { c, caller }: Pick<Visit, "c" | "caller">,
): Promise<Buyer> {
  try {
    const user = await findUser(userCheck, c.req.raw);
    return { caller: user === undefined ? caller : toCaller(c, user), user, isAway: false };
  } catch (error) {
    const known: AppError = toAppError(error);
    if (known.code !== "auth_unavailable") throw error;
    return { caller, user: undefined, isAway: true };
  }
}
