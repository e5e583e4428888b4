/** Resources (RFC 8707): who may request which, what narrows, and who wins. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { decodeJwt } from "jose";
import { AUDIENCE, type Center, READ, type Tokens, openCenter } from "../../hostile/application-tokens.ts";
import { read } from "../http/admin-requests.ts";
import { readOnward } from "./onward.ts";

let center: Center;
before(async () => {
  center = await openCenter();
});

type Fields = Record<string, string> | [string, string][];

const told = async (response: Response): Promise<Record<string, unknown>> => response.json();

/** What /oauth/authorize answers the application. */
async function ask(clientId: string, more: [string, string][]): Promise<URLSearchParams> {
  const query = new URLSearchParams([
    ["response_type", "code"],
    ["client_id", clientId],
    ["redirect_uri", `https://${clientId}.example/cb`],
    ["code_challenge", "E".repeat(43)],
    ["code_challenge_method", "S256"],
    ...more,
  ]);
  const answer = await center.browser.get(`/oauth/authorize?${query.toString()}`);
  return new URL(readOnward(answer)).searchParams;
}

async function renew(tokens: Pick<Tokens, "refresh_token">, fields: Fields, clientId = "notes") {
  const body: [string, string][] = [
    ["grant_type", "refresh_token"],
    ["refresh_token", tokens.refresh_token],
    ...(Array.isArray(fields) ? fields : Object.entries(fields)),
  ];
  return center.post("/oauth/token", body, clientId);
}

async function introspect(token: string, clientId: string): Promise<Record<string, unknown>> {
  return told(await center.post("/api/auth/introspect", { token }, clientId));
}

describe("a request for resources", () => {
  it("is refused for what the application may not request, with what to do", async () => {
    const foreign = await ask("wiki", [["resource", "shop"]]);
    assert.equal(foreign.get("error"), "invalid_target");
    assert.match(
      foreign.get("error_description") ?? "",
      /"wiki" may not request the resource "shop"\. An admin/u,
    );
    const unknown = await ask("notes", [["resource", "https://nobody.example"]]);
    assert.equal(unknown.get("error"), "invalid_target");
    const excess = await ask("notes", [
      ["resource", AUDIENCE],
      ["scope", `openid ${READ} wishlist`],
    ]);
    assert.equal(excess.get("error"), "invalid_scope");
    assert.match(
      excess.get("error_description") ?? "",
      /the scope "wishlist" at https:\/\/api\.bank\.example/u,
    );
  });

  it("takes a service by its short name and its address, and scopes of OpenID Connect that mean nothing", async () => {
    for (const resource of ["auth", "http://localhost", "http://localhost/"]) {
      const answer = await ask("notes", [
        ["resource", resource],
        ["scope", "openid address phone check-in"],
      ]);
      assert.ok(answer.has("code"), `${resource}: ${answer.toString()}`);
    }
  });

  it("means nothing by a scope without its resource", async () => {
    const { scope } = await center.grant("notes", "openid wishlist purchases:write");
    assert.equal(scope, "openid");
  });

  it("is refused with an ambiguous JWT", async () => {
    const answer = await ask("jot", [
      ["resource", "shop"],
      ["resource", "monitor"],
      ["scope", "wishlist"],
    ]);
    assert.equal(answer.get("error"), "invalid_target");
  });

  it("may be sent ahead, and by a device", async () => {
    const fields: [string, string][] = [
      ["response_type", "code"],
      ["redirect_uri", "https://notes.example/cb"],
      ["code_challenge", "E".repeat(43)],
      ["code_challenge_method", "S256"],
    ];
    const refused = await center.post(
      "/oauth/par",
      [...fields, ["resource", "https://nobody.example"]],
      "notes",
    );
    assert.deepEqual([refused.status, (await told(refused))["error"]], [400, "invalid_target"]);
    const pushed = await center.post(
      "/oauth/par",
      [...fields, ["resource", "shop"], ["resource", AUDIENCE]],
      "notes",
    );
    assert.equal(pushed.status, 201);
    const device = await center.post("/oauth/device_authorization", { resource: "shop" }, "wiki");
    assert.equal((await told(device))["error"], "unauthorized_client");
    const unknown = await center.post("/oauth/device_authorization", { resource: "x:y" }, "notes");
    assert.equal((await told(unknown))["error"], "invalid_target");
  });
});

