/** Addresses that applications register: web addresses and schemes of apps, and what is rejected by name. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { ADMIN_TOKEN, PASSWORD, type TestApp, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { clients } from "../../../src/auth/applications/records.ts";
import { createBrowser, signIn } from "../pages/browser.ts";

/** What apps that are in use register. */
const accepted = [
  "https://app.example.org/callback?x=1",
  "http://127.0.0.1/callback",
  "http://app.home.arpa:8080/callback",
  "oc://android.opencloud.eu",
  "oc://ios.owncloud.com",
  "audiobookshelf://oauth",
  "com.example.app:/cb",
  "app.immich:///oauth-callback",
  "kitchenowl:///signin/redirect",
  "io.element:/callback",
  "logto:logto.android.com",
  "vscode://publisher.extension/auth",
  "cursor://anysphere.cursor-retrieval/oauth/callback",
  "nc+app-1.2:/done",
];

const rejected: Readonly<Record<string, RegExp>> = {
  "https://*.example.org/callback": /Wildcards are not supported/u,
  "https://app.example.org/*": /Wildcards are not supported/u,
  "*": /Wildcards are not supported/u,
  "kitchenowl://*": /Wildcards are not supported/u,
  "/callback": /full URI/u,
  "app.example.org/callback": /full URI/u,
  "https:app.example.org": /full URI/u,
  "c:/windows/system32/calc.exe": /full URI/u,
  "https://a.example/#x": /fragment/u,
  "com.example.app:/cb#": /fragment/u,
  "https://u@a.example/": /username/u,
  "oc://u:p@android.opencloud.eu": /username/u,
  ...Object.fromEntries(
    [
      "javascript:alert(1)",
      "JavaScript:alert(1)",
      "data:text/html,x",
      "file:///etc/passwd",
      "vbscript:x",
      "blob:https://a.example/1",
      "about:blank",
      "ws://a.example/",
      "wss://a.example/",
      "ftp://a.example/",
      "mailto:a@a.example",
      "intent://a.example#Intent;end",
      "tel:+4912345",
      "sms:+4912345",
      "view-source:https://a.example/",
      "filesystem:https://a.example/x",
      "urn:ietf:wg",
      "ms-msdt:/id",
      "search-ms:query",
      "android-app://com.example",
      "itms-services://?x",
      "market://x",
    ].map((address) => [address, /never opens an application/u]),
  ),
};

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});

const make = (fields: object): Promise<Response> =>
  app.admin("POST", "/api/admin/clients", { id: "phone", name: "Phone", ...fields });

describe("addresses of an application", () => {
  it("are taken with any scheme that an app on a device owns", async () => {
    for (const clientType of ["public", "confidential"]) {
      const fields = { redirectUris: accepted, postLogoutRedirectUris: accepted };
      const made: object = await read(await make({ clientType, ...fields }), 201);
      assert.deepEqual({ ...made, ...fields }, made);
      await app.admin("DELETE", "/api/admin/clients/phone");
    }
  });

  for (const [address, reason] of Object.entries(rejected))
    it(`are rejected with the reason, as is ${address}`, async () => {
      for (const field of ["redirectUris", "postLogoutRedirectUris"]) {
        const response = await make({ [field]: ["https://a.example/", address] });
        const { errors }: { errors?: { pointer: string; message: string }[] } = await read(response, 422);
        assert.deepEqual([errors?.length, errors?.[0]?.pointer], [1, `/${field}/1`]);
        assert.match(errors?.[0]?.message ?? "", reason);
      }
      const line = { type: "application", id: "phone", name: "Phone", redirectUris: [address] };
      const imported = await app.fetch("/api/admin/users/import", {
        method: "POST",
        headers: { "content-type": "application/x-ndjson", "x-admin-token": ADMIN_TOKEN },
        body: JSON.stringify(line),
      });
      const report: { errors: { message: string }[] } = await imported.json();
      assert.match(report.errors[0]?.message ?? "", reason);
    });

  it("from an older release are loaded and shown, match nothing, and do not block a change", async () => {
    await make({ redirectUris: ["https://a.example/cb"] });
    const old = ["https://*.hx.example/cb"];
    await app.store.transact(async (tx) => {
      const client = (await tx.get(clients, "phone")) ?? assert.fail();
      await tx.put(clients, { ...client, redirectUris: old });
    });
    const changed: { redirectUris: string[] } = await read(
      await app.admin("PATCH", "/api/admin/clients/phone", { name: "Telephone" }),
      200,
    );
    assert.deepEqual(changed.redirectUris, old);
    await app.signUp("ann");
    const browser = createBrowser(app);
    await signIn(browser, "ann", PASSWORD);
    const asked = { client_id: "phone", redirect_uri: "https://x.hx.example/cb", response_type: "code" };
    const query = new URLSearchParams(asked);
    const answer = await browser.get(`/oauth/authorize?${query.toString()}`);
    assert.deepEqual([answer.status, answer.headers.get("refresh")], [400, null]);
  });

  it("lead back to the app with the code, after the person confirms", async () => {
    await app.signUp("ann");
    const browser = createBrowser(app);
    await signIn(browser, "ann", PASSWORD);
    await make({ clientType: "public", redirectUris: accepted });
    for (const redirect_uri of accepted.filter((address) => !address.startsWith("http"))) {
      const query = {
        client_id: "phone",
        redirect_uri,
        response_type: "code",
        state: "s",
        code_challenge: "c".repeat(43),
        code_challenge_method: "S256",
      };
      const answer = await browser.post("/oauth/authorize/answer", { ...query, answer: "allow" });
      const url = /^0; url=(.+)$/u.exec(answer.headers.get("refresh") ?? "")?.[1] ?? "";
      assert.ok(url.startsWith(`${redirect_uri}?code=cod_`), `${redirect_uri}: ${url}`);
      assert.ok((await answer.text()).includes(`href="${redirect_uri}?code=`));
    }
  });
});
