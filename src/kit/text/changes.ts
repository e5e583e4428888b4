/** Which fields of a record a replacement changes, for audit entries. */

/** A longer value says more than a line of the audit can show. */
const MAX_CHARS = 200;

/** Names of the fields of `after` whose values differ from `before`'s, compared as JSON. */
export function changedFields(before: object, after: object): string[] {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after)
    .filter(([name, value]) => JSON.stringify(old.get(name)) !== JSON.stringify(value))
    .map(([name]) => name);
}

/** The audit changes of a created or removed record, so that it can be found by name. */
export function describeName(name: string): string[] {
  return [`name: ${JSON.stringify(name)}`];
}

/**
 * The same with both values, as in `name: "old" → "new"`, each as JSON; `silent` fields, and long values, by their
 * names alone. Only for records without secrets.
 */
export function describeChanges(before: object, after: object, silent: readonly string[] = []): string[] {
  const [old, present] = [before, after].map((fields) => new Map<string, unknown>(Object.entries(fields)));
  return changedFields(before, after).map((name) => {
    const values = [old?.get(name), present?.get(name)].map((value) => JSON.stringify(value ?? null));
    const isLong = values.some((value) => value.length > MAX_CHARS);
    return isLong || silent.includes(name) ? name : `${name}: ${values.join(" → ")}`;
  });
}
