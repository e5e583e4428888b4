/** A form that is sent twice, as by a double click, is done once: the second one gets the answer of the first. */

/** Longer than a double click takes. It begins before the first one's work, which may wait for its turn. */
const KEPT_MS = 5_000;
const SEE_OTHER = 303;

type Answer = Pick<Response, "status" | "headers">;

/** Creates what answers forms by their key. Refusals are not kept: what is sent again is looked at again. */
export function createSentTwice(
  now: () => number,
): (key: string, answer: () => Promise<Response>) => Promise<Response> {
  const kept = new Map<string, { readonly until: number; readonly first: Promise<Answer | undefined> }>();
  return async (key, answer) => {
    const nowMs = now();
    for (const [each, { until }] of kept) {
      if (until > nowMs) break;
      kept.delete(each);
    }
    // No wait where there is none: the second one would not find this one then.
    const before = kept.get(key);
    const first = before && (await before.first);
    if (first !== undefined) return new Response(null, first);
    const mine = answer();
    const done = mine.then(
      // Copied now: the response gets its own headers.
      ({ status, headers }) => (status === SEE_OTHER ? { status, headers: new Headers(headers) } : undefined),
      () => undefined,
    );
    kept.set(key, { until: nowMs + KEPT_MS, first: done });
    return mine;
  };
}
