/** Passkeys on the pages, as their script asks and posts; and the host that they are made for. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { checkRelyingParty, findRelyingParty } from "../../../src/auth/passkeys/relying-party.ts";
import { type Log, silentLog } from "../../../src/kit/observe/log.ts";
import type { CreationOptions, RequestOptions } from "../../support/authenticator.ts";
import { PASSWORD, type SignedIn, type TestApp, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { type Browser, createBrowser, locationOf, signIn } from "../pages/browser.ts";
import { type Begun, createPasskeyRoom } from "./passkey-room.ts";

const MINUTE = 60_000;
const SECURITY = "/account/security/passkeys";

let app: TestApp;
let ann: SignedIn;
let room: ReturnType<typeof createPasskeyRoom>;

/** A browser that has been on the sign-in page. */
async function open(): Promise<Browser> {
  const browser = createBrowser(app);
  await browser.get("/sign-in");
  return browser;
}

async function begin<O>(browser: Browser, action: string): Promise<Begun<O>> {
  return read<Begun<O>>(await browser.post(`${action}/options`, {}), 200);
}

const toForm = (begun: Begun<unknown>, response: object, more: Record<string, string> = {}) => ({
  challengeId: begun.challengeId,
  response: JSON.stringify(response),
  ...more,
});

beforeEach(async () => {
  app = await createTestApp();
  room = createPasskeyRoom(app);
  ann = await app.signUp("ann");
});

describe("passkeys on the pages", () => {
  it("sign in where they wanted to go, in the browser that asked and in no other", async () => {
    const { authenticator } = await room.add(ann);
    const browser = await open();
    const begun = await begin<RequestOptions>(browser, "/sign-in/passkey");
    const form = toForm(begun, authenticator.get(begun.options), { rd: "/account/data" });
    const other = await open();
    assert.equal((await other.post("/sign-in/passkey", form)).status, 401);
    const { challengeId, response } = form;
    const byApi = { challengeId, response: JSON.parse(response) };
    assert.equal((await room.post("/api/auth/passkeys/sign-in", byApi)).status, 401);
    assert.equal(locationOf(await browser.post("/sign-in/passkey", form)), "/account/data");
    assert.equal((await browser.get("/account")).status, 200);
  });

  it("are rejected in words, an unknown one also toward the browser, and not requested again automatically", async () => {
    const { authenticator, id } = await room.add(ann);
    const browser = await open();
    const send = async (faults = {}): Promise<string> => {
      const begun = await begin<RequestOptions>(browser, "/sign-in/passkey");
      const form = toForm(begun, authenticator.get(begun.options, faults));
      return (await browser.post("/sign-in/passkey", form)).text();
    };
    assert.match(await (await browser.get("/sign-in")).text(), /data-autofill/u);
    const bogus = await send({ isBogus: true });
    assert.match(bogus, /passkey couldn’t be verified/u);
    assert.doesNotMatch(bogus, /data-autofill|data-unknown/u);
    await app.admin("DELETE", `/api/admin/users/${ann.user.id}/passkeys/${id}`);
    assert.match(await send(), new RegExp(`data-unknown="${authenticator.id}"`, "u"));
    const broken: Record<string, string>[] = [{}, { response: "{" }, { challengeId: "v1.x", response: "[]" }];
    for (const form of broken) assert.equal((await browser.post("/sign-in/passkey", form)).status, 401);
  });

  it("are added after a fresh proof, which the form leads to where it is not fresh", async () => {
    const browser = createBrowser(app);
    await signIn(browser, "ann", PASSWORD);
    const begun = await begin<CreationOptions>(browser, `${SECURITY}/add`);
    const { authenticator } = await room.add(await app.signUp("bob"));
    const form = toForm(begun, authenticator.create(begun.options));
    assert.match(await (await browser.post(`${SECURITY}/add`, form)).text(), /or another one/u);
    app.clock.advance(11 * MINUTE);
    assert.equal((await browser.post(`${SECURITY}/add/options`, {})).status, 403);
    const asked = locationOf(await browser.post(`${SECURITY}/add`, {}));
    assert.equal(asked, `/account/confirm?rd=${encodeURIComponent(SECURITY)}`);
  });

  it("are offered after a password on a device that can make one, until the owner says never", async () => {
    const enter = async (browser: Browser, passkeyDevice: string): Promise<string> => {
      const form = { identifier: "ann", password: PASSWORD, passkeyDevice, rd: "/account/data" };
      return locationOf(await browser.post("/sign-in", form));
    };
    assert.equal(await enter(await open(), ""), "/account/data");
    const browser = await open();
    const offer = "/account/passkey-offer?rd=%2Faccount%2Fdata";
    assert.equal(await enter(browser, "yes"), offer);
    const later = await browser.post("/account/passkey-offer/later", { rd: "/account/data" });
    assert.equal(locationOf(later), "/account/data");
    await browser.post("/sign-out", {});
    assert.equal(await enter(browser, "yes"), "/account/data");
    const another = await open();
    assert.equal(await enter(another, "yes"), offer);
    await another.post("/account/passkey-offer/never", {});
    assert.equal(await enter(await open(), "yes"), "/account/data");
  });
});

describe("the host of passkeys", () => {
  it("is that of the public address; this machine goes by its name, and other numbers have none", () => {
    const idOf = (address: string): string | undefined => findRelyingParty(address)?.id;
    assert.deepEqual(
      ["https://id.example.org:8443/", "http://127.0.0.1:4100", "http://[::1]:4100"].map(idOf),
      ["id.example.org", "localhost", "localhost"],
    );
    assert.deepEqual(["https://192.0.2.7", "https://[2001:db8::1]", ""].map(idOf), [
      undefined,
      undefined,
      undefined,
    ]);
    assert.equal(findRelyingParty("http://127.0.0.1:4100")?.origin, "http://localhost:4100");
  });

  it("is kept, and a start with another one warns for as long as there are passkeys of before", async () => {
    const warnings: string[] = [];
    const log: Log = { ...silentLog, warn: (text) => void warnings.push(text) };
    const start = (address: string): Promise<void> =>
      checkRelyingParty({ store: app.store, log }, findRelyingParty(address));
    await start("http://other.example");
    await start("http://localhost");
    const { id } = await room.add(ann);
    assert.deepEqual(warnings, []);
    await start("https://new.example.org");
    await start("https://new.example.org");
    assert.equal(warnings.length, 2);
    assert.match(warnings.join(), /1 passkeys for localhost do not work for new\.example\.org/u);
    await start("http://localhost");
    await app.admin("DELETE", `/api/admin/users/${ann.user.id}/passkeys/${id}`);
    await start("https://new.example.org");
    assert.equal(warnings.length, 2);
  });
});
