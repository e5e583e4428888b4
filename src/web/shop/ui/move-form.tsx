/** A dialog that does something about what others may change too: what is typed stays when somebody was quicker. */
import type { ComponentChildren, JSX } from "preact";
import { moveSchema } from "../../../shop/fulfilment/schema.ts";
import { ApiError } from "../../app/api.ts";
import { text } from "../../app/texts.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import { Dialog } from "../../ui/controls-dialog.tsx";
import { type Task, TaskNote, useTask } from "../../ui/console/problem.tsx";
import { toFields } from "../../ui/resource/field-source.ts";

/** Whether somebody else was quicker. */
function isStale({ code }: ApiError): boolean {
  return code === "version_conflict" || code === "stale_version";
}

/** Sends; when somebody else was quicker the data is reloaded, so that the next attempt uses it. @throws ApiError */
export async function sendFresh(work: () => Promise<unknown>, onChange: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError) || !isStale(error)) throw error;
    await onChange();
    throw new ApiError(text("shop.ui.stale"), { status: error.status, code: "shop_stale" });
  }
}

/** A task that sends so. */
export function useMove(onChange: () => Promise<void>): Task {
  const task = useTask();
  return { ...task, run: (work) => task.run(() => sendFresh(work, onChange)) };
}

/** The dialog. `action` is what its button says; `pointers` are the fields that it shows. */
export function MoveForm(props: {
  title: string;
  action: string;
  task: Task;
  pointers?: readonly string[];
  danger?: boolean | undefined;
  wide?: boolean | undefined;
  children: ComponentChildren;
  onSubmit: () => void;
  onClose: () => void;
}): JSX.Element {
  const { title, action, task, pointers = [], danger = false, wide, children, onSubmit, onClose } = props;
  return (
    <Dialog
      title={title}
      wide={wide}
      onClose={onClose}
      onSubmit={onSubmit}
      actions={
        <>
          <Button onClick={onClose}>{text("control.cancel")}</Button>
          <Button kind={danger ? "danger" : "primary"} type="submit" disabled={task.busy}>
            {action}
          </Button>
        </>
      }
    >
      <div class="stack">
        <TaskNote task={task} pointers={pointers} />
        {children}
      </div>
    </Dialog>
  );
}

/** A note that goes with it. */
export function NoteField(props: {
  value: string;
  task: Task;
  /** Whether the buyer reads it. */
  forBuyer?: boolean;
  onInput: (note: string) => void;
}): JSX.Element {
  const { value, task, forBuyer = false, onInput } = props;
  return (
    <TextField
      label={text(forBuyer ? "shop.order.noteForBuyer" : "shop.order.noteForUs")}
      hint={text(forBuyer ? "shop.order.noteForBuyer.hint" : "shop.order.noteForUs.hint")}
      error={task.errors.get("/note")}
      long
      maxLength={toFields(moveSchema)["note"]?.max}
      value={value}
      onInput={onInput}
    />
  );
}
