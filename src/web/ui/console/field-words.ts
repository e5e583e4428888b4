/** How a console says fields and their values, such as in the dialog about another's change. */
import { createContext } from "preact";

export interface FieldWords {
  readonly toName: (field: string) => string;
  readonly toValue: (field: string, value: unknown) => string;
}

/** Provided by each console. */
export const FieldWordsContext = createContext<FieldWords>({
  toName: (field) => field,
  toValue: (_field, value) => JSON.stringify(value) ?? "",
});
