/** Anything can be thrown in JavaScript. */

export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The message of every error of Node's fetch: only its cause has the reason. */
const FETCH_FAILED = "fetch failed";
/** Causes are followed as far as this; one could lead back to itself. */
const MAX_CAUSES = 8;

/** An error's own message; an AggregateError for several addresses has one for each of them. */
function messageOf(error: Error): string {
  if (error.message !== "" || !(error instanceof AggregateError)) return error.message;
  return error.errors.map(textOf).join("; ");
}

/** A value's message, as one text for people. */
export function textOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown.message !== FETCH_FAILED) return messageOf(thrown);
  return [...causesOf(thrown)].map(messageOf).join(": ");
}

/** An error and what caused it, from the outside in. */
export function* causesOf(thrown: unknown): Generator<Error> {
  for (let at = thrown, depth = 0; at instanceof Error && depth < MAX_CAUSES; at = at.cause, depth += 1)
    yield at;
}

/** The `code` by which the system and libraries distinguish their errors, such as "ENOENT". */
export function codeOf(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" ? code : undefined;
}
