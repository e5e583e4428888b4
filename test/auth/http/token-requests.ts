/** Shared by the tests of tokens: checking, renewing, and notifications of the owner. */
import assert from "node:assert/strict";
import type { TestApp } from "../app-fixture.ts";

export interface RenewedTokens {
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly refreshToken: string;
  readonly refreshExpiresIn: number;
}

export function refresh(app: TestApp, refreshToken: string): Promise<Response> {
  return app.send("POST", "/api/auth/refresh", { body: { refreshToken } });
}

/** Refreshes, which must work. */
export async function renew(app: TestApp, refreshToken: string): Promise<RenewedTokens> {
  const response = await refresh(app, refreshToken);
  assert.equal(response.status, 200);
  const tokens: RenewedTokens = await response.json();
  return tokens;
}

export function validate(app: TestApp, token: string): Promise<Response> {
  return app.send("GET", "/api/auth/validate", { token });
}

/** Whether an access token counts. */
export async function isValid(app: TestApp, token: string): Promise<boolean> {
  const { status } = await validate(app, token);
  assert.ok(status === 200 || status === 401, String(status));
  return status === 200;
}

/** The kinds of an account's security events, the newest first. */
export async function listEventKinds(app: TestApp, token: string): Promise<string[]> {
  const response = await app.send("GET", "/api/auth/security/events", { token });
  const { items }: { items: { kind: string }[] } = await response.json();
  return items.map(({ kind }) => kind);
}
