/** Deleting servers: says what is lost, and wants it typed. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AdminServer } from "../../../monitor/fleet/view-schema.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { Dialog } from "../../ui/controls-dialog.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { PhraseField } from "../../ui/console/confirm-task.tsx";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toServerPath } from "../server-data.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { runEach } from "./bulk.ts";

const SHOWN_NAMES = 10;

function Names({ servers }: { servers: readonly AdminServer[] }): JSX.Element {
  const rest = servers.length - SHOWN_NAMES;
  return (
    <ul class="name-list">
      {servers.slice(0, SHOWN_NAMES).map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
      {rest > 0 && <li>{text("admin.more", { count: rest })}</li>}
    </ul>
  );
}

/** The dialog; `onDone` is called when all of them are gone. */
export function DeleteDialog(props: {
  servers: readonly AdminServer[];
  onDone: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { servers, onDone, onClose } = props;
  const [typed, setTyped] = useState("");
  const [done, setDone] = useState<number | undefined>();
  const [failure, setFailure] = useState<string | undefined>();
  const [first] = servers;
  const phrase = servers.length === 1 && first ? first.name : String(servers.length);
  const busy = done !== undefined;

  async function remove(): Promise<void> {
    setDone(0);
    setFailure(undefined);
    const failures = await runEach(servers, {
      work: ({ id }) => adminRequest(toServerPath(id), { method: "DELETE" }),
      onProgress: setDone,
    });
    setDone(undefined);
    if (failures.length > 0) {
      setFailure(failures.map(({ item, message }) => `${item.name}: ${message}`).join(" "));
      return;
    }
    showToast(text("admin.delete.done", { count: servers.length }));
    onClose();
    await onDone();
  }
  return (
    <Dialog
      title={text(servers.length === 1 ? "admin.delete.one" : "admin.delete.many", { count: servers.length })}
      onClose={onClose}
      onSubmit={() => {
        if (typed.trim() === phrase.trim() && !busy) void remove();
      }}
      actions={
        <>
          <Button onClick={onClose}>{text("control.cancel")}</Button>
          <Button kind="danger" type="submit" disabled={busy || typed.trim() !== phrase.trim()}>
            {busy ? `${done} / ${servers.length}` : text("admin.delete")}
          </Button>
        </>
      }
    >
      {failure !== undefined && <ErrorNote message={failure} />}
      <Names servers={servers} />
      <p>{text("admin.delete.lost")}</p>
      <PhraseField phrase={phrase} value={typed} onInput={setTyped} />
    </Dialog>
  );
}
