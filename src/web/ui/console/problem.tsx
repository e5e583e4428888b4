/** Tasks of pages, and their errors. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
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
  /** Runs `work` unless it runs already; resolves with whether it went well. */
  run(work: () => Promise<unknown>): Promise<boolean>;
  /** Shows errors that the page found itself. */
  refuse(errors: FieldErrors): void;
  clear(): void;
}

/** Something that is sent and can fail: whether it is under way, and what to show at which field. */
export function useTask(): Task {
  const [state, setState] = useState<{ busy: boolean; message?: string; errors: FieldErrors }>({
    busy: false,
    errors: noErrors,
  });
  return {
    busy: state.busy,
    message: state.message,
    errors: state.errors,
    run: async (work) => {
      if (state.busy) return false;
      setState({ busy: true, errors: noErrors });
      try {
        await work();
        setState({ busy: false, errors: noErrors });
        return true;
      } catch (error) {
        const errors = error instanceof ApiError ? toFieldErrors(error) : noErrors;
        const message = errors.size > 0 ? text("admin.error.invalid") : toMessage(error);
        setState({ busy: false, message, errors });
        return false;
      }
    },
    refuse: (errors) => setState({ busy: false, message: text("admin.error.invalid"), errors }),
    clear: () => setState({ busy: false, errors: noErrors }),
  };
}

/** Error of a form: its message, and field errors that no field shows. */
export function TaskNote(props: {
  task: Task;
  pointers: readonly string[];
  onRetry?: () => void;
}): JSX.Element | null {
  const { task, pointers, onRetry } = props;
  if (task.message === undefined) return null;
  const rest = findUnplaced(task.errors, pointers);
  return <ErrorNote message={[task.message, ...rest].join(" ")} onRetry={onRetry} />;
}
