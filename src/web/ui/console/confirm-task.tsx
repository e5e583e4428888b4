/** Asks before something is done, and does it; a refusal is shown inside. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { TextField } from "../controls.tsx";
import { ConfirmDialog } from "../controls-dialog.tsx";
import { ErrorNote, useTask } from "./problem.tsx";

/** A phrase that must be typed before something is deleted. */
export function PhraseField(props: {
  phrase: string;
  value: string;
  onInput: (value: string) => void;
}): JSX.Element {
  const { phrase, value, onInput } = props;
  return (
    <TextField
      label={text("admin.delete.type", { phrase })}
      value={value}
      onInput={onInput}
      autoComplete="off"
    />
  );
}

/** The dialog; `send` does it and closes the dialog, or throws what was refused. */
export function ConfirmTask(props: {
  title: string;
  /** Label of the button; the title by default. */
  action?: string;
  danger?: boolean;
  /** Must be typed first, where much would be lost. */
  phrase?: string;
  children: ComponentChildren;
  send: () => Promise<unknown>;
  onClose: () => void;
}): JSX.Element {
  const { title, action = title, phrase, danger = phrase !== undefined, children, send, onClose } = props;
  const [typed, setTyped] = useState("");
  const task = useTask();
  return (
    <ConfirmDialog
      title={title}
      action={action}
      danger={danger}
      busy={task.busy || (phrase !== undefined && typed !== phrase)}
      onClose={onClose}
      onConfirm={() => void task.run(send)}
    >
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {typeof children === "string" ? <p>{children}</p> : children}
      {phrase !== undefined && <PhraseField phrase={phrase} value={typed} onInput={setTyped} />}
    </ConfirmDialog>
  );
}
