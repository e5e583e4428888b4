/** Tasks of pages, and their errors. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { ApiError } from "../../app/api.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../controls.tsx";
import { showToast } from "../controls-toast.tsx";
import { Icon } from "../icons.tsx";
import { toFieldErrors, toMessage } from "../forms/fault-words.ts";
import { type FieldErrors, findUnplaced, noErrors } from "../forms/field-errors.ts";

/** An error beside what it belongs to; screen readers say it at once. */
export function ErrorNote({ message, onRetry }: { message: string; onRetry?: () => void }): JSX.Element {
  return (
    <div class="admin-note is-bad" role="alert">
      <Icon name="alert" />
      <span>{message}</span>
      {onRetry && (
        <Button small onClick={onRetry}>
          {text("admin.retry")}
        </Button>
      )}
    </div>
  );
}

/** Shows what went wrong in a corner, for actions that have no form. */
export function showProblem(error: unknown): void {
  showToast(toMessage(error), "bad");
}

export interface Task {
  readonly busy: boolean;
  /** Error of the last run, if it failed. */
  readonly message: string | undefined;
  /** Errors by field. */
  readonly errors: FieldErrors;
  /** What must be set before it goes well, as the service names it. */
  readonly setting: string | undefined;
  /** Runs `work` unless it runs already; resolves with whether it went well. */
  run(work: () => Promise<unknown>): Promise<boolean>;
  /** Shows errors that the page found itself. */
  refuse(errors: FieldErrors): void;
  /** Runs the last work again. */
  again(): void;
  clear(): void;
}

/** Draws the button that sets what a refusal names; `onDone` follows. */
type Remedy = (props: { setting: string; onDone: () => void }) => JSX.Element | null;
let remedy: Remedy | undefined;

/** Called once, before a console with such settings is drawn. */
export function setRemedy(given: Remedy): void {
  remedy = given;
}

function toSetting(error: unknown): string | undefined {
  const { setting } = error instanceof ApiError ? error.details : {};
  return typeof setting === "string" ? setting : undefined;
}

/** Something that is sent and can fail: whether it is under way, and what to show at which field. */
export function useTask(): Task {
  const [state, setState] = useState<{
    busy: boolean;
    message?: string;
    errors: FieldErrors;
    setting?: string | undefined;
  }>({ busy: false, errors: noErrors });
  const last = useRef<() => Promise<unknown>>();
  const task: Task = {
    busy: state.busy,
    message: state.message,
    errors: state.errors,
    setting: state.setting,
    run: async (work) => {
      if (state.busy) return false;
      last.current = work;
      setState({ busy: true, errors: noErrors });
      try {
        await work();
        setState({ busy: false, errors: noErrors });
        return true;
      } catch (error) {
        const errors = error instanceof ApiError ? toFieldErrors(error) : noErrors;
        const message = errors.size > 0 ? text("admin.error.invalid") : toMessage(error);
        setState({ busy: false, message, errors, setting: toSetting(error) });
        return false;
      }
    },
    again: () => void (last.current && task.run(last.current)),
    refuse: (errors) => setState({ busy: false, message: text("admin.error.invalid"), errors }),
    clear: () => setState({ busy: false, errors: noErrors }),
  };
  return task;
}

/** Error of a form: its message, and field errors that no field shows. */
export function TaskNote(props: {
  task: Task;
  pointers: readonly string[];
  onRetry?: () => void;
}): JSX.Element | null {
  const { task, pointers, onRetry } = props;
  if (task.message === undefined) return null;
  const Remedy = remedy;
  const rest = findUnplaced(task.errors, pointers);
  return (
    <>
      <ErrorNote message={[task.message, ...rest].join(" ")} onRetry={onRetry} />
      {Remedy && task.setting !== undefined && <Remedy setting={task.setting} onDone={task.again} />}
    </>
  );
}
