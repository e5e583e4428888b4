/** Details of the protocol that clients of others rest on: who asks, what is said of a refusal, and narrower scopes. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { type Center, openCenter } from "../../hostile/application-tokens.ts";

const FORM = "application/x-www-form-urlencoded";
let center: Center;

before(async () => {
  center = await openCenter();
});

async function told(response: Response): Promise<Record<string, unknown>> {
  return response.json();
}

describe("an application's credentials", () => {
  it("name one application, in the header and in the form alike", async () => {
    const { refresh_token: token } = await center.grant("notes", "openid");
    for (const path of ["/oauth/revoke", "/oauth/token", "/oauth/par", "/oauth/device_authorization"]) {
      const response = await center.post(path, { token, client_id: "wiki" }, "notes");
      assert.equal(response.status, 401, path);
      assert.match(response.headers.get("www-authenticate") ?? "", /^Basic realm="[^"]+"/u);
      assert.equal((await told(response))["error"], "invalid_client");
    }
    assert.equal((await center.post("/oauth/revoke", { token, client_id: "notes" }, "notes")).status, 200);
  });

  it("get a Basic challenge with a realm when introspection came without them", async () => {
    const response = await center.post("/api/auth/introspect", { token: "x" });
    assert.equal(response.status, 401);
    assert.match(response.headers.get("www-authenticate") ?? "", /^Basic realm="[^"]+"/u);
    const { code, error, error_description: description } = await told(response);
    assert.deepEqual([code, error, typeof description], ["unauthenticated", "invalid_client", "string"]);
  });
});

describe("a refusal", () => {
  it("always says why", async () => {
    const asks: readonly [string, Record<string, string>, string | undefined][] = [
      ["/oauth/token", {}, "notes"],
      ["/oauth/token", {}, undefined],
      ["/oauth/token", { grant_type: "password" }, "notes"],
      ["/oauth/token", { grant_type: "authorization_code", code: "cod_x" }, "notes"],
      ["/oauth/token", { grant_type: "authorization_code", code: "x", code_verifier: "short" }, "notes"],
      ["/oauth/token", { grant_type: "refresh_token", refresh_token: "ref_x" }, "notes"],
      ["/oauth/token", { grant_type: "urn:ietf:params:oauth:grant-type:device_code" }, "notes"],
      ["/oauth/token", { grant_type: "urn:ietf:params:oauth:grant-type:device_code" }, "wiki"],
      ["/oauth/revoke", {}, "notes"],
      ["/oauth/par", {}, "notes"],
      ["/oauth/device_authorization", {}, "wiki"],
    ];
    for (const [path, fields, clientId] of asks) {
      const response = await center.post(path, fields, clientId);
      assert.ok([400, 401].includes(response.status), path);
      const { error, error_description: description = "" } = await told(response);
      assert.match(String(description), /^.{10,}$/u, `${path} ${String(error)}`);
    }
  });

  it("names S256 to an application that sends another method, also where PKCE is not required", async () => {
    for (const requirePkce of [true, false]) {
      await center.app.admin("PATCH", "/api/admin/clients/notes", { requirePkce });
      for (const method of ["plain", ""]) {
        const query = new URLSearchParams({
          response_type: "code",
          client_id: "notes",
          redirect_uri: "https://notes.example/cb",
          code_challenge: "v".repeat(43),
          ...(method !== "" && { code_challenge_method: method }),
        });
        const page = await center.browser.get(`/oauth/authorize?${query.toString()}`);
        const onward = new URL(/url=(.+)$/u.exec(page.headers.get("refresh") ?? "")?.[1] ?? "");
        assert.equal(onward.searchParams.get("error"), "invalid_request");
        assert.match(onward.searchParams.get("error_description") ?? "", /S256.*"plain" is not supported/u);
      }
    }
    await center.app.admin("PATCH", "/api/admin/clients/notes", { requirePkce: true });
  });
});

describe("a narrower scope at a renewal", () => {
  const renew = async (token: string, scope?: string) => {
    const fields = { grant_type: "refresh_token", refresh_token: token };
    const response = await center.post("/oauth/token", { ...fields, ...(scope && { scope }) }, "notes");
    assert.equal(response.status, 200);
    return told(response);
  };
  const claims = async (token: unknown): Promise<Record<string, unknown>> =>
    told(await center.app.send("GET", "/oauth/userinfo", { token: String(token) }));

  it("narrows the access token alone, and the next renewal has all that was granted", async () => {
    const first = await center.grant("notes", "openid profile email");
    const narrow = await renew(first.refresh_token, "openid email");
    assert.equal(narrow["scope"], "openid email");
    const seen = await claims(narrow["access_token"]);
    assert.deepEqual([seen["email"], seen["name"]], ["ann@example.org", undefined]);
    assert.equal((await claims(first.access_token))["name"], "ann", "the token before is as it was");
    const whole = await renew(String(narrow["refresh_token"]));
    assert.equal(whole["scope"], "openid profile email");
    assert.equal((await claims(whole["access_token"]))["name"], "ann");
    const old = await claims(narrow["access_token"]);
    assert.deepEqual([old["email"], old["name"]], ["ann@example.org", undefined], "it is not widened");
    const { scope } = await told(
      await center.post("/api/auth/introspect", { token: String(narrow["access_token"]) }, "notes"),
    );
    assert.equal(scope, "openid email");
  });
});

describe("a form that breaks off", () => {
  it("is a malformed request, at every endpoint that reads one", async () => {
    for (const path of [
      "/oauth/token",
      "/oauth/revoke",
      "/oauth/par",
      "/oauth/device_authorization",
      "/oauth/userinfo",
      "/oauth/authorize",
      "/oauth/logout",
      "/api/auth/introspect",
      "/api/auth/validate",
    ]) {
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode("token=")),
        pull: (controller) => controller.error(new TypeError("aborted")),
      });
      const init = { method: "POST", headers: { "content-type": FORM }, body, duplex: "half" as const };
      assert.equal((await center.app.raw(path, init)).status, 400, path);
    }
  });
});
