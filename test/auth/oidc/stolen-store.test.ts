/** A stolen copy of the store signs in no one: each value in it is tried as every kind of credential. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBrowser } from "../pages/browser.ts";
import { dumpStore } from "../store-dump.ts";
import { type Suite, REDIRECT, openSuite } from "./conformance/suite.ts";

const FORM = "application/x-www-form-urlencoded";
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const VERIFIER = "v".repeat(43);

/** Every string inside, at any depth. */
function findTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(findTexts) : [];
}

/** Values of records, and the records' names, ids and parts that a thief would think of. */
async function readStolen({ center }: Suite): Promise<string[]> {
  const lines = await dumpStore(center.store);
  assert.ok(lines.length > 10, `${lines.length} records`);
  const records = lines.map((line): unknown => JSON.parse(line.slice(line.indexOf(" ") + 1)));
  const texts = records.flatMap(findTexts).filter((text) => text.length >= 8);
  const prefixed = texts
    .filter((text) => /^[0-9a-f]{64}$/u.test(text))
    .flatMap((hash) => {
      const short = Buffer.from(hash, "hex").toString("base64url");
      return ["acc", "ref", "cod"].map((prefix) => `${prefix}_${short}`);
    });
  return [...new Set([...texts, ...prefixed])];
}

/** A person who is signed in, with an application that holds tokens, a code that waits, and one that was used. */
async function walk(suite: Suite) {
  const party = await suite.register("suite", { fields: { requirePkce: false, deviceFlow: true } });
  const browser = await suite.openBrowser();
  const tokens = await party.enter(browser, { scope: "openid profile email offline_access" });
  await party.renew(tokens.refresh_token ?? "");
  const open = await suite.travel(browser, party.toRequest());
  const challenge = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(VERIFIER));
  const bound = await suite.travel(
    browser,
    party.toRequest({
      code_challenge: Buffer.from(challenge).toString("base64url"),
      code_challenge_method: "S256",
    }),
  );
  const begun = await suite.center.fetch("/oauth/device_authorization", {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`suite:${party.secret}`)}`, "content-type": FORM },
    body: "scope=openid",
  });
  const device: { device_code: string; user_code: string } = await begun.json();
  return { party, browser, tokens, open, bound, device };
}

describe("a stolen copy of the store", () => {
  it("holds nothing that is a code, a token, a secret or a cookie", async () => {
    const suite = await openSuite();
    const { party, browser, tokens, open, bound, device } = await walk(suite);
    const secrets = [
      party.secret,
      tokens.access_token,
      tokens.refresh_token,
      tokens.id_token,
      VERIFIER,
      ...[open, bound].map(({ callback }) => callback?.searchParams.get("code")),
      ...browser.cookies.values(),
      device.device_code,
    ].flatMap((secret) => ((secret ?? "").length >= 20 ? [secret ?? ""] : []));
    assert.ok(secrets.length >= 8, `${secrets.length} secrets`);
    const lines = await dumpStore(suite.center.store);
    for (const line of lines) assert.ok(!line.includes(device.user_code.replace("-", "")), line);
    for (const line of lines)
      for (const secret of secrets)
        for (const form of [secret, secret.slice(4), Buffer.from(secret).toString("base64url")])
          assert.ok(!line.includes(form), `"${secret}" stands in ${line}`);
  });

  it("has no value that works as one", async () => {
    const suite = await openSuite();
    const { party, browser, tokens } = await walk(suite);
    const { center } = suite;
    const [cookie = ""] = [...browser.cookies.keys()].filter((name) => /session/u.test(name));
    assert.notEqual(cookie, "");
    let address = 0;
    /** Each from another address, so that no limit plays a part. */
    const send = (
      path: string,
      init: { method?: string; headers: Record<string, string>; body?: string },
    ) => {
      address += 1;
      return center.raw(path, { ...init, from: `198.18.${(address >> 8) & 255}.${address & 255}` });
    };
    const post = (path: string, fields: Record<string, string>, basic: string) => {
      const headers = { authorization: `Basic ${btoa(basic)}`, "content-type": FORM };
      return send(path, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
    };
    const own = `suite:${party.secret}`;
    const forCode = { grant_type: "authorization_code", redirect_uri: REDIRECT };
    const uses: Readonly<Record<string, (value: string) => Promise<number>>> = {
      code: async (code) => (await post("/oauth/token", { ...forCode, code }, own)).status,
      "code with a verifier": async (code) =>
        (await post("/oauth/token", { ...forCode, code, code_verifier: VERIFIER }, own)).status,
      verifier: async (code_verifier) =>
        /^[\w.~-]{43,128}$/u.test(code_verifier)
          ? (await post("/oauth/token", { ...forCode, code: "cod_x", code_verifier }, own)).status
          : 400,
      "device code": async (device_code) =>
        (await post("/oauth/token", { grant_type: DEVICE_GRANT, device_code }, own)).status,
      "refresh token": async (refresh_token) =>
        (await post("/oauth/token", { grant_type: "refresh_token", refresh_token }, own)).status,
      "application's secret": async (secret) =>
        /^[\x20-\x7e]+$/u.test(secret)
          ? (await post("/oauth/token", { ...forCode, code: "cod_x" }, `suite:${encodeURIComponent(secret)}`))
              .status === 401
            ? 401
            : 200
          : 401,
      "access token": async (token) =>
        /^[\x21-\x7e]+$/u.test(token)
          ? (await send("/oauth/userinfo", { headers: { authorization: `Bearer ${token}` } })).status
          : 401,
      cookie: async (value) => {
        if (!/^[\x21\x23-\x3a\x3c-\x7e]+$/u.test(value)) return 303;
        const thief = createBrowser(center);
        thief.cookies.set(cookie, value);
        return (await thief.get("/account")).status;
      },
    };
    const stolen = await readStolen(suite);
    assert.ok(stolen.length > 60, `${stolen.length} values`);
    for (const value of stolen)
      for (const [use, attempt] of Object.entries(uses)) {
        const status = await attempt(value);
        assert.ok(status >= 300, `"${value}" works as ${use}: ${status}`);
      }
    // The same questions with what is real go well.
    const works = [
      await uses["access token"]?.(tokens.access_token),
      await uses["cookie"]?.(browser.cookies.get(cookie) ?? ""),
      await uses["application's secret"]?.(party.secret ?? ""),
    ];
    assert.deepEqual(works, [200, 200, 200]);
  });
});
