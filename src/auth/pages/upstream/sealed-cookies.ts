/** Encrypted cookies for sign-ins through a provider: the flows that began, and the newcomer without an account. */
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { z } from "zod";
import { type HostCookie, createHostCookie } from "../../../kit/http/cookies.ts";
import { hashSecret } from "../../../kit/secrets/admin-token.ts";
import type { SealPurpose } from "../../../kit/secrets/secret-box.ts";
import type { AuthDeps } from "../../base/deps.ts";
import { type Flow, flowSchema } from "../../upstream/flows.ts";
import { identitySchema } from "../../accounts/link-schema.ts";

const FLOW_SECONDS = 600;
const COMER_SECONDS = 1_800;
/** Attempts that a browser keeps, such as those of its tabs, and their size in all: proxies and Node limit the headers of a request. */
const MAX_FLOWS = 4;
const MAX_FLOW_CHARS = 6_000;

/** A newcomer and their choices so far. */
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

interface Sealed<T> {
  /** Undefined for one that another secret made, that was cut, or whose time is over. */
  open(sealed: string | undefined): T | undefined;
  seal(value: Omit<T, "expiresAt">): string;
}

function createSealed<T extends { readonly expiresAt: number }>(
  { box, expiry }: CookieDeps,
  { purpose, schema, seconds }: { purpose: SealPurpose; schema: z.ZodType<T>; seconds: number },
): Sealed<T> {
  return {
    open: (sealed) => {
      if (sealed === undefined) return undefined;
      try {
        const kept = schema.parse(JSON.parse(box.open(sealed, purpose)));
        return kept.expiresAt > expiry.now() ? kept : undefined;
      } catch {
        return undefined;
      }
    },
    seal: (value) =>
      box.seal(JSON.stringify({ ...value, expiresAt: expiry.now() + seconds * 1_000 }), purpose),
  };
}

/** The newcomer: one per browser, the last one. */
function createComerCookie(deps: CookieDeps) {
  const name = "trivet_comer";
  const cookie = createHostCookie(name, deps.publicUrl);
  const sealed = createSealed(deps, { purpose: name, schema: comerSchema, seconds: COMER_SECONDS });
  return {
    read: (c: Context): Comer | undefined => sealed.open(cookie.read(c)),
    write: (c: Context, value: Omit<Comer, "expiresAt">): void =>
      cookie.write(c, sealed.seal(value), COMER_SECONDS),
    clear: cookie.clear,
  };
}

/** Attempts: a cookie for each, named after its state, so that tabs neither replace nor race each other. */
function createFlowCookies(deps: CookieDeps) {
  const name = "trivet_upstream";
  const pattern = new RegExp(`^(?:__Host-)?${name}_([\\w-]{12})$`, "u");
  const sealed = createSealed(deps, { purpose: name, schema: flowSchema, seconds: FLOW_SECONDS });
  const cookieOf = (id: string): HostCookie => createHostCookie(`${name}_${id}`, deps.publicUrl);
  const toId = (state: string): string => hashSecret(state).slice(0, 12);

  /** Clears the oldest, and what cannot be opened, until another one of `chars` fits. */
  function makeRoom(c: Context, chars: number): void {
    const ids = Object.keys(getCookie(c)).flatMap((key) => pattern.exec(key)?.[1] ?? []);
    const kept = ids.map((id) => {
      const text = cookieOf(id).read(c);
      return { id, chars: text?.length ?? 0, expiresAt: sealed.open(text)?.expiresAt ?? 0 };
    });
    let all = chars;
    for (const [index, one] of kept.sort((a, b) => b.expiresAt - a.expiresAt).entries()) {
      all += one.chars;
      if (one.expiresAt === 0 || index + 1 >= MAX_FLOWS || all > MAX_FLOW_CHARS) cookieOf(one.id).clear(c);
    }
  }

  return {
    /** The attempt that an answer with this state belongs to. */
    read: (c: Context, state: string): Flow | undefined => sealed.open(cookieOf(toId(state)).read(c)),
    write: (c: Context, flow: Flow): void => {
      const text = sealed.seal(flow);
      makeRoom(c, text.length);
      cookieOf(toId(flow.state)).write(c, text, FLOW_SECONDS);
    },
    clear: (c: Context, { state }: Flow): void => cookieOf(toId(state)).clear(c),
  };
}

export type UpstreamCookies = ReturnType<typeof createUpstreamCookies>;

export function createUpstreamCookies(deps: CookieDeps) {
  return { flow: createFlowCookies(deps), comer: createComerCookie(deps) };
}
