/**
 * Hints about a field in a form that a schema alone does not have; a schema derived from another one keeps them
 * (kit/fields).
 */
import { z } from "zod";

export interface FieldHints {
  /** Minor units of a currency; what is never shown again. */
  readonly kind?: "money" | "secret";
  /** The most characters, where an expression says it. */
  readonly max?: number;
  /** Keyboard on phones. */
  readonly keyboard?: "email" | "url";
  /** Text of several lines. */
  readonly long?: boolean;
  /** Default for a new record. */
  readonly initial?: unknown;
}

export const fieldHints = z.registry<FieldHints>();
