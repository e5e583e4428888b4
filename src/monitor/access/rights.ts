/** The current rights of a credential. */
import type { Access } from "./access.ts";
import type { AccountTokens } from "./account-tokens.ts";
import type { AdminSessions } from "./sessions.ts";
import type { RightOf } from "./visitor.ts";

/** Creates the question; a credential that has ended counts as none. */
export function createRightOf(deps: {
  access: Pick<Access, "strangersRight" | "useToken">;
  sessions: Pick<AdminSessions, "findById">;
  accountTokens: AccountTokens;
}): RightOf {
  const { access, sessions, accountTokens } = deps;
  return async (credential) => {
    switch (credential?.kind) {
      case "administrator-token":
        return "administer";
      case "session":
        return (await sessions.findById(credential.id))?.right ?? access.strangersRight;
      case "access-token":
        return access.useToken(credential.id, "view") === undefined ? access.strangersRight : "view";
      case "account-token": {
        const answer = await accountTokens(credential.token);
        // An accepted user keeps access while the auth center is not responding.
        return answer === "view" || answer === "away" ? "view" : access.strangersRight;
      }
      case undefined:
        return access.strangersRight;
    }
  };
}
