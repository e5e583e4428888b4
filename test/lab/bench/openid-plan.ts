/** The plan of a person who is signed in: authorize, token, userinfo, and again, as the load's process runs it. */
import { z } from "zod";
import type { LoadPlan, LoadRequest } from "./load.ts";

/** Where a center has its endpoints, and who asks. */
export const openidTargetSchema = z.object({
  /** With the query of the authorization request. */
  authorizePath: z.string(),
  tokenPath: z.string(),
  userinfoPath: z.string(),
  /** `Cookie` headers of people who are signed in; a connection has its own. */
  cookies: z.array(z.string()),
  /** The application's `Authorization` header. */
  basic: z.string(),
  redirectUri: z.string(),
  verifier: z.string(),
});
export type OpenidTarget = z.infer<typeof openidTargetSchema>;

/** Each answer says what comes next; the load ends when one brings nothing. */
export function createPlan(connection: number, data: unknown): LoadPlan {
  const target = openidTargetSchema.parse(data);
  const { authorizePath, tokenPath, userinfoPath, cookies, basic, redirectUri, verifier } = target;
  const cookie = cookies[connection % cookies.length] ?? "";
  const authorize = {
    path: authorizePath,
    // As a browser says that it comes from the application.
    headers: { cookie, accept: "text/html", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
  };
  return {
    next: (answer): LoadRequest => {
      if (answer === undefined) return authorize;
      const code = /^location: *\S+[?&]code=([^&\s]+)/imu.exec(answer.head)?.[1];
      if (code !== undefined) {
        const fields = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
        return {
          method: "POST",
          path: tokenPath,
          headers: { authorization: basic, "content-type": "application/x-www-form-urlencoded" },
          body: new URLSearchParams({ ...fields, code_verifier: verifier }).toString(),
        };
      }
      const token = /"access_token":"([^"]+)"/u.exec(answer.body)?.[1];
      if (token !== undefined) return { path: userinfoPath, headers: { authorization: `Bearer ${token}` } };
      if (!answer.body.includes('"email_verified":true'))
        throw new Error(`An answer leads nowhere: ${answer.status} ${answer.head} ${answer.body}`);
      return authorize;
    },
  };
}
