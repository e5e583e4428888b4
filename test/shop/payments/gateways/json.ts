/** Unchecked members of JSON. */

export type Json = Record<string, unknown>;

/** Whether it has members. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}

/** A member of nested objects and lists. */
export function pick(value: unknown, ...path: (string | number)[]): unknown {
  let found = value;
  for (const name of path) found = isObject(found) ? found[String(name)] : undefined;
  return found;
}

/** The same where it is a text; "" for any other. */
export function pickText(value: unknown, ...path: (string | number)[]): string {
  const found = pick(value, ...path);
  return typeof found === "string" ? found : "";
}
