/** What the tests of the monitor's routes share: making servers, listing them, and reading a problem document. */
import assert from "node:assert/strict";
import type { TestApp } from "../app-fixture.ts";

export interface Server {
  id: string;
  name: string;
  version: number;
  agentKey: string;
}

/** Status and code of a problem document. */
export async function code(response: Response): Promise<[number, string]> {
  const problem: { code: string } = await response.json();
  return [response.status, problem.code];
}

/** Creates a server as administrator. */
export async function create(app: TestApp, id: string, more: object = {}): Promise<Server> {
  const response = await app.admin("POST", "/api/admin/servers", { id, name: id, ...more });
  assert.equal(response.status, 201);
  return response.json();
}

/** The ids that the public list gives. */
export async function list(app: TestApp, query = ""): Promise<string[]> {
  const response = await app.fetch(`/api/servers${query}`);
  const body: { items: Server[] } = await response.json();
  return body.items.map((server) => server.id);
}
