/** The cookies by which a browser is known: of a signed-in person, and of who came to the console with the token. */
import { type HostCookie, createHostCookie } from "../../kit/http/cookies.ts";

export interface BrowserCookies {
  /** The refresh token of the person's session, as the account center's pages set it. */
  readonly person: HostCookie;
  readonly console: HostCookie;
}

export function createBrowserCookies(publicUrl: string | undefined): BrowserCookies {
  return {
    person: createHostCookie("trivet_session", publicUrl),
    console: createHostCookie("trivet_console", publicUrl, "Strict"),
  };
}
