/** Requests a user's verified addresses from the auth center, with that user's own access token. */
import { z } from "zod";
import { fetchLocal } from "../../kit/outbound/unix-socket.ts";
import type { AddressesResult, UserCheck } from "./user-check.ts";

const answerSchema = z.object({
  items: z.array(z.object({ address: z.string(), primary: z.boolean(), verified: z.boolean() })),
});

const UNAVAILABLE: AddressesResult = { status: "auth_unavailable", retryAfterSeconds: 1 };

/** Creates the question; it ends after `timeoutMs`. */
export function createAddressCheck(options: {
  readonly authUrl: string;
  readonly timeoutMs: number;
}): UserCheck["readAddresses"] {
  const url = `${options.authUrl.replace(/(?<!\/)\/+$/u, "")}/api/auth/emails`;
  return async (request) => {
    const authorization = request.headers.get("authorization") ?? "";
    try {
      // "manual": a redirect must not carry the token elsewhere.
      const response = await fetchLocal(url, {
        headers: { accept: "application/json", authorization, "x-auth-client": "shop" },
        redirect: "manual",
        signal: AbortSignal.timeout(options.timeoutMs),
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        if (response.status === 403) return { status: "insufficient_scope" };
        return response.status === 401 ? { status: "refused" } : UNAVAILABLE;
      }
      const verified = answerSchema.parse(await response.json()).items.filter((item) => item.verified);
      const sorted = verified.toSorted((a, b) => Number(b.primary) - Number(a.primary));
      return { status: "known", addresses: sorted.map(({ address }) => address) };
    } catch {
      return UNAVAILABLE;
    }
  };
}
