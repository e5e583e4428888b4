/** Leaves out faults of a run that fails, as long as it fails: delta debugging, with ever smaller parts. */

/** @param fails whether a run with these items fails; it does with all of them */
export async function shrinkFaults<T>(
  all: readonly T[],
  fails: (items: readonly T[]) => Promise<boolean>,
): Promise<{ readonly faults: readonly T[]; readonly tries: number }> {
  let faults = all;
  let tries = 0;
  for (let size = Math.ceil(faults.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < faults.length;) {
      const fewer = [...faults.slice(0, from), ...faults.slice(from + size)];
      tries += 1;
      if (await fails(fewer)) faults = fewer;
      else from += size;
    }
  }
  return { faults, tries };
}
