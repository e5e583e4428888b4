/** Adding a machine: a name, then the one line to run there, then the news that it reports. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AdminServer, EnrolmentView } from "../../../monitor/fleet/view-schema.ts";
import { text } from "../../app/texts.ts";
import { Segments, TextField } from "../../ui/controls.tsx";
import { findError } from "../forms/field-errors.ts";
import { SuggestField, WordsField } from "../field-kinds.tsx";
import { DoneDialog, FormDialog } from "../form-dialog.tsx";
import { type Task, useTask } from "../problem.tsx";
import { type CreatedServer, SERVERS } from "../server-data.ts";
import { adminRequest } from "../session.ts";
import { EnrolmentShown } from "./enrolment-shown.tsx";
import { KeyShown } from "./key-shown.tsx";

type Way = "line" | "hand";

interface NewMachine {
  readonly way: Way;
  readonly name: string;
  readonly group: string;
  readonly tags: readonly string[];
  readonly id: string;
}

type Made =
  | { readonly kind: "enrolment"; readonly enrolment: EnrolmentView }
  | { readonly kind: "key"; readonly server: CreatedServer };

const emptyMachine: NewMachine = { way: "line", name: "", group: "", tags: [], id: "" };

/** An enrolment holds the fields below "/fields", a server has them itself. */
function toFieldsPointer({ way }: NewMachine): string {
  return way === "line" ? "/fields" : "";
}

function MachineFields(props: {
  machine: NewMachine;
  task: Task;
  groups: readonly string[];
  tags: readonly string[];
  onChange: (change: Partial<NewMachine>) => void;
}): JSX.Element {
  const { machine, task, groups, tags, onChange } = props;
  const at = toFieldsPointer(machine);
  return (
    <>
      <Segments<Way>
        label={text("admin.machine.way")}
        value={machine.way}
        choices={[
          { value: "line", label: text("admin.machine.way.line") },
          { value: "hand", label: text("admin.machine.way.hand") },
        ]}
        onChange={(way) => onChange({ way })}
      />
      <p class="field-hint">{text(`admin.machine.way.${machine.way}.hint`)}</p>
      <TextField
        label={text("admin.field.name")}
        value={machine.name}
        required
        maxLength={100}
        error={findError(task.errors, `${at}/name`)}
        onInput={(name) => onChange({ name })}
      />
      <SuggestField
        label={text("admin.field.group")}
        value={machine.group}
        suggestions={groups}
        maxLength={64}
        error={findError(task.errors, `${at}/group`)}
        onInput={(group) => onChange({ group })}
      />
      <WordsField
        label={text("admin.field.tags")}
        hint={text("admin.field.tags.hint")}
        words={machine.tags}
        suggestions={tags}
        error={findError(task.errors, `${at}/tags`)}
        onChange={(words) => onChange({ tags: words })}
      />
      {machine.way === "hand" && (
        <TextField
          label={text("admin.field.id")}
          hint={text("admin.field.id.hint")}
          value={machine.id}
          maxLength={64}
          error={findError(task.errors, "/id")}
          onInput={(id) => onChange({ id })}
        />
      )}
    </>
  );
}

async function makeMachine(machine: NewMachine): Promise<Made> {
  const { way, group, tags } = machine;
  const fields = { name: machine.name.trim(), group: group.trim(), tags };
  if (way === "line")
    return {
      kind: "enrolment",
      enrolment: await adminRequest("/api/admin/enrolments", { method: "POST", body: { fields } }),
    };
  const id = machine.id.trim();
  const body = { ...fields, ...(id === "" ? {} : { id }) };
  return { kind: "key", server: await adminRequest(SERVERS, { method: "POST", body }) };
}

function enrolAgain(server: AdminServer): Promise<EnrolmentView> {
  return adminRequest("/api/admin/enrolments", { method: "POST", body: { serverId: server.id } });
}

function MadeDialog(props: {
  title: string;
  made: Made;
  busy: boolean;
  since: string | undefined;
  onDone: () => Promise<void>;
  onAgain: () => void;
  onClose: () => void;
}): JSX.Element {
  const { title, made, busy, since, onDone, onAgain, onClose } = props;
  return (
    <DoneDialog title={title} onClose={onClose}>
      {made.kind === "key" ? (
        <KeyShown made={made.server} />
      ) : (
        <EnrolmentShown
          key={made.enrolment.code}
          enrolment={made.enrolment}
          busy={busy}
          since={since}
          onDone={onDone}
          onAgain={onAgain}
        />
      )}
    </DoneDialog>
  );
}

/**
 * The dialog. With `server` it makes a line for another machine in the place of that one; without, a new
 * server. `onDone` is called when something was made.
 */
export function AddMachineDialog(props: {
  server?: AdminServer | undefined;
  groups: readonly string[];
  tags: readonly string[];
  onDone: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { server, groups, tags, onDone, onClose } = props;
  const [machine, setMachine] = useState(emptyMachine);
  const [made, setMade] = useState<Made | undefined>();
  // Of the server as it was: its key is another one as soon as the line was run.
  const [since] = useState(server?.agent.keyRotatedAt);
  const task = useTask();
  const at = toFieldsPointer(machine);
  async function make(): Promise<void> {
    setMade(
      server === undefined
        ? await makeMachine(machine)
        : { kind: "enrolment", enrolment: await enrolAgain(server) },
    );
    await onDone();
  }
  function submit(): void {
    if (server === undefined && machine.name.trim() === "")
      task.refuse(new Map([[`${at}/name`, text("admin.fault.name")]]));
    else void task.run(make);
  }
  const title = text(server === undefined ? "admin.machine.title" : "admin.machine.again");
  const again = (): void => void task.run(make);
  const shared = { title, since, busy: task.busy, onDone, onClose, onAgain: again };
  // Another element, so that the dialog opens anew and the focus is at its beginning.
  if (made !== undefined) return <MadeDialog key="made" made={made} {...shared} />;
  return (
    <FormDialog
      title={title}
      action={text("admin.machine.make")}
      task={task}
      pointers={server === undefined ? ["/id", `${at}/name`, `${at}/group`, `${at}/tags`] : []}
      onClose={onClose}
      onSubmit={submit}
    >
      {server === undefined ? (
        <MachineFields
          machine={machine}
          task={task}
          groups={groups}
          tags={tags}
          onChange={(change) => setMachine((before) => ({ ...before, ...change }))}
        />
      ) : (
        <p>{text("admin.machine.again.text", { name: server.name })}</p>
      )}
    </FormDialog>
  );
}
