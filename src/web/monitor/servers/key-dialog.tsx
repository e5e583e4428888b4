/** A new key for a server's agent, shown once. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AdminServer } from "../../../monitor/fleet/view-schema.ts";
import { text, withHint } from "../../app/texts.ts";
import { SelectField } from "../../ui/controls.tsx";
import { DoneDialog, FormDialog } from "../../ui/console/form-dialog.tsx";
import { useTask } from "../../ui/console/problem.tsx";
import { type CreatedServer, toServerPath } from "../server-data.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { KeyShown } from "./key-shown.tsx";

/** How long the old key may work on, in seconds. */
const graces = ["0", "3600", "86400"] as const;
type Grace = (typeof graces)[number];

/** Asks how long the old key works on, makes a new one and shows it. */
export function KeyDialog(props: {
  server: AdminServer;
  onDone: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { server, onDone, onClose } = props;
  const [grace, setGrace] = useState<Grace>("3600");
  const [made, setMade] = useState<CreatedServer | undefined>();
  const task = useTask();
  if (made !== undefined)
    return (
      <DoneDialog title={text("admin.key.title")} onClose={onClose}>
        <KeyShown made={made} />
      </DoneDialog>
    );
  async function rotate(): Promise<void> {
    const path = `${toServerPath(server.id)}/rotate-key`;
    setMade(await adminRequest(path, { method: "POST", body: { graceSeconds: Number(grace) } }));
    await onDone();
  }
  return (
    <FormDialog
      title={text("admin.key.title")}
      onClose={onClose}
      action={text("admin.key.make")}
      task={task}
      onSubmit={() => void task.run(rotate)}
    >
      <p>{text("admin.key.text", { name: server.name })}</p>
      <SelectField<Grace>
        {...withHint("admin.key.grace")}
        value={grace}
        choices={graces.map((value) => ({ value, label: text(`admin.key.grace.${value}`) }))}
        onChange={setGrace}
      />
    </FormDialog>
  );
}
