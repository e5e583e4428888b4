/** Which fields of a record a replacement changes, for audit entries: names only, never values. */

/** Names of the fields of `after` whose values differ from `before`'s, compared as JSON. */
export function changedFields(before: object, after: object): string[] {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after)
    .filter(([name, value]) => JSON.stringify(old.get(name)) !== JSON.stringify(value))
    .map(([name]) => name);
}
