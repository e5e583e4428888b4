/** What tests of status pages share. */
import assert from "node:assert/strict";
import type { PostView, StatusPageView } from "../../../src/monitor/status/post-schema.ts";
import type { TestApp } from "../app-fixture.ts";

/** The body of an answer. */
export async function readJson(answer: Response): Promise<Record<string, unknown>> {
  return (await answer.json()) as Record<string, unknown>;
}

/** The path of a page's posts. */
export const postsPath = (pageId: string): string => `/api/admin/status-pages/${pageId}/posts`;

/** Creates a status page. */
export async function addPage(app: TestApp, fields: object = {}): Promise<StatusPageView> {
  const body = { slug: "main", title: "Northwind status", ...fields };
  const answer = await app.admin("POST", "/api/admin/status-pages", body);
  const text = await answer.text();
  assert.equal(answer.status, 201, text);
  return JSON.parse(text) as StatusPageView;
}

/** Posts on it. */
export async function addPost(app: TestApp, pageId: string, fields: object = {}): Promise<PostView> {
  const update = { step: "investigating", text: "Pages take up to 8 seconds." };
  const body = { title: "Shop is slow", update, ...fields };
  const answer = await app.admin("POST", postsPath(pageId), body);
  const text = await answer.text();
  assert.equal(answer.status, 201, text);
  return JSON.parse(text) as PostView;
}
