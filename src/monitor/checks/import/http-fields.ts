/** Fields of HTTP targets that both programs have under other names. */
import { z } from "zod";
import { http } from "../../../kit/probes/kinds/http.ts";
import { httpSecrets, httpSettings, isGoodHost } from "../../../kit/probes/kinds/http-settings.ts";
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

/** Settings and secrets of which each needs the others, and what is said when they do not fit. */
const parts = [
  { names: ["ca"], note: "no_own_authority", value: undefined },
  { names: ["clientCertificate", "clientKey"], note: "no_sign_in", value: "client certificate" },
  {
    names: ["auth", "username", "password", "tokenUrl", "clientId", "clientSecret", "scopes", "audience"],
    note: "no_sign_in",
    value: undefined,
  },
  { names: ["proxy", "proxyUsername", "proxyPassword"], note: "no_proxy", value: undefined },
] as const;

const unfit = z.object({ ...httpSettings(), ...httpSecrets() }).partial();

/** The target without what cannot be used as it is, such as a key of another certificate; says what. */
export function withoutUnfit(draft: EntryDraft, target: Record<string, unknown>): Record<string, unknown> {
  const headers = target["headers"] ?? [];
  let kept = target;
  for (const { names, note, value: what } of parts) {
    const own = Object.fromEntries(
      Object.entries(kept).filter(([name, value]) => names.some((one) => one === name) && value !== ""),
    );
    if (Object.keys(own).length === 0) continue;
    const secrets = { password: "", bearerToken: "", clientSecret: "", clientKey: "", proxyPassword: "" };
    const parsed = unfit.safeParse(own);
    // `as`: what `findFault` reads is in it.
    const fault = parsed.success && http.findFault?.({ ...secrets, ...parsed.data, headers } as never);
    if (parsed.success && fault === undefined) continue;
    draft.note(note, note === "no_sign_in" ? (what ?? toText(own["auth"])) : undefined);
    kept = Object.fromEntries(Object.entries(kept).filter(([name]) => !names.some((one) => one === name)));
  }
  return kept;
}
