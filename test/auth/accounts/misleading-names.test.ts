/** Names and links on a profile that would pass for something else, and the descriptor. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type SignedIn, type TestApp, code, createTestApp } from "../app-fixture.ts";

let app: TestApp;
let ann: SignedIn;

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
});

const change = (body: object): Promise<Response> =>
  app.send("PATCH", "/api/auth/profile", { token: ann.accessToken, body });

describe("a profile", () => {
  it("takes no name that looks like another one, and no reserved one", async () => {
    for (const displayName of [
      "\u202eAdministrator",
      "a\u200bb",
      "a\u200db",
      "\u3164",
      "Administrator",
      "ＡＤＭＩＮ",
    ])
      assert.deepEqual(
        await code(await change({ displayName })),
        [422, "invalid"],
        JSON.stringify(displayName),
      );
    for (const displayName of ["Zoë 👍", "👩‍🚀 Ann", "می‌خواهم", "Ann Admin"])
      assert.equal((await change({ displayName })).status, 200, displayName);
  });

  it("takes no link that hides where it leads", async () => {
    for (const body of [
      { website: "https://bank.example:x@evil.example" },
      { links: [{ label: "Bank", url: "https://bank.example@evil.example" }] },
      { links: [{ label: "B\u202eank", url: "https://bank.example" }] },
    ])
      assert.deepEqual(await code(await change(body)), [422, "invalid"]);
  });
});

it("the descriptor names the prefix of every route below /api, with its groups", async () => {
  const { routePrefixes }: { routePrefixes: string[] } = await (await app.fetch("/api")).json();
  const { paths } = Object(await app.document());
  for (const path of Object.keys(Object(paths)).filter((each) => /^\/api\/[^/]+\//u.test(each)))
    assert.ok(
      routePrefixes.some((text) => path.startsWith(`${text.split(":")[0]}/`)),
      path,
    );
  assert.ok(routePrefixes.some((text) => /^\/api\/admin: .*outbox.*; administrator token$/u.test(text)));
});