describe("tokens for resources", () => {
  it("name them, the center where they tell who the person is, and the scopes that count there", async () => {
    const both = await center.grant("notes", `openid wishlist ${READ}`, { resources: ["shop", AUDIENCE] });
    const told = await introspect(both.access_token, "notes");
    assert.deepEqual(told["aud"], ["http://localhost", "shop", AUDIENCE]);
    assert.equal(told["scope"], `openid wishlist ${READ}`);
    assert.equal((await introspect(both.access_token, "bank"))["scope"], `openid ${READ}`);
    const plain = await center.grant("jot", READ, { resources: [AUDIENCE] });
    const claims = decodeJwt(plain.access_token);
    assert.deepEqual([claims.aud, claims["scope"], claims["client_id"]], [AUDIENCE, READ, "jot"]);
    assert.equal(plain.id_token, undefined);
  });

  it("narrow with the code, and by each renewal, and are never widened", async () => {
    const resources = ["shop", "monitor"];
    const scope = "openid wishlist messages status:read";
    const first = await center.grant("notes", scope, { resources, narrow: ["monitor"] });
    assert.equal(first.scope, "openid status:read");
    assert.deepEqual((await introspect(first.access_token, "notes"))["aud"], ["http://localhost", "monitor"]);
    for (const [fields, error] of [
      [{ resource: "auth" }, "invalid_target"],
      [{ resource: AUDIENCE }, "invalid_target"],
      [{ scope: "openid purchases:read" }, "invalid_scope"],
      [{ scope: "profile" }, "invalid_scope"],
    ] as const) {
      const refused = await renew(first, { ...fields });
      assert.deepEqual(
        [refused.status, (await told(refused))["error"]],
        [400, error],
        JSON.stringify(fields),
      );
    }
    const shop: Tokens = await (await renew(first, { resource: "shop", scope: "wishlist" })).json();
    assert.equal(shop.scope, "wishlist");
    assert.equal((await introspect(shop.access_token, "notes"))["aud"], "shop");
    const before = await introspect(first.access_token, "notes");
    assert.deepEqual(
      [before["aud"], before["scope"]],
      [["http://localhost", "monitor"], "openid status:read"],
    );
    const whole: Tokens = await (await renew(shop, {})).json();
    assert.equal(whole.scope, scope);
  });

  it("may not be for more than the code, which is not used up by asking", async () => {
    const query = await ask("notes", [["resource", "shop"]]);
    const code = query.get("code") ?? "";
    const fields: [string, string][] = [
      ["grant_type", "authorization_code"],
      ["code", code],
      ["code_verifier", "v".repeat(43)],
      ["redirect_uri", "https://notes.example/cb"],
    ];
    const wide = await center.post(
      "/oauth/token",
      [...fields, ["resource", "shop"], ["resource", "auth"]],
      "notes",
    );
    assert.deepEqual([wide.status, (await told(wide))["error"]], [400, "invalid_target"]);
    // The challenge is another one: the code is still looked at.
    const again = await center.post("/oauth/token", [...fields, ["resource", "shop"]], "notes");
    assert.match(String((await told(again))["error_description"]), /code_verifier does not match/u);
  });

  it("lose what an administrator takes from the application, at the next call", async () => {
    const { access_token: token } = await center.grant("wiki", "openid");
    assert.equal((await introspect(token, "wiki"))["active"], true);
    const resources = [{ id: "shop", scopes: ["wishlist", "messages"] }];
    await read(await center.app.admin("PATCH", "/api/admin/clients/wiki", { resources }), 200);
    const held = await center.grant("wiki", "openid wishlist", { resources: ["shop"] });
    assert.equal((await introspect(held.access_token, "shop"))["scope"], "openid wishlist");
    await read(
      await center.app.admin("PATCH", "/api/admin/clients/wiki", {
        resources: [{ id: "shop", scopes: ["messages"] }],
      }),
      200,
    );
    assert.equal((await introspect(held.access_token, "shop"))["scope"], "openid");
  });
});

