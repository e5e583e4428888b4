/** The state of an account in a word and a colour. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Badge } from "../../ui/console/pieces.tsx";
import type { UserView } from "./user-data.ts";

const kinds = { active: "good", pending: "warn", suspended: "bad", deleted: "idle" } as const;

/** The state, and what else is out of the ordinary. */
export function UserMarks({ user }: { user: UserView }): JSX.Element {
  const { status, role, emailVerified } = user;
  return (
    <span class="marks">
      <Badge kind={kinds[status]}>{text(`auth.users.status.${status}`)}</Badge>
      {role === "admin" && <Badge>{text("auth.users.role.admin")}</Badge>}
      {!emailVerified && <Badge kind="warn">{text("auth.users.unverified")}</Badge>}
    </span>
  );
}
