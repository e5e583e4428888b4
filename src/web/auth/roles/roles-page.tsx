/** All roles, the built-in ones first: what they allow, and those of one's own created, changed and deleted. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { RoleView } from "../../../auth/roles/view-schema.ts";
import { text } from "../../app/texts.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { FormDialog } from "../../ui/console/form-dialog.tsx";
import { Badge, Loaded, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { useTask } from "../../ui/console/problem.tsx";
import { adminRequest, mayUse } from "../../ui/console/session.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { ScopeFields } from "../../ui/rights/scope-fields.tsx";
import { describeScopes } from "../../ui/rights/scope-words.ts";
import { type RoleList, ROLES, toRoleName } from "./role-data.ts";

type Opened =
  | { readonly kind: "edit"; readonly role: RoleView | undefined }
  | { readonly kind: "delete"; readonly role: RoleView };

function RoleDialog(props: {
  /** Absent: a new one. */
  role: RoleView | undefined;
  offered: readonly string[];
  onDone: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { role, offered, onDone, onClose } = props;
  const [name, setName] = useState(role?.name ?? "");
  const [scopes, setScopes] = useState<readonly string[]>(role?.scopes ?? []);
  const task = useTask();
  async function save(): Promise<void> {
    const body = { name: name.trim(), scopes };
    if (role === undefined) await adminRequest(ROLES, { method: "POST", body });
    else await adminRequest(`${ROLES}/${role.id}`, { method: "PATCH", body });
    await onDone();
    onClose();
  }
  function submit(): void {
    const faults = new Map<string, string>();
    if (name.trim() === "") faults.set("/name", text("admin.fault.name"));
    if (scopes.length === 0) faults.set("/scopes", text("auth.roles.scopes.none"));
    if (faults.size > 0) task.refuse(faults);
    else void task.run(save);
  }
  return (
    <FormDialog
      title={role?.name ?? text("auth.roles.add")}
      action={text(role === undefined ? "auth.roles.add" : "admin.save")}
      task={task}
      pointers={["/name", "/scopes"]}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={text("admin.field.name")}
        required
        maxLength={60}
        value={name}
        error={findError(task.errors, "/name")}
        onInput={setName}
      />
      <ScopeFields
        label={text("auth.roles.scopes")}
        offered={offered}
        scopes={scopes}
        error={findError(task.errors, "/scopes")}
        onChange={setScopes}
      />
    </FormDialog>
  );
}

function RoleRow({ role, onOpen }: { role: RoleView; onOpen: (opened: Opened) => void }): JSX.Element {
  const lines = role.everything ? [text("auth.roles.everything")] : describeScopes(role.scopes);
  return (
    <li class="token-row is-role">
      <div class="token-name">
        <strong class="break">{toRoleName(role)}</strong>
        {role.builtIn && <Badge>{text("auth.roles.builtIn")}</Badge>}
      </div>
      <span>{lines.join(" · ")}</span>
      {!role.builtIn && mayUse("administrator") && (
        <div class="button-row">
          <Button small icon="edit" onClick={() => onOpen({ kind: "edit", role })}>
            {text("admin.edit")}
          </Button>
          <Button small icon="trash" kind="danger" onClick={() => onOpen({ kind: "delete", role })}>
            {text("admin.delete")}
          </Button>
        </div>
      )}
    </li>
  );
}

/** The section. */
export function RolesPage(): JSX.Element {
  const list = usePolled<RoleList>(ROLES, 0);
  const [opened, setOpened] = useState<Opened | undefined>();
  const close = (): void => setOpened(undefined);
  // Who may do everything has every scope that there is.
  const offered = list.data?.items.find(({ everything }) => everything)?.scopes ?? [];
  return (
    <>
      <PageHead title={text("auth.nav.roles")} hint={text("auth.roles.hint")}>
        {mayUse("administrator") && (
          <Button kind="primary" icon="plus" onClick={() => setOpened({ kind: "edit", role: undefined })}>
            {text("auth.roles.add")}
          </Button>
        )}
      </PageHead>
      <Loaded of={list}>
        {({ items }) => (
          <section class="admin-panel" aria-label={text("auth.nav.roles")}>
            <ul class="plain-list token-list">
              {items.map((role) => (
                <RoleRow role={role} key={role.id} onOpen={setOpened} />
              ))}
            </ul>
          </section>
        )}
      </Loaded>
      {opened?.kind === "edit" && (
        <RoleDialog role={opened.role} offered={offered} onDone={list.refresh} onClose={close} />
      )}
      {opened?.kind === "delete" && (
        <DeleteDialog
          title={text("auth.roles.delete")}
          path={`${ROLES}/${opened.role.id}`}
          name={opened.role.name}
          onDone={list.refresh}
          onClose={close}
        >
          {text("auth.roles.delete.text", { name: opened.role.name })}
        </DeleteDialog>
      )}
    </>
  );
}
