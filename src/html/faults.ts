/** Errors of a form, in the user's language. */

/** A fault; without a field it is of the whole form. */
export interface Fault {
  readonly field?: string;
  readonly text: string;
  /** A button at the field that sends the form with this as `do`. */
  readonly answer?: { readonly value: string; readonly text: string };
}

/** The state of a form: its input and its errors. */
export interface FormState {
  /** Which of the page's forms was sent; undefined when the page was only opened. */
  readonly action?: string;
  readonly values: Readonly<Record<string, string>>;
  readonly faults: readonly Fault[];
}

export const openedForm: FormState = { values: {}, faults: [] };

/** The state for one of a page's forms: another one's faults are not its own. */
export function stateOf(state: FormState, action: string): FormState {
  return state.action === action ? state : openedForm;
}
