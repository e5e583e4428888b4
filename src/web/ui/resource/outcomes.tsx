/** What one action on many has done: the rows that were refused, by name and reason. */
import type { ComponentChildren, JSX } from "preact";
import { DoneDialog } from "../console/form-dialog.tsx";
import { toRefusalWords } from "../forms/fault-words.ts";

/** The result for one row, as bulk routes give it. */
export interface Outcome {
  readonly id: string;
  readonly result: "done" | "refused";
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
}

/** Whether any was refused: then the dialog is due. */
export function hasRefusals(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ result }) => result === "refused");
}

/** The dialog. */
export function OutcomesDialog(props: {
  title: string;
  outcomes: readonly Outcome[];
  /** How many were done, as a sentence. */
  toDone: (count: number) => string;
  /** The name of a row, such as a link to its page. */
  nameOf: (id: string) => ComponentChildren;
  onClose: () => void;
}): JSX.Element {
  const { title, outcomes, toDone, nameOf, onClose } = props;
  const refused = outcomes.filter(({ result }) => result === "refused");
  return (
    <DoneDialog title={title} onClose={onClose}>
      <p>{toDone(outcomes.length - refused.length)}</p>
      <ul class="plain-list outcome-list">
        {refused.map(({ id, code = "", detail = "" }) => (
          <li key={id}>
            {nameOf(id)}
            <span>{toRefusalWords({ code, message: detail })}</span>
          </li>
        ))}
      </ul>
    </DoneDialog>
  );
}
