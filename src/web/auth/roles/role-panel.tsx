/** The roles of an account or a group: assigned and removed. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { RoleView } from "../../../auth/roles/view-schema.ts";
import { text } from "../../app/texts.ts";
import { Button, Select } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { Loaded } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest, mayUse } from "../../ui/console/session.ts";
import { Panel } from "../../ui/panel.tsx";
import { type RoleList, ROLES, toRoleName } from "./role-data.ts";

interface RolesProps {
  readonly items: readonly RoleView[];
  readonly busy: boolean;
  readonly onChoose: (id: string) => void;
}

function HeldRoles({ items, busy, onChoose }: RolesProps): JSX.Element {
  if (items.length === 0) return <p class="field-hint">{text("auth.roles.none")}</p>;
  return (
    <ul class="plain-list lines">
      {items.map((role) => (
        <li key={role.id}>
          {toRoleName(role)}
          {mayUse("administrator") && (
            <Button small disabled={busy} onClick={() => onChoose(role.id)}>
              {text("auth.roles.remove")} <span class="for-readers">{toRoleName(role)}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function AssignRole({ items, busy, onChoose }: RolesProps): JSX.Element {
  const [chosen, setChosen] = useState("");
  const choices = items.map((role) => ({ value: role.id, label: toRoleName(role) }));
  return (
    <div class="button-row">
      <Select<string>
        label={text("auth.roles.choose")}
        value={chosen}
        choices={[{ value: "", label: text("auth.roles.choose") }, ...choices]}
        onChange={setChosen}
      />
      <Button
        disabled={busy || chosen === ""}
        onClick={() => {
          onChoose(chosen);
          setChosen("");
        }}
      >
        {text("auth.roles.assign")}
      </Button>
    </div>
  );
}

/** The panel; PUT at `path` sets all of the roles. */
export function RolePanel(props: {
  roles: readonly string[];
  path: string;
  /** Whether roles that allow everything can be assigned. */
  isForPeople: boolean;
  onChange: () => Promise<void>;
}): JSX.Element {
  const { roles, path, isForPeople, onChange } = props;
  const list = usePolled<RoleList>(ROLES, 0);
  const task = useTask();
  const set = (next: readonly string[]): void =>
    void task.run(async () => {
      await adminRequest(path, { method: "PUT", body: { roles: next } });
      showToast(text("auth.roles.saved"));
      await onChange();
    });
  const items = list.data?.items ?? [];
  // A deleted role may still be named.
  const held = items.filter(({ id }) => roles.includes(id));
  const heldIds = held.map(({ id }) => id);
  const further = items.filter(({ id, everything }) => !roles.includes(id) && (isForPeople || !everything));
  return (
    <Panel small title={text("auth.nav.roles")}>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <Loaded of={list}>
        {() => (
          <HeldRoles
            items={held}
            busy={task.busy}
            onChoose={(id) => set(heldIds.filter((each) => each !== id))}
          />
        )}
      </Loaded>
      {list.data && mayUse("administrator") && (
        <AssignRole items={further} busy={task.busy} onChoose={(id) => set([...heldIds, id])} />
      )}
    </Panel>
  );
}
