/** A field in an audit entry: its name, and its values unless they are secret. */

export interface AuditChange {
  readonly name: string;
  /** Absent where only the name is known. */
  readonly values?: { readonly before?: unknown; readonly after: unknown };
}

const BETWEEN = " → ";

function readJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Reads `field: "old" → "new"`, `field: "value"`, or a field's name alone. */
export function parseAuditChange(change: string): AuditChange {
  const colon = change.indexOf(": ");
  if (colon === -1) return { name: change };
  const [name, rest] = [change.slice(0, colon), change.slice(colon + 2)];
  const whole = readJson(rest);
  if (whole !== undefined) return { name, values: { after: whole.value } };
  // A text may have the arrow in itself: the right one has JSON on both sides.
  for (let at = rest.indexOf(BETWEEN); at !== -1; at = rest.indexOf(BETWEEN, at + 1)) {
    const before = readJson(rest.slice(0, at));
    const after = readJson(rest.slice(at + BETWEEN.length));
    if (before !== undefined && after !== undefined)
      return { name, values: { before: before.value, after: after.value } };
  }
  return { name: change };
}
