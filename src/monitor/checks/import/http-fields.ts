/** Fields of HTTP targets that both programs have under other names. */
import { httpSettings, isGoodHost } from "../../../kit/probes/kinds/http-settings.ts";
import { type EntryDraft, type Fields, toText } from "./entry.ts";

const MAX_REDIRECTS = 5;
const methods: readonly string[] = httpSettings().method.removeDefault().options;

export interface HttpDraft {
  readonly url: string;
  readonly method: string;
  readonly headers: Fields;
  readonly body: string;
}

const header = httpSettings().headers.removeDefault().element;

/** Headers that can be sent; says which cannot. */
function toHeaders(draft: EntryDraft, headers: Fields): { name: string; value: string }[] {
  const kept: { name: string; value: string }[] = [];
  const seen = new Set<string>();
  for (const [name, given] of Object.entries(headers)) {
    const value = toText(given);
    const isSendable = header.safeParse({ name, value }).success && isGoodHost({ name, value });
    const isGood = isSendable && !seen.has(name.toLowerCase());
    if (!isGood || kept.length === 20) {
      draft.note("no_header", name);
      continue;
    }
    seen.add(name.toLowerCase());
    kept.push({ name, value });
  }
  return kept;
}

export function toHttpTarget(
  draft: EntryDraft,
  { url, method, headers, body }: HttpDraft,
): Record<string, unknown> {
  const upper = method.trim().toUpperCase();
  return {
    kind: "http",
    url,
    method: upper === "" ? "GET" : methods.includes(upper) ? upper : upper.slice(0, 20),
    headers: toHeaders(draft, headers),
    body,
  };
}

/** As many redirects as can be followed; says when more were wanted. */
export function toRedirects(draft: EntryDraft, wanted: number): number {
  if (wanted > MAX_REDIRECTS) draft.note("fewer_redirects", String(wanted));
  return Math.max(0, Math.min(MAX_REDIRECTS, Math.floor(wanted)));
}
