/** What a schema alone does not say of a field in a form; a schema made of another one says the same (kit/fields). */
import { z } from "zod";

export interface FieldHints {
  /** Minor units of a currency; what is never shown again. */
  readonly kind?: "money" | "secret";
  /** The most characters, where an expression says it. */
  readonly max?: number;
  /** What phones show keys for. */
  readonly keyboard?: "email" | "url";
  /** Text of several lines. */
  readonly long?: boolean;
  /** What a new record begins with. */
  readonly initial?: unknown;
}

export const fieldHints = z.registry<FieldHints>();
