/** People of the demo with an account at the auth center. */
import { createApi } from "./api.ts";

const PASSWORD = "correct horse battery";

/** Registers a user, verifies the mailbox by the code in the auth center's outbox, and signs in. */
export function createSignIn(
  authUrl: string,
  adminToken: string,
): (name: string) => Promise<Readonly<Record<string, string>>> {
  const auth = createApi({ send: (path, init) => fetch(new URL(path, authUrl), init), adminToken });
  return async (name) => {
    const username = `${name}${Date.now().toString(36)}`;
    const email = `${username}@example.org`;
    await auth.ask("POST", "/api/auth/register", { json: { username, email, password: PASSWORD } });
    const { items } = await auth.admin<{ items: readonly { to: string; text: string }[] }>(
      "GET",
      "/api/admin/outbox",
    );
    const mail = items.find(({ to }) => to === email);
    const code = /\d{4} \d{4}/u.exec(mail?.text ?? "")?.[0];
    if (code === undefined)
      throw new Error("The auth center's outbox has no code: is it set up to send mails?");
    await auth.ask("POST", "/api/auth/email/verify", { json: { email, code } });
    const { accessToken } = await auth.ask<{ accessToken: string }>("POST", "/api/auth/login", {
      json: { identifier: username, password: PASSWORD },
    });
    return { authorization: `Bearer ${accessToken}` };
  };
}
