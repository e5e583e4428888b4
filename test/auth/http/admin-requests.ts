/** What the tests of the administration share: what is left after a request, and the newest audit entry. */
import assert from "node:assert/strict";
import type { TestApp } from "../app-fixture.ts";

/** The body of an answer with this status. */
export async function read<T>(response: Response, status: number): Promise<T> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  const body: T = JSON.parse(text);
  return body;
}

export interface AuditView {
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly changes: readonly string[];
  readonly network?: string;
}

/** What the newest entry of the audit says. */
export async function lastAudit(app: TestApp): Promise<AuditView> {
  const page: { items: AuditView[] } = await read(await app.admin("GET", "/api/admin/audit?limit=1"), 200);
  const [entry] = page.items;
  assert.ok(entry);
  return entry;
}

/** Whether an access token still counts. */
export async function isSignedIn(app: TestApp, accessToken: string): Promise<boolean> {
  return (await app.auth.sessions.find(accessToken)) !== undefined;
}

/** Sends NDJSON to the import. */
export function importLines(
  app: TestApp,
  lines: string | Uint8Array<ArrayBuffer>,
  options: { query?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> {
  return app.fetch(`/api/admin/users/import${options.query ?? ""}`, {
    method: "POST",
    headers: {
      "x-admin-token": "adm_test-token-of-the-suite",
      "content-type": "application/x-ndjson",
      ...options.headers,
    },
    body: lines,
  });
}
