/** What an administrator can do that ends a person's sessions. */
import type { SignedIn, TestApp } from "./app-fixture.ts";

/** Each by its name. */
export function runAdmins(app: TestApp): Record<string, (person: SignedIn) => Promise<Response>> {
  const act = (action: string, body?: unknown) => (person: SignedIn) =>
    app.admin("POST", `/api/admin/users/${person.user.id}/${action}`, body);
  return {
    "an administrator suspends the account": act("suspend", {}),
    "an administrator ends the sessions": act("revoke-sessions"),
    "an administrator deletes the account": ({ user }) => app.admin("DELETE", `/api/admin/users/${user.id}`),
    "an administrator purges the account": ({ user }) =>
      app.admin("DELETE", `/api/admin/users/${user.id}?purge=true`),
    "an administrator ends everybody's sessions": () =>
      app.admin("POST", "/api/admin/sessions/revoke-all", { confirm: true }),
  };
}
