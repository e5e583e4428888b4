/** Logout tokens as a center signs them (OpenID Connect Back-Channel Logout 1.0 section 2.4). */
import type { TestApp } from "../auth/app-fixture.ts";

/** A token with the center's own key; `claims` replace its claims. */
export async function signLogoutToken(
  { auth }: TestApp,
  claims: {
    readonly aud: string;
    readonly iss?: string;
    readonly nonce?: string;
    readonly events?: object;
    readonly sub?: string;
  },
): Promise<string> {
  const { aud, iss = "http://localhost", sub = "usr_1", ...others } = claims;
  const usual = {
    aud,
    iss,
    sub,
    jti: crypto.randomUUID(),
    events: { "http://schemas.openid.net/event/backchannel-logout": {} },
  };
  return auth.jwts.sign({ ...usual, ...others }, { alg: "RS256", typ: "logout+jwt", seconds: 120 });
}
