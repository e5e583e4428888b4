/** Errors of a form by JSON Pointer (RFC 6901), from the server and from the page. */

export type FieldErrors = ReadonlyMap<string, string>;

export const noErrors: FieldErrors = new Map();

/** The message for a field: its own, or the first of a part of it ("/tags/2" belongs to "/tags"). */
export function findError(errors: FieldErrors, pointer: string): string | undefined {
  const own = errors.get(pointer);
  if (own !== undefined) return own;
  for (const [at, message] of errors) if (at.startsWith(`${pointer}/`)) return message;
  return undefined;
}

/** Messages that no field of the form shows. */
export function findUnplaced(errors: FieldErrors, pointers: readonly string[]): readonly string[] {
  return [...errors]
    .filter(([at]) => !pointers.some((pointer) => at === pointer || at.startsWith(`${pointer}/`)))
    .map(([at, message]) => (at === "" ? message : `${at.replace(/^\//u, "")}: ${message}`));
}

/** The messages below a pointer: of its parts. */
export function errorsBelow(errors: FieldErrors, pointer: string): (part: string) => string | undefined {
  return (part) => findError(errors, pointer + part);
}
