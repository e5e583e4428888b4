/** Accounts for the cluster's tests. */
import { call } from "./cluster.ts";

/** Of all accounts. */
export const PASSWORD = "correct horse battery staple";

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** An administrator makes the account, and vouches for its address. */
export async function signUp(url: string, username: string): Promise<void> {
  const body = { username, email: `${username}@example.org`, emailVerified: true, password: PASSWORD };
  await call("POST", `${url}/api/admin/users`, { admin: true, body });
}

/** Signs in with the right password. */
export function signIn(url: string, identifier: string): Promise<Tokens> {
  return call<Tokens>("POST", `${url}/api/auth/login`, { body: { identifier, password: PASSWORD } });
}
