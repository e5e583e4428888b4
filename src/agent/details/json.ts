/** Reads what programs of the machine say in JSON: what is not as expected is absent. */

/** The value at a dotted path such as "State.Health.Status"; undefined when there is none. */
export function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = new Map(Object.entries(found)).get(name);
  }
  return found;
}

/** A whole number from 0 on that a report can hold. */
export function countAt(value: unknown, path: string): number | undefined {
  const found = valueAt(value, path);
  return typeof found === "number" && found >= 0 && Number.isSafeInteger(found) ? found : undefined;
}

/** A text in one line, cut to `maxLength` characters; undefined when it is empty. */
export function toLine(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== "string") return undefined;
  const line = value.replace(/\p{C}/gu, "").trim().slice(0, maxLength);
  return line === "" ? undefined : line;
}

/** The items of a list; empty when there is none. */
export function listAt(value: unknown, path: string): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}
