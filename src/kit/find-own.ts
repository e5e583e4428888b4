/** The entry of a record by a name from outside: `constructor` and its kin, which every object inherits, are none. */
export function findOwn<V>(record: Readonly<Record<string, V>> | undefined, name: string): V | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
