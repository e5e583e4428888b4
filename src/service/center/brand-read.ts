/** Reads what the shop of this install publishes about its brand. */

/** Of the logo with the other members. */
const MAX_BYTES = 131_072;

/** The body of the shop's answer: from this address alone, without following redirects, and no more than the limit. */
export function createBrandRead({
  shopUrl,
  timeoutMs,
  fetch: send = fetch,
}: {
  readonly shopUrl: string;
  readonly timeoutMs: number;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}): () => Promise<string | undefined> {
  return async () => {
    try {
      const response = await send(`${shopUrl}/api/site/brand`, {
        headers: { accept: "application/json" },
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (response.status !== 200 || response.body === null) {
        await response.body?.cancel();
        return undefined;
      }
      const parts: Uint8Array[] = [];
      let bytes = 0;
      for await (const part of response.body) {
        bytes += part.length;
        if (bytes > MAX_BYTES) return undefined;
        parts.push(part);
      }
      return Buffer.concat(parts).toString("utf8");
    } catch {
      return undefined;
    }
  };
}
