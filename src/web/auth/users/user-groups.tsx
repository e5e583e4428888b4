/** The groups of an account: taken in, taken out. */
import type { JSX } from "preact";
import type { AdminUserDetailsView } from "../../../auth/accounts/view-schema.ts";
import type { GroupView } from "../../../auth/groups/schema.ts";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button, Select } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { GROUPS, useEvery } from "../applications/application-data.ts";
import { Panel } from "../../ui/panel.tsx";
import { mayChangeUsers } from "./user-data.ts";

/** The panel. */
export function UserGroups(props: {
  user: AdminUserDetailsView;
  onChange: () => Promise<void>;
}): JSX.Element {
  const { user, onChange } = props;
  const all = useEvery<GroupView>(GROUPS);
  const [chosen, setChosen] = useState("");
  const task = useTask();
  const titles = new Map(all.items.map(({ id, title }) => [id, title]));
  const further = all.items.filter(({ id }) => !user.groups.includes(id));
  const set = (id: string, isMember: boolean): void =>
    void task.run(async () => {
      await adminRequest(`${GROUPS}/${id}/members/${user.id}`, { method: isMember ? "PUT" : "DELETE" });
      showToast(text(isMember ? "auth.groups.taken" : "auth.groups.removed", { name: user.username }));
      setChosen("");
      await onChange();
    });
  return (
    <Panel small title={text("auth.nav.groups")}>
      {all.error && <ErrorNote message={toMessage(all.error)} onRetry={all.refresh} />}
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {user.groups.length === 0 && <p class="field-hint">{text("auth.user.noGroups")}</p>}
      <ul class="plain-list lines">
        {user.groups.map((id) => (
          <li key={id}>
            <a href={`/admin/groups/${id}`}>{titles.get(id) ?? id}</a>
            {mayChangeUsers() && (
              <Button small disabled={task.busy} onClick={() => set(id, false)}>
                {text("auth.groups.remove")} <span class="for-readers">{titles.get(id) ?? id}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {!all.error && all.items.length === 0 && mayChangeUsers() && (
        <p>
          <a href="/admin/groups">{text("auth.user.groups.create")}</a>
        </p>
      )}
      {further.length > 0 && mayChangeUsers() && (
        <div class="button-row">
          <Select<string>
            label={text("auth.user.groups.choose")}
            value={chosen}
            choices={[
              { value: "", label: text("auth.user.groups.choose") },
              ...further.map(({ id, title }) => ({ value: id, label: title })),
            ]}
            onChange={setChosen}
          />
          <Button disabled={task.busy || chosen === ""} onClick={() => set(chosen, true)}>
            {text("auth.groups.take")}
          </Button>
        </div>
      )}
    </Panel>
  );
}
