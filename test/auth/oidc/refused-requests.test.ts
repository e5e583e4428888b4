/** What becomes of requests for authorization that are refused. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { refusals } from "../../../src/auth/applications/records.ts";
import { PASSWORD, type TestApp, createTestApp } from "../app-fixture.ts";
import { type Browser, createBrowser, signIn } from "../pages/browser.ts";
import { readOnward } from "./onward.ts";

const APP = "https://notes.example.org";
const REDIRECT = `${APP}/auth/callback`;

describe("requests for authorization that are refused", () => {
  let center: TestApp;
  let browser: Browser;

  beforeEach(async () => {
    center = await createTestApp();
    await center.admin("POST", "/api/admin/clients", {
      id: "notes",
      name: "Notes",
      redirectUris: [REDIRECT],
    });
    await center.signUp("ann");
    browser = createBrowser(center);
    await signIn(browser, "ann", PASSWORD);
  });

  function authorize(fields: Record<string, string>): Promise<Response> {
    const query = new URLSearchParams({
      response_type: "code",
      client_id: "notes",
      redirect_uri: REDIRECT,
      state: "s-1",
      code_challenge: "c".repeat(43),
      code_challenge_method: "S256",
      ...fields,
    });
    return browser.get(`/oauth/authorize?${query.toString()}`);
  }

  async function listRefusals(id: string): Promise<{ sent: string }[]> {
    const answer = await center.admin("GET", `/api/admin/clients/${id}/refusals`);
    const { items }: { items: { sent: string }[] } = await answer.json();
    return items;
  }

  it("sends browsers nowhere that is not registered, and tells the application what is wrong otherwise", async () => {
    const wrong: Record<string, string>[] = [
      { client_id: "unknown" },
      { redirect_uri: "https://evil.example/auth/callback" },
      { redirect_uri: `${REDIRECT}/` },
      { redirect_uri: `${REDIRECT}?x=1` },
    ];
    for (const fields of wrong) {
      const answer = await authorize(fields);
      assert.deepEqual(
        [answer.status, answer.headers.get("refresh"), answer.headers.get("location")],
        [400, null, null],
      );
    }
    assert.equal((await browser.get("/oauth/authorize?client_id=notes&client_id=notes")).status, 400);
    for (const [fields, error] of [
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ code_challenge_method: "plain" }, "invalid_request"],
      [{ code_challenge: "" }, "invalid_request"],
    ] as const) {
      const { searchParams } = new URL(readOnward(await authorize(fields)));
      assert.deepEqual(
        [
          searchParams.get("error"),
          searchParams.get("state"),
          searchParams.get("iss"),
          searchParams.get("code"),
        ],
        [error, "s-1", "http://localhost", null],
      );
    }
  });

  it("keeps 50 refusals of an application at most, 20 of one network, and none of one that is gone", async () => {
    const query = (path: string): string =>
      `/oauth/authorize?${new URLSearchParams({ client_id: "notes", redirect_uri: `${APP}/${path}` }).toString()}`;
    await center.raw(query("seldom"), { from: "198.51.100.7" });
    await center.auth.refusals.flush();
    center.clock.advance(1);
    for (let index = 0; index < 60; index += 1) await center.raw(query(`noise-${index}`));
    let items = await listRefusals("notes");
    assert.deepEqual([items.length, items.some(({ sent }) => sent === `${APP}/seldom`)], [21, true]);
    for (let index = 0; index < 60; index += 1) {
      center.clock.advance(1);
      await center.raw(query(`other-${index}`), { from: `203.0.${index}.1` });
      await center.auth.refusals.flush();
    }
    items = await listRefusals("notes");
    assert.deepEqual([items.length, items[0]?.sent], [50, `${APP}/other-59`]);
    await center.admin("DELETE", "/api/admin/clients/notes");
    assert.equal((await center.admin("GET", "/api/admin/clients/notes/refusals")).status, 404);
    await center.raw(query("late"));
    const { items: left } = await center.store.read((tx) =>
      tx.list(refusals, "byClient", { prefix: ["notes"], limit: 1 }),
    );
    assert.deepEqual(left, []);
  });
});
