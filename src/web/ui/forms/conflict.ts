/**
 * Two people changed the same thing: what each of them changed, and one out of both. Values are compared as
 * JSON; an object such as `billing` is one value, because half of one and half of another would be neither.
 */

export interface FieldChange<T> {
  readonly name: keyof T & string;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** Both changed it, and differently: someone must choose. */
  readonly isConflict: boolean;
}

export interface Versions<T> {
  /** The common base of both versions. */
  readonly base: T;
  readonly mine: T;
  /** The stored version. */
  readonly theirs: T;
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether two values are the same as JSON; the order of an object's members says nothing. */
export function isSame(a: unknown, b: unknown): boolean {
  const sorted = (value: unknown): string | undefined =>
    JSON.stringify(value, (_key, inner: unknown) => sortKeys(inner));
  return sorted(a) === sorted(b);
}

function namesOf<T extends object>({ base, mine, theirs }: Versions<T>): (keyof T & string)[] {
  const names = [base, mine, theirs].flatMap((version) => Object.keys(version));
  return [...new Set(names)] as (keyof T & string)[];
}

/** Every field that is not the same in all three, those that need a choice first. */
export function findChanges<T extends object>(versions: Versions<T>): readonly FieldChange<T>[] {
  const { base, mine, theirs } = versions;
  return namesOf(versions)
    .map((name) => ({
      name,
      base: base[name],
      mine: mine[name],
      theirs: theirs[name],
      isConflict:
        !isSame(base[name], mine[name]) &&
        !isSame(base[name], theirs[name]) &&
        !isSame(mine[name], theirs[name]),
    }))
    .filter((change) => !isSame(change.base, change.mine) || !isSame(change.base, change.theirs))
    .sort((a, b) => Number(b.isConflict) - Number(a.isConflict));
}

/** Changes of both sides; where both changed a member, mine if `keepMine` names it, else theirs. */
export function mergeVersions<T extends object>(versions: Versions<T>, keepMine: ReadonlySet<string>): T {
  const merged = new Map<string, unknown>(Object.entries(versions.theirs));
  for (const { name, base, mine, theirs, isConflict } of findChanges(versions)) {
    const isMine = isConflict ? keepMine.has(name) : isSame(base, theirs);
    const value = isMine ? mine : theirs;
    if (value === undefined) merged.delete(name);
    else merged.set(name, value);
  }
  // The names and values are those of a T, each taken from one of three.
  return Object.fromEntries(merged) as T;
}
