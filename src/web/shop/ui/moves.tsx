/** Doing something about what others may change too: what is typed stays when somebody was quicker. */
import type { JSX } from "preact";
import { moveSchema } from "../../../shop/fulfilment/schema.ts";
import { ApiError } from "../../app/api.ts";
import { text } from "../../app/texts.ts";
import { TextField } from "../../ui/controls.tsx";
import { type Task, useTask } from "../../ui/console/problem.tsx";
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
