/** Access tokens of the auth center: of people who signed in there themselves, and of applications that act for them. */
import type { AccountCenter } from "../../kit/outbound/account-center.ts";
import type { ApplicationScope } from "../../records/rights/application-scopes.ts";
import type { Access } from "./access.ts";
import { toAccount } from "./center-sessions.ts";

/** The scope that an application needs to see a private site. */
export const STATUS_SCOPE: ApplicationScope<"monitor"> = "status:read";

/** What a token permits here: read access at most. "away": unknown now. */
export type AccountTokenAnswer = "view" | "nothing" | "insufficient_scope" | "away";

/** Checks a token; answers of the last seconds are cached. Never rejects. */
export type AccountTokens = (token: string) => Promise<AccountTokenAnswer>;

/** Creates the question; without a center no token counts. */
export function createAccountTokens({
  access,
  center,
}: {
  readonly access: Pick<Access, "rightOfAccount">;
  readonly center: Pick<AccountCenter, "checkBearer"> | undefined;
}): AccountTokens {
  return async (token) => {
    if (center === undefined) return "nothing";
    const answer = await center.checkBearer({
      headers: new Headers({ authorization: `Bearer ${token}` }),
    });
    if (answer.status === "auth_unavailable") return "away";
    if (answer.status === "refused") return "nothing";
    if (answer.scopes?.includes(STATUS_SCOPE) === false) return "insufficient_scope";
    return access.rightOfAccount(toAccount(answer.person)) === "nothing" ? "nothing" : "view";
  };
}
