/** Adding machines: for whom the key is, then the line to run there, then the news that they report. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { z } from "zod";
import type { AdminServer, CreatedServer } from "../../../monitor/fleet/view-schema.ts";
import { type EnrolmentView, newMachineSchema } from "../../../monitor/ingest/enrolment-schema.ts";
import { toSpan } from "../../app/format.ts";
import { findText, text } from "../../app/texts.ts";
import { DoneDialog, FormDialog } from "../../ui/console/form-dialog.tsx";
import { useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { makeForm } from "../../ui/resource/form.ts";
import { type Form, toText } from "../../ui/resource/kind.ts";
import { choiceKind } from "../../ui/resource/kinds.tsx";
import { suggestKind } from "../../ui/resource/reference-kinds.tsx";
import { suggestedTagsKind } from "../../ui/resource/set-kinds.tsx";
import { ENROLMENTS, SERVERS } from "../server-data.ts";
import { EnrolmentShown } from "./enrolment-shown.tsx";
import { KeyShown } from "./key-shown.tsx";

/** How long a key for many machines is good, in seconds. */
const lives = [3_600, 86_400, 604_800, 2_592_000];

interface Known {
  readonly groups: readonly string[];
  readonly tags: readonly string[];
}

type Way = "one" | "many" | "hand";
const isWay =
  (...ways: readonly Way[]) =>
  ({ way }: Form): boolean =>
    ways.some((one) => one === way);

function WayHint({ form }: { form: Form }): JSX.Element {
  return <p class="field-hint">{findText(`admin.machine.way.${toText(form["way"])}.hint`)}</p>;
}

export const newMachine = makeForm<typeof newMachineSchema, Known>({
  schema: newMachineSchema,
  words: "admin.machine",
  fields: {
    way: { kind: choiceKind({ as: "segments" }) },
    uses: { when: isWay("many"), json: { initial: 20 } },
    lifeSeconds: {
      when: isWay("many"),
      label: "admin.machine.life",
      kind: choiceKind({ as: "list", toLabel: (seconds) => toSpan(Number(seconds) * 1_000) }),
      json: { choices: lives, initial: 86_400 },
    },
    name: {
      when: isWay("one", "hand"),
      label: ({ way }) => (way === "one" ? "admin.machine.name" : "admin.field.name"),
    },
    group: { kind: suggestKind(({ groups }) => groups), label: "admin.field.group" },
    tags: { kind: suggestedTagsKind(({ tags }) => tags), label: "admin.field.tags" },
    id: { when: isWay("hand"), label: "admin.field.id" },
  },
  panels: [
    { fields: ["way"], Below: WayHint },
    { fields: ["uses", "lifeSeconds", "name", "group", "tags", "id"] },
  ],
  check: ({ way, name }) =>
    new Map(way === "hand" && name === undefined ? [["/name", "admin.fault.name"]] : []),
});

type Made =
  | { readonly kind: "enrolment"; readonly enrolment: EnrolmentView }
  | { readonly kind: "key"; readonly server: CreatedServer };

async function makeMachine({
  way,
  uses,
  lifeSeconds,
  id,
  ...fields
}: z.input<typeof newMachineSchema>): Promise<Made> {
  if (way === "hand")
    return { kind: "key", server: await adminRequest(SERVERS, { method: "POST", body: { ...fields, id } }) };
  const body = way === "many" ? { fields, uses, lifeSeconds } : { fields };
  return { kind: "enrolment", enrolment: await adminRequest(ENROLMENTS, { method: "POST", body }) };
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
  const [sent, setSent] = useState<z.input<typeof newMachineSchema>>();
  const [made, setMade] = useState<Made | undefined>();
  // Of the server as it was: its key is another one as soon as the line was run.
  const [since] = useState(server?.agent.keyRotatedAt);
  const task = useTask();
  async function make(fields: z.input<typeof newMachineSchema> | undefined): Promise<void> {
    if (server !== undefined) setMade({ kind: "enrolment", enrolment: await enrolAgain(server) });
    else if (fields !== undefined) setMade(await makeMachine(fields));
    setSent(fields);
    await onDone();
  }
  const title = text(server === undefined ? "admin.servers.add" : "admin.machine.again");
  const again = (): void => void task.run(() => make(sent));
  // A new element, so that the dialog opens again with the focus at its beginning.
  if (made !== undefined)
    return (
      <MadeDialog
        key="made"
        made={made}
        title={title}
        since={since}
        busy={task.busy}
        onDone={onDone}
        onClose={onClose}
        onAgain={again}
      />
    );
  if (server === undefined)
    return (
      <FieldsDialog
        title={title}
        action={text("admin.machine.make")}
        form={newMachine}
        context={{ groups, tags }}
        send={make}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title={title}
      action={text("admin.machine.make")}
      task={task}
      onClose={onClose}
      onSubmit={() => void task.run(() => make(undefined))}
    >
      <p>{text("admin.machine.again.text", { name: server.name })}</p>
    </FormDialog>
  );
}
