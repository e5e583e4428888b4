/** An account at an auth center that runs, over HTTP. */
import { z } from "zod";

const outboxSchema = z.object({ items: z.array(z.object({ to: z.string(), text: z.string() })) });
const signedInSchema = z.object({ accessToken: z.string() });

/** Who is to sign up, and where. */
export interface SignUp {
  readonly authUrl: string;
  readonly adminToken: string;
  readonly username: string;
  readonly password: string;
}

/**
 * Registers a user, verifies the mailbox with the code of the outbox, and signs in; resolves with the access token.
 */
export async function signUp({ authUrl, adminToken, username, password }: SignUp): Promise<string> {
  const email = `${username}@example.org`;
  async function post(path: string, body: object): Promise<unknown> {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    const response = await fetch(`${authUrl}/api/auth${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }
  await post("/register", { username, email, password });
  const headers = { "x-admin-token": adminToken };
  const outbox = outboxSchema.parse(await (await fetch(`${authUrl}/api/admin/outbox`, { headers })).json());
  const code = /\d{4} \d{4}/u.exec(outbox.items.find(({ to }) => to === email)?.text ?? "")?.[0];
  await post("/email/verify", { email, code });
  return signedInSchema.parse(await post("/login", { identifier: username, password })).accessToken;
}
