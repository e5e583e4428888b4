/** The identities at other providers that open an account; nothing where there are none. */
import type { JSX } from "preact";
import type { AdminUserDetailsView } from "../../../auth/accounts/view-schema.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { Ago } from "../../ui/console/pieces.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { Panel } from "../../ui/panel.tsx";
import { mayChangeUsers, userPath } from "./user-data.ts";

/** The panel. */
export function UserLinks(props: {
  user: AdminUserDetailsView;
  onChange: () => Promise<void>;
}): JSX.Element | null {
  const { user, onChange } = props;
  const task = useTask();
  const remove = (id: string, provider: string): void =>
    void task.run(async () => {
      await adminRequest(userPath(user.id, `/links/${id}`), { method: "DELETE" });
      showToast(text("auth.user.link.removed", { provider }));
      await onChange();
    });
  if (user.linkedProviders.length === 0) return null;
  return (
    <Panel small title={text("auth.user.links")}>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <ul class="plain-list lines">
        {user.linkedProviders.map(({ id, title, upstreamId, email, username, subject, lastUsedAt }) => {
          const provider = title === "" ? upstreamId : title;
          return (
            <li key={id}>
              <span class="break">
                {provider}{" "}
                <span class="field-hint">
                  {email ?? username ?? subject} · <Ago at={lastUsedAt} />
                </span>
              </span>
              {mayChangeUsers() && (
                <Button small disabled={task.busy} onClick={() => remove(id, provider)}>
                  {text("auth.user.link.remove")} <span class="for-readers">{provider}</span>
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
