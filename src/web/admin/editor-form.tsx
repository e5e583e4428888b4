/** The form around the fields of something that others may edit too: errors, saving, leaving, conflicts. */
import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import { ConflictDialog } from "./conflict-dialog.tsx";
import type { Versions } from "./forms/conflict.ts";
import { type Task, TaskNote } from "./problem.tsx";
import { focusFirstError, SaveBar } from "./save-bar.tsx";
import { UnsavedGuard } from "./unsaved.tsx";

/** What is being edited: `Form` as it is typed, `Fields` as they are sent. */
export interface Editor<Form, Fields> {
  readonly form: Form;
  readonly dirty: boolean;
  readonly task: Task;
  readonly conflict: Versions<Fields> | undefined;
  change(change: Partial<Form>): void;
  revert(): void;
  /** Saves; resolves with whether every field was good. */
  save(): Promise<boolean>;
  resolve(fields: Fields): Promise<void>;
  giveUp(): void;
}

/** The form; `pointers` are the fields that it shows, so that what is wrong with others is said beside it. */
export function EditorForm<Form, Fields extends object>(props: {
  label: string;
  editor: Editor<Form, Fields>;
  pointers: readonly string[];
  children: ComponentChildren;
}): JSX.Element {
  const { label, editor, pointers, children } = props;
  const { dirty, task, conflict } = editor;
  const root = useRef<HTMLFormElement>(null);
  return (
    <>
      <form
        ref={root}
        class="stack"
        noValidate
        aria-label={label}
        onSubmit={(event) => {
          event.preventDefault();
          void editor.save().then((good) => good || focusFirstError(root.current));
        }}
      >
        <TaskNote task={task} pointers={pointers} />
        {children}
        <SaveBar dirty={dirty} busy={task.busy} onRevert={editor.revert} />
      </form>
      <UnsavedGuard dirty={dirty} />
      {conflict && (
        <ConflictDialog
          versions={conflict}
          busy={task.busy}
          onResolve={(fields) => void editor.resolve(fields)}
          onClose={editor.giveUp}
        />
      )}
    </>
  );
}
