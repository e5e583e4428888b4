/** A new key for a server's agent, shown once. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import {
  type AdminServer,
  type CreatedServer,
  keyRotationSchema,
} from "../../../monitor/fleet/view-schema.ts";
import { text } from "../../app/texts.ts";
import { DoneDialog } from "../../ui/console/form-dialog.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { makeForm } from "../../ui/resource/form.ts";
import { choiceKind } from "../../ui/resource/kinds.tsx";
import { toServerPath } from "../server-data.ts";
import { KeyShown } from "./key-shown.tsx";

const form = makeForm({
  schema: keyRotationSchema,
  words: "admin.key",
  fields: {
    graceSeconds: {
      label: "admin.key.grace",
      kind: choiceKind({ as: "list" }),
      json: { choices: [0, 3_600, 86_400], initial: 3_600 },
    },
  },
});

/** Asks how long the old key stays valid, creates a new one and shows it. */
export function KeyDialog(props: {
  server: AdminServer;
  onDone: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { server, onDone, onClose } = props;
  const [made, setMade] = useState<CreatedServer | undefined>();
  if (made !== undefined)
    return (
      <DoneDialog title={text("admin.key.title")} onClose={onClose}>
        <KeyShown made={made} />
      </DoneDialog>
    );
  return (
    <FieldsDialog
      title={text("admin.key.title")}
      action={text("admin.key.make")}
      form={form}
      context={undefined}
      above={<p>{text("admin.key.text", { name: server.name })}</p>}
      send={async (body) => {
        const path = `${toServerPath(server.id)}/rotate-key`;
        setMade(await adminRequest<CreatedServer>(path, { method: "POST", body }));
        await onDone();
      }}
      onClose={onClose}
    />
  );
}
