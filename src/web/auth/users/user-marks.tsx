/** The state of an account in a word and a colour. */
import type { JSX } from "preact";
import type { AdminUserView } from "../../../auth/accounts/view-schema.ts";
import { text } from "../../app/texts.ts";
import { Badge } from "../../ui/console/pieces.tsx";

const kinds = { active: "good", pending: "warn", suspended: "bad", deleted: "idle" } as const;

/** The state, and what else is out of the ordinary. */
export function UserMarks({ user }: { user: AdminUserView }): JSX.Element {
  const { status, role, emailVerified } = user;
  return (
    <span class="marks">
      <Badge kind={kinds[status]}>{text(`auth.users.status.${status}`)}</Badge>
      {role === "admin" && <Badge>{text("auth.users.role.admin")}</Badge>}
      {!emailVerified && <Badge kind="warn">{text("auth.users.unverified")}</Badge>}
    </span>
  );
}
