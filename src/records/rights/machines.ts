/** Applications that administer the shop or the monitor in their own name: the auth center says what they may do. */
import type { AccountCenter } from "../../kit/outbound/account-center.ts";
import { AppError } from "../../kit/errors.ts";
import type { FindMachine } from "./principal.ts";
import { isAdminScope } from "./scopes.ts";

/** Creates what guards ask. @throws AppError `unavailable` from what it makes, while the center does not answer */
export function createFindMachine(center: Pick<AccountCenter, "checkMachine"> | undefined): FindMachine {
  return async (token) => {
    const machine = await center?.checkMachine(token);
    if (machine === undefined) return undefined;
    if (machine === "auth_unavailable")
      throw new AppError(
        "unavailable",
        "The auth center is unavailable, so the permissions of this application are unknown. Try again soon",
        {
          retryAfterSeconds: 1,
        },
      );
    return {
      kind: "machine",
      name: `application ${machine.clientId}`,
      scopes: new Set(machine.scopes.filter(isAdminScope)),
    };
  };
}
