/** What a browser keeps of a sign-in by a provider, sealed: the way that it began, and who came back and has no account yet. */
import type { Context } from "hono";
import { z } from "zod";
import { createHostCookie } from "../../../kit/http/cookies.ts";
import type { AuthDeps } from "../../deps.ts";
import { flowSchema } from "../../upstream/flows.ts";
import { identitySchema } from "../../upstream/schema.ts";

const FLOW_SECONDS = 600;
const COMER_SECONDS = 1_800;

/** Who came back from a provider, and what they chose so far. */
const comerSchema = z.object({
  identity: identitySchema,
  /** An account has the address, and the provider's word for it counts. */
  holdsAccount: z.boolean(),
  /** Where the person wanted to go. */
  next: z.string(),
  /** While a code is on its way to the mailbox. */
  draft: z
    .object({
      challengeId: z.string(),
      newcomer: z.object({
        username: z.string(),
        email: z.string(),
        displayName: z.string().optional(),
        inviteCode: z.string().optional(),
        termsVersion: z.string().optional(),
        message: z.string().optional(),
      }),
    })
    .optional(),
  expiresAt: z.number(),
});
export type Comer = z.infer<typeof comerSchema>;

type CookieDeps = Pick<AuthDeps, "box" | "expiry"> & { readonly publicUrl: string | undefined };

function createSealedCookie<T extends { readonly expiresAt: number }>(
  { box, expiry, publicUrl }: CookieDeps,
  { name, schema, seconds }: { name: string; schema: z.ZodType<T>; seconds: number },
) {
  const cookie = createHostCookie(name, publicUrl);
  return {
    /** Undefined for one that another secret made, that was cut, or whose time is over. */
    read: (c: Context): T | undefined => {
      const sealed = cookie.read(c);
      if (sealed === undefined) return undefined;
      try {
        const kept = schema.parse(JSON.parse(box.open(sealed, name)));
        return kept.expiresAt > expiry.now() ? kept : undefined;
      } catch {
        return undefined;
      }
    },
    write: (c: Context, value: Omit<T, "expiresAt">): void => {
      const kept = { ...value, expiresAt: expiry.now() + seconds * 1_000 };
      cookie.write(c, box.seal(JSON.stringify(kept), name), seconds);
    },
    clear: cookie.clear,
  };
}

export type UpstreamCookies = ReturnType<typeof createUpstreamCookies>;

/** Makes both. */
export function createUpstreamCookies(deps: CookieDeps) {
  return {
    flow: createSealedCookie(deps, { name: "trivet_upstream", schema: flowSchema, seconds: FLOW_SECONDS }),
    comer: createSealedCookie(deps, { name: "trivet_comer", schema: comerSchema, seconds: COMER_SECONDS }),
  };
}
