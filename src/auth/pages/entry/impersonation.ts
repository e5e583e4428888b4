/** An administrator's way into the pages of an account: with the token of a session that was opened to look into it. */
import type { BrowserSessions } from "../../sessions/browser-sessions.ts";
import type { PageRoutes } from "../page.ts";
import type { Visits } from "../visit.tsx";

/** Adds POST /impersonate, a form of the console. */
export function addImpersonationForm(
  pages: PageRoutes,
  { browserSessions, visits }: { readonly browserSessions: BrowserSessions; readonly visits: Visits },
): void {
  pages.addForm("/impersonate", async ({ c }, { values }) => {
    const token = values["token"] ?? "";
    const session = (await browserSessions.find(token))?.session;
    if (session?.impersonatedBy === undefined) return c.redirect("/sign-in?done=expired", 303);
    // Not the device's cookie: this browser has not become one of the owner's.
    visits.session.write(c, token, Math.ceil((session.absoluteExpiresAt - session.createdAt) / 1_000));
    return c.redirect("/account", 303);
  });
}
