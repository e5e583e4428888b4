/** The steps after a sign-in in a browser: its session cookie, or the second factor's page. */
import { type DeviceDeps, rememberBrowser } from "../sessions/http/device-cookie.ts";
import type { SignedIn } from "../sessions/signed-in.ts";
import type { Sessions, TokenSet } from "../sessions/sessions.ts";
import type { Steps } from "./next-step.ts";
import type { Visit, Visits } from "./visit.tsx";

/** The longest that a session lives; the store ends an idle one before. */
const COOKIE_SECONDS = 30 * 86_400;

export interface BrowserSignInDeps extends DeviceDeps {
  readonly visits: Visits;
  readonly steps: Steps;
  readonly sessions: Sessions;
}

export type BrowserSignIn = ReturnType<typeof createBrowserSignIn>;

export function createBrowserSignIn(deps: BrowserSignInDeps) {
  const { visits, steps, sessions } = deps;

  /** Sets the session's cookie; an earlier session ends, unless it is the same sign-in. */
  async function begin(visit: Visit, tokens: TokenSet): Promise<void> {
    const { c, subject, caller } = visit;
    const before = visits.session.read(c);
    if (before !== undefined && subject?.session.id !== tokens.session.id)
      await sessions.revokeToken(before, caller);
    visits.session.write(c, tokens.refreshToken, COOKIE_SECONDS);
    rememberBrowser(c, deps, tokens.user.id);
  }

  return {
    /** The same for tokens that replace those of this session. */
    replace: begin,
    /** Renews the cookie of a session that gained rights. */
    renew: async (visit: Visit): Promise<void> =>
      begin(visit, await sessions.refresh(visits.session.read(visit.c) ?? "", visit.caller)),
    /** Leads on to `next`, or to the second factor first. */
    complete: async (visit: Visit, signedIn: SignedIn, next: string): Promise<Response> => {
      const { c } = visit;
      if (signedIn.kind === "mfa") {
        const { challengeId, methods } = signedIn;
        steps.write(c, { kind: "factor", challengeId, methods, next });
        return c.redirect("/sign-in/second-factor", 303);
      }
      await begin(visit, signedIn.tokens);
      steps.clear(c);
      return c.redirect(next, 303);
    },
    /** Ends the session and forgets it. */
    end: async ({ c, caller }: Visit): Promise<void> => {
      const token = visits.session.read(c);
      if (token !== undefined) await sessions.revokeToken(token, caller);
      visits.session.clear(c);
      steps.clear(c);
    },
  };
}
