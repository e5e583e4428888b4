/** The access policy of an application at its site behind a proxy: asked at each request, with the way to prove more. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type SignedIn, type TestApp, PASSWORD, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import type { Browser } from "../pages/browser.ts";
import {
  CENTER,
  NAVIGATION,
  type ProxiedSite,
  createSite,
  enter,
  openCenter,
  passCenter,
  pathAt,
} from "./proxied-site.ts";

const NOTES = "https://notes.example";
const SCRIPT = { "sec-fetch-mode": "cors" };

let app: TestApp;
let ann: SignedIn;
let center: Browser;
let site: ProxiedSite;

beforeEach(async () => {
  app = await createTestApp({ publicUrl: CENTER });
  ann = await app.signUp("ann");
  const notes = { id: "notes", name: "Notes", protectedOrigins: [NOTES] };
  await read(await app.admin("POST", "/api/admin/clients", notes), 201);
  center = await openCenter(app, ann);
  site = createSite(app, { origin: NOTES });
  await enter({ center, site }, "/");
  assert.equal((await site.ask("/")).status, 204);
});

const govern = async (policy: object): Promise<void> => {
  await read(await app.admin("PATCH", "/api/admin/clients/notes", { policy }), 200);
};

async function deniedTo(headers: Record<string, string>, status = 401): Promise<string> {
  const answer = await site.ask("/", headers);
  const { detail = "" }: { detail?: string } = await answer.json();
  assert.equal(answer.status, status, detail);
  assert.equal(answer.headers.get("x-auth-assertion"), null);
  return detail;
}

/** What the center does with a person who comes from the site. */
async function askCenter(begun: Response): Promise<Response> {
  assert.equal(begun.status, 302);
  const rd = new URL(pathAt(CENTER, begun), CENTER).searchParams.get("rd") ?? "";
  return center.get(rd, { "sec-fetch-site": "cross-site" });
}

describe("an access policy at a site behind a proxy", () => {
  it("keeps out who signed in with a password alone, by cookie and by token", async () => {
    await govern({ minimumAssurance: "two-factor" });
    assert.match(await deniedTo(SCRIPT), /sign in with two-factor authentication/u);
    assert.match(
      await deniedTo({ ...SCRIPT, authorization: `Bearer ${ann.accessToken}` }),
      /sign in with two-factor authentication/u,
    );
    for (const begun of [await site.ask("/x"), await site.own("/.trivet/enter", NAVIGATION)])
      assert.match(
        (await askCenter(begun)).headers.get("location") ?? "",
        /^\/account\/two-factor\?need=two/u,
      );
    await govern({ minimumAssurance: "any" });
    assert.equal((await site.ask("/")).status, 204);
  });

  it("takes a person whose sign-in is too old through a new proof, and back to the page", async () => {
    await govern({ maxSignInAgeMinutes: 5 });
    app.clock.advance(5 * 60_000);
    assert.equal((await site.ask("/")).status, 204);
    app.clock.advance(60_000);
    assert.match(await deniedTo(SCRIPT), /requires more: sign in again/u);
    const begun = await site.ask("/page?x=1");
    const confirm = (await askCenter(begun)).headers.get("location") ?? "";
    assert.match(confirm, /^\/account\/confirm\?rd=/u);
    const rd = new URL(confirm, CENTER).searchParams.get("rd") ?? "";
    assert.equal((await center.post("/account/confirm", { password: PASSWORD, rd })).status, 303);
    const entered = await site.own(await passCenter({ center, site }, begun));
    assert.equal(entered.headers.get("location"), `${NOTES}/page?x=1`);
    assert.equal((await site.ask("/")).status, 204);
  });

  it("shows the page of who comes from another network", async () => {
    await govern({ networks: ["10.0.0.0/8"] });
    const refused = await site.ask("/");
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /network/u);
    assert.match(await deniedTo(SCRIPT, 403), /cannot be used from this network/u);
    await govern({ networks: ["10.0.0.0/8"], twoFactorOutsideNetworks: true });
    assert.match(await deniedTo(SCRIPT), /sign in with two-factor authentication/u);
  });
});
