/** Newcomers from a provider without an account, as the pages for them share them. */
import type { Joined, Newcomers } from "../../upstream/newcomers.ts";
import type { UpstreamRecord } from "../../upstream/schema.ts";
import type { Upstreams } from "../../upstream/upstreams.ts";
import type { BrowserSignIn } from "../browser-sign-in.ts";
import type { Visit } from "../visit.tsx";
import type { Comer, UpstreamCookies } from "./sealed-cookies.ts";

export const IDENTITY_PATH = "/sign-in/identity";
export const CODE_PATH = `${IDENTITY_PATH}/code`;
export const CONNECT_PATH = "/account/connect";

export interface ComerParts {
  readonly upstreams: Upstreams;
  readonly newcomers: Newcomers;
  readonly browserSignIn: BrowserSignIn;
  readonly upstreamCookies: UpstreamCookies;
}

/** A newcomer with their provider. */
export interface FoundComer {
  readonly comer: Comer;
  readonly provider: UpstreamRecord;
}

/** The newcomer according to the provider. */
export function describeComer({ name, username, email }: Comer["identity"]): string {
  const said = [name ?? username, email].filter((text) => text !== undefined);
  return said.join(", ");
}

/** Shared by both pages for newcomers without an account. */
export function createComerPages({
  upstreams,
  browserSignIn,
  upstreamCookies: { comer: cookie },
}: ComerParts) {
  return {
    /** The newcomer; or a Response if there is nothing to do. */
    find: async ({ c, subject }: Visit): Promise<FoundComer | Response> => {
      const comer = cookie.read(c);
      const provider = comer && (await upstreams.findEnabled(comer.identity.upstreamId));
      if (comer === undefined || provider === undefined) return c.redirect("/sign-in?done=expired", 303);
      return subject === undefined ? { comer, provider } : c.redirect(CONNECT_PATH, 303);
    },
    /** Signs in whose account was opened, or says that it waits. */
    complete: async (
      visit: Visit,
      joined: Exclude<Joined, { kind: "code_sent" }>,
      next: string,
    ): Promise<Response> => {
      cookie.clear(visit.c);
      if (joined.kind === "pending") return visit.c.redirect("/sign-in?done=pending", 303);
      return browserSignIn.complete(visit, joined, next);
    },
  };
}