describe("a race", () => {
  const AT_ONCE = 16;
  const choices = ["shop", "monitor", "auth"] as const;

  it("of a code with different resources has one winner, and no loser's token lives", async () => {
    const begun = await center.begin("notes", "openid", choices);
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        center.post(
          "/oauth/token",
          [...begun, ["resource", choices[index % choices.length] ?? "shop"]],
          "notes",
        ),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ status }) => status === 400).length, AT_ONCE - 1);
  });

  it("of renewals gives the tokens of one resource alone", async () => {
    const first = await center.grant("notes", "openid", { resources: choices });
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        renew(first, { resource: choices[index % choices.length] ?? "shop" }),
      ),
    );
    const won: Record<string, unknown>[] = [];
    for (const [index, answer] of answers.entries()) {
      if (answer.status !== 200) continue;
      const tokens = await told(answer);
      won.push(tokens);
      // Who asked for another resource must not get this one's token.
      const { aud } = await introspect(String(tokens["access_token"]), "notes");
      const resource = choices[index % choices.length] ?? "shop";
      const expected = resource === "auth" ? "http://localhost" : ["http://localhost", resource];
      assert.deepEqual(aud, expected);
    }
    assert.equal(new Set(won.map((tokens) => tokens["access_token"])).size, 1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      assert.equal((await told(answer))["error"], "invalid_grant");
    // It was not taken for a theft.
    const after = await renew({ refresh_token: String(won[0]?.["refresh_token"]) }, {});
    assert.equal(after.status, 200);
  });

  it("of a device's code has one winner", async () => {
    const asked = await center.post(
      "/oauth/device_authorization",
      [
        ["scope", "openid wishlist"],
        ["resource", "shop"],
      ],
      "notes",
    );
    const codes: { device_code: string; user_code: string } = await asked.json();
    const allowed = await center.browser.post("/device/answer", {
      user_code: codes.user_code,
      answer: "allow",
    });
    assert.equal(allowed.status, 303);
    const fields = {
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: codes.device_code,
    };
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => center.post("/oauth/token", fields, "notes")),
    );
    const won = answers.filter(({ status }) => status === 200);
    assert.equal(won.length, 1);
    for (const answer of won) assert.equal((await told(answer))["scope"], "openid wishlist");
  });
});

describe("registered resources", () => {
  it("are listed beside the install's services, and changed without what applications use", async () => {
    const { app } = center;
    const list = await read<{ builtIn: { identifier: string }[]; items: { id: string }[] }>(
      await app.admin("GET", "/api/admin/resources"),
      200,
    );
    assert.deepEqual(
      list.builtIn.map(({ identifier }) => identifier),
      ["auth", "shop", "monitor"],
    );
    const [bank] = list.items;
    assert.ok(bank);
    const path = `/api/admin/resources/${bank.id}`;
    const body = { identifier: AUDIENCE, title: "Bank again" };
    assert.equal((await app.admin("POST", "/api/admin/resources", body)).status, 409);
    const without = await app.admin("PATCH", path, { scopes: [] });
    assert.equal(without.status, 409);
    assert.match(
      String((await told(without))["detail"]),
      /"(?:jot|notes)" may request the scope "accounts:read"/u,
    );
    assert.equal((await app.admin("DELETE", path)).status, 409);
    await read(await app.admin("PATCH", path, { title: "The bank" }), 200);
    const fields = { identifier: "urn:example:spare", title: "Spare", scopes: [] };
    const made = await read<{ id: string }>(await app.admin("POST", "/api/admin/resources", fields), 201);
    assert.equal((await app.admin("DELETE", `/api/admin/resources/${made.id}`)).status, 204);
  });

  it("refuse identifiers that are none, and applications that list what there is not", async () => {
    const { app } = center;
    for (const identifier of ["api", "https://x.example/#a", "https://x .example", "//x.example", ""]) {
      const made = await app.admin("POST", "/api/admin/resources", { identifier, title: "X" });
      assert.equal(made.status, 422, identifier);
    }
    for (const resources of [
      [{ id: "urn:nobody", scopes: [] }],
      [{ id: "shop", scopes: ["photos"] }],
      [{ id: "shop" }, { id: "shop" }],
    ]) {
      const changed = await app.admin("PATCH", "/api/admin/clients/wiki", { resources });
      assert.equal(changed.status, 422, JSON.stringify(resources));
    }
  });
});
