/** The form around the fields of something that others may edit too: errors, saving, leaving, conflicts. */
import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import { lazy } from "../../pages/lazy.tsx";
import { mergeVersions } from "../forms/conflict.ts";
import { TaskNote } from "./problem.tsx";
import { focusFirstError, SaveBar } from "./save-bar.tsx";
import { UnsavedGuard } from "./unsaved.tsx";
import type { Editor } from "./use-editor.ts";

// Few saves meet another one.
const ConflictDialog = lazy(async () => (await import("./conflict-dialog.tsx")).ConflictDialog<object>, null);

/** The form; `pointers` are the fields that it shows, so that what is wrong with others is said beside it. */
export function EditorForm<Stored, Form, Fields extends object>(props: {
  label: string;
  editor: Editor<Stored, Form, Fields>;
  pointers: readonly string[];
  /** The person may look at the fields, but not change them. */
  isReadOnly?: boolean;
  children: ComponentChildren;
}): JSX.Element {
  const { label, editor, pointers, isReadOnly = false, children } = props;
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
        {isReadOnly ? (
          <fieldset class="plain-fieldset read-only stack" disabled>
            {children}
          </fieldset>
        ) : (
          children
        )}
        {!isReadOnly && <SaveBar dirty={dirty} busy={task.busy} onRevert={editor.revert} />}
      </form>
      <UnsavedGuard dirty={dirty} />
      {conflict && (
        <ConflictDialog
          versions={conflict}
          busy={task.busy}
          onResolve={(keepMine) => void editor.resolve(mergeVersions(conflict, keepMine))}
          onClose={editor.giveUp}
        />
      )}
    </>
  );
}
