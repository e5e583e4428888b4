/** What people do at the auth center, for the tests of registration, sign-in and passwords. */
import { TOTP } from "otpauth";
import { type RequestOptions, type TestApp, PASSWORD } from "../app-fixture.ts";
import { read } from "./admin-requests.ts";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
/** Another password that every policy takes. */
export const OTHER = "seven purple elephants dance";

export interface Tokens {
  accessToken: string;
  refreshToken: string;
  user: {
    id: string;
    username: string;
    email: string;
    emailVerified: boolean;
    passwordSet: boolean;
    secondFactor: boolean;
    status: string;
  };
}

/** POST to a route of /api/auth. */
export function post(
  app: TestApp,
  path: string,
  body: unknown,
  options: Omit<RequestOptions, "body"> = {},
): Promise<Response> {
  return app.send("POST", `/api/auth/${path}`, { body, ...options });
}

/** Registers `<username>@example.org` with PASSWORD unless told otherwise. */
export function register(
  app: TestApp,
  username: string,
  more: Readonly<Record<string, unknown>> = {},
  options: Omit<RequestOptions, "body"> = {},
): Promise<Response> {
  const body = { username, email: `${username}@example.org`, password: PASSWORD, ...more };
  return post(app, "register", body, options);
}

/** Proves a mailbox with the newest code that was mailed to it. */
export async function verify(
  app: TestApp,
  email: string,
  options: Omit<RequestOptions, "body"> = {},
): Promise<Response> {
  return post(app, "email/verify", { email, code: await app.codeFor(email) }, options);
}

export function sendCode(
  app: TestApp,
  email: string,
  purpose: string,
  options: Omit<RequestOptions, "body"> = {},
): Promise<Response> {
  return post(app, "email/send-code", { email, purpose }, options);
}

export function logIn(
  app: TestApp,
  identifier: string,
  password: string = PASSWORD,
  options: Omit<RequestOptions, "body"> = {},
): Promise<Response> {
  return post(app, "login", { identifier, password }, options);
}

/** The tokens of an answer. */
export function tokensOf(response: Response, status = 200): Promise<Tokens> {
  return read<Tokens>(response, status);
}

/** The code that an authenticator shows now. */
export function totpCode(app: TestApp, secret: string): string {
  return new TOTP({ secret }).generate({ timestamp: app.clock.now() });
}

/** Switches the second factor on; its secret and the recovery codes. */
export async function addFactor(
  app: TestApp,
  token: string,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await read<{ secret: string }>(await app.send("POST", "/api/auth/mfa/totp", { token }), 200);
  const confirmed = await read<{ recoveryCodes: string[] }>(
    await post(app, "mfa/totp/confirm", { code: totpCode(app, begun.secret) }, { token }),
    200,
  );
  // The step is used; the next code is another one.
  app.clock.advance(30_000);
  return { secret: begun.secret, recoveryCodes: confirmed.recoveryCodes };
}

/** The token of the link in the newest mail to an address that has one. */
export async function linkFor(app: TestApp, address: string): Promise<string> {
  for (const text of await app.mailsTo(address)) {
    const found = /rst_[\w-]{43}/u.exec(text);
    if (found !== null) return found[0];
  }
  throw new Error(`No mail with a link to ${address}`);
}

/** An answer without what differs each time. */
export async function shapeOf(response: Response): Promise<unknown> {
  const headers = Object.fromEntries(
    [...response.headers].map(([name, value]) => [name, name === "x-request-id" ? "" : value]),
  );
  const text = await response.text();
  const body = text.replace(
    /"(registrationId|requestId|challengeId)":"[^"]*"/gu,
    (all, name) => `${name}:${all.length}`,
  );
  return { status: response.status, headers, body, length: text.length };
}
