/** Making, editing and deleting a group. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import type { Assurance } from "../../../auth/base/policy-schema.ts";
import { Select, TextField } from "../../ui/controls.tsx";
import { Dialog } from "../../ui/controls-dialog.tsx";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { FormDialog } from "../../ui/console/form-dialog.tsx";
import { useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { type ApplicationView, GROUPS, type GroupView } from "../applications/application-data.ts";
import { NameFields } from "../applications/name-fields.tsx";

/** Asks for a name and an id. */
export function AddGroup(props: { onMade: (group: GroupView) => void; onClose: () => void }): JSX.Element {
  const { onMade, onClose } = props;
  const [naming, setNaming] = useState({ name: "", id: "" });
  const task = useTask();
  async function add(): Promise<void> {
    const body = { id: naming.id.trim(), title: naming.name.trim() };
    onMade(await adminRequest<GroupView>(GROUPS, { method: "POST", body }));
  }
  return (
    <FormDialog
      title={text("auth.groups.add")}
      action={text("auth.groups.add")}
      task={task}
      pointers={["/title", "/id"]}
      onSubmit={() => void task.run(add)}
      onClose={onClose}
    >
      <div class="stack">
        <NameFields
          form={naming}
          errors={task.errors}
          pointer="/title"
          label="admin.field.name"
          idLabel="auth.groups.id"
          idHint="auth.groups.id.hint"
          onChange={(change) => setNaming({ ...naming, ...change })}
        />
      </div>
    </FormDialog>
  );
}

interface GroupDialogProps {
  readonly group: GroupView;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for another name, and what sign-ins of the members must prove. */
export function EditGroup({ group, onDone, onClose }: GroupDialogProps): JSX.Element {
  const [title, setTitle] = useState(group.title);
  const [assurance, setAssurance] = useState<Assurance>(group.minimumAssurance ?? "any");
  const task = useTask();
  async function save(): Promise<void> {
    const { id, version } = group;
    const body = { title: title.trim(), minimumAssurance: assurance };
    await adminRequest(`${GROUPS}/${id}`, { method: "PATCH", body, version });
    await onDone();
    onClose();
  }
  return (
    <FormDialog
      title={text("auth.groups.rename")}
      action={text("admin.save")}
      task={task}
      pointers={["/title", "/minimumAssurance"]}
      onSubmit={() => void task.run(save)}
      onClose={onClose}
    >
      <div class="stack">
        <TextField
          label={text("admin.field.name")}
          maxLength={100}
          value={title}
          error={findError(task.errors, "/title")}
          onInput={setTitle}
        />
        <Select<Assurance>
          label={text("auth.groups.assurance")}
          value={assurance}
          choices={(["any", "two-factor", "phishing-resistant"] as const).map((value) => ({
            value,
            label: text(`auth.policy.assurance.${value}`),
          }))}
          onChange={setAssurance}
        />
        <p class="field-hint">{text("auth.groups.assurance.hint")}</p>
      </div>
    </FormDialog>
  );
}

/** Asks before a group is deleted; while applications name it, it says which instead. */
export function DeleteGroup(
  props: GroupDialogProps & { applications: readonly ApplicationView[] },
): JSX.Element {
  const { group, applications, onDone, onClose } = props;
  if (applications.length > 0)
    return (
      <Dialog title={text("auth.groups.delete")} onClose={onClose}>
        <p>{text("auth.groups.named")}</p>
        <ul>
          {applications.map(({ id, name }) => (
            <li key={id}>
              <a href={`/admin/applications/${id}`}>{name}</a>
            </li>
          ))}
        </ul>
      </Dialog>
    );
  return (
    <DeleteDialog
      title={text("auth.groups.delete")}
      path={`${GROUPS}/${group.id}`}
      name={group.title}
      onDone={onDone}
      onClose={onClose}
    >
      {text("auth.groups.delete.text", { name: group.title })}
    </DeleteDialog>
  );
}
