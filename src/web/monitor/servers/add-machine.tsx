/** Adding machines: for whom the key is, then the line to run there, then the news that they report. */
import { describeSchema } from "../../../kit/fields/describe.ts";
import { serverFieldsSchema } from "../../../monitor/base/schema.ts";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AdminServer } from "../../../monitor/fleet/view-schema.ts";
import type { EnrolmentView } from "../../../monitor/ingest/enrolment-schema.ts";
import { toSpan } from "../../app/format.ts";
import { text, withHint } from "../../app/texts.ts";
import { Segments, SelectField, TextField } from "../../ui/controls.tsx";
import { findError } from "../../ui/forms/field-errors.ts";
import { SuggestField, WordsField } from "../../ui/console/field-kinds.tsx";
import { DoneDialog, FormDialog } from "../../ui/console/form-dialog.tsx";
import { type Task, useTask } from "../../ui/console/problem.tsx";
import { type CreatedServer, ENROLMENTS, SERVERS } from "../server-data.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { EnrolmentShown } from "./enrolment-shown.tsx";
import { KeyShown } from "./key-shown.tsx";

const bounds = describeSchema(serverFieldsSchema);

type Way = "one" | "many" | "hand";

/** How long a key for many machines is good, in seconds. */
const lives = ["3600", "86400", "604800", "2592000"] as const;
type Life = (typeof lives)[number];

interface NewMachine {
  readonly way: Way;
  /** How many machines, as typed. */
  readonly uses: string;
  readonly life: Life;
  readonly name: string;
  readonly group: string;
  readonly tags: readonly string[];
  readonly id: string;
}

type Made =
  | { readonly kind: "enrolment"; readonly enrolment: EnrolmentView }
  | { readonly kind: "key"; readonly server: CreatedServer };

const emptyMachine: NewMachine = {
  way: "one",
  uses: "20",
  life: "86400",
  name: "",
  group: "",
  tags: [],
  id: "",
};

/** An enrolment holds the fields below "/fields", a server has them itself. */
function toFieldsPointer({ way }: NewMachine): string {
  return way === "hand" ? "" : "/fields";
}

/** For how many machines a key is, and how long. */
function ManyFields(props: {
  machine: NewMachine;
  task: Task;
  onChange: (change: Partial<NewMachine>) => void;
}): JSX.Element {
  const { machine, task, onChange } = props;
  return (
    <>
      <TextField
        label={text("admin.machine.uses")}
        value={machine.uses}
        inputMode="numeric"
        maxLength={4}
        error={findError(task.errors, "/uses")}
        onInput={(uses) => onChange({ uses })}
      />
      <SelectField<Life>
        label={text("admin.machine.life")}
        value={machine.life}
        choices={lives.map((value) => ({ value, label: toSpan(Number(value) * 1_000) }))}
        onChange={(life) => onChange({ life })}
      />
    </>
  );
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
        choices={(["one", "many", "hand"] as const).map((value) => ({
          value,
          label: text(`admin.machine.way.${value}`),
        }))}
        onChange={(way) => onChange({ way })}
      />
      <p class="field-hint">{text(`admin.machine.way.${machine.way}.hint`)}</p>
      {machine.way === "many" ? (
        <ManyFields machine={machine} task={task} onChange={onChange} />
      ) : (
        <TextField
          label={text("admin.field.name")}
          hint={machine.way === "one" ? text("admin.machine.name.hint") : undefined}
          value={machine.name}
          required={machine.way === "hand"}
          maxLength={bounds.name.max}
          error={findError(task.errors, `${at}/name`)}
          onInput={(name) => onChange({ name })}
        />
      )}
      <SuggestField
        label={text("admin.field.group")}
        value={machine.group}
        suggestions={groups}
        maxLength={bounds.group.max}
        error={findError(task.errors, `${at}/group`)}
        onInput={(group) => onChange({ group })}
      />
      <WordsField
        {...withHint("admin.field.tags")}
        words={machine.tags}
        suggestions={tags}
        error={findError(task.errors, `${at}/tags`)}
        onChange={(words) => onChange({ tags: words })}
      />
      {machine.way === "hand" && (
        <TextField
          {...withHint("admin.field.id")}
          value={machine.id}
          error={findError(task.errors, "/id")}
          onInput={(id) => onChange({ id })}
        />
      )}
    </>
  );
}

async function makeMachine(machine: NewMachine): Promise<Made> {
  const { way, group, tags } = machine;
  const name = machine.name.trim();
  const shared = { group: group.trim(), tags };
  if (way === "hand") {
    const body = { ...shared, name, id: machine.id.trim() || undefined };
    return { kind: "key", server: await adminRequest(SERVERS, { method: "POST", body }) };
  }
  const many = { fields: shared, uses: Number(machine.uses), lifeSeconds: Number(machine.life) };
  const one = { fields: name === "" ? shared : { ...shared, name } };
  const body = way === "many" ? many : one;
  return { kind: "enrolment", enrolment: await adminRequest(ENROLMENTS, { method: "POST", body }) };
}

/** What can be said before the service is asked, with the place of the field. */
function findFault({ way, name, uses }: NewMachine): [string, string] | undefined {
  if (way === "hand" && name.trim() === "") return ["/name", text("admin.fault.name")];
  const isNumber = /^[1-9]\d{0,2}$|^1000$/u.test(uses.trim());
  return way === "many" && !isNumber ? ["/uses", text("admin.machine.uses.fault")] : undefined;
}

function enrolAgain(server: AdminServer): Promise<EnrolmentView> {
  return adminRequest(ENROLMENTS, { method: "POST", body: { serverId: server.id } });
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
    const fault = server === undefined ? findFault(machine) : undefined;
    if (fault !== undefined) task.refuse(new Map([fault]));
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
      pointers={server === undefined ? ["/id", "/uses", `${at}/name`, `${at}/group`, `${at}/tags`] : []}
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
