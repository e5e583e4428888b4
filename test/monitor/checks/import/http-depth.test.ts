import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ImportPlan } from "../../../../src/monitor/checks/import/entry.ts";
import { planGatus } from "../../../../src/monitor/checks/import/gatus.ts";
import { parseYaml } from "../../../../src/monitor/checks/import/gatus-values.ts";
import { planKuma } from "../../../../src/monitor/checks/import/kuma.ts";
import { client, otherKey } from "../../../kit/probes/chain-certificates.ts";
import { authority } from "../../../kit/probes/certificates.ts";

/** What became of the first entry: the members of its target that are asked for, and its notes. */
function readFirst(plan: ImportPlan | undefined, names: readonly string[]): object {
  const [entry] = plan?.entries ?? [];
  assert.ok(entry?.check, JSON.stringify(entry?.notes));
  const { target } = entry.check;
  const members = names.map((name) => [name, Reflect.get(target, name)] as const);
  return {
    ...Object.fromEntries(members),
    notes: entry.notes.map(({ code, value = "" }) => `${code} ${value}`.trim()),
  };
}

const kuma = (monitor: object, more: object = {}): ImportPlan | undefined =>
  planKuma({ monitorList: [{ name: "A", type: "http", url: "https://a.example", ...monitor }], ...more });

describe("imports from Uptime Kuma keep how a monitor signs in", () => {
  it("with a password, OAuth 2.0, and a client's certificate", () => {
    assert.deepEqual(
      readFirst(kuma({ authMethod: "basic", basic_auth_user: "u", basic_auth_pass: "p" }), [
        "auth",
        "username",
        "password",
      ]),
      { auth: "basic", username: "u", password: "p", notes: [] },
    );
    const oauth = {
      authMethod: "oauth2-cc",
      oauth_token_url: "https://login.example/token",
      oauth_client_id: "c",
      oauth_client_secret: "s",
      oauth_scopes: "a b",
    };
    assert.deepEqual(readFirst(kuma(oauth), ["auth", "tokenUrl", "clientSecret", "scopes"]), {
      auth: "oauth2",
      tokenUrl: "https://login.example/token",
      clientSecret: "s",
      scopes: "a b",
      notes: [],
    });
    const mtls = { authMethod: "mtls", tlsCert: client.cert, tlsKey: client.key, tlsCa: authority };
    assert.deepEqual(readFirst(kuma(mtls), ["clientCertificate", "clientKey", "ca"]), {
      clientCertificate: client.cert,
      clientKey: client.key,
      ca: authority,
      notes: [],
    });
  });

  it("and say what does not fit", () => {
    const foreign = { authMethod: "mtls", tlsCert: client.cert, tlsKey: otherKey, tlsCa: "no PEM" };
    assert.deepEqual(readFirst(kuma(foreign), ["clientCertificate", "ca"]), {
      clientCertificate: undefined,
      ca: undefined,
      notes: ["no_own_authority", "no_sign_in client certificate"],
    });
    const half = { authMethod: "oauth2-cc", oauth_client_id: "c" };
    assert.deepEqual(readFirst(kuma(half), ["auth"]), { auth: undefined, notes: ["no_sign_in oauth2"] });
    assert.deepEqual(readFirst(kuma({ authMethod: "ntlm", basic_auth_user: "u" }), ["auth"]), {
      auth: undefined,
      notes: ["no_sign_in ntlm"],
    });
  });

  it("through HTTP proxies of the backup", () => {
    const proxyList = [
      { id: 1, protocol: "http", host: "proxy.example", port: 3_128, auth: 1, username: "u", password: "p" },
      { id: 2, protocol: "socks5", host: "proxy.example", port: 1_080 },
    ];
    assert.deepEqual(
      readFirst(kuma({ proxyId: 1 }, { proxyList }), ["proxy", "proxyUsername", "proxyPassword"]),
      {
        proxy: "http://proxy.example:3128",
        proxyUsername: "u",
        proxyPassword: "p",
        notes: [],
      },
    );
    for (const proxyId of [2, 3])
      assert.deepEqual(readFirst(kuma({ proxyId }, { proxyList }), ["proxy"]), {
        proxy: undefined,
        notes: ["no_proxy"],
      });
  });
});

describe("imports from Gatus keep", () => {
  const gatus = (yaml: string): ImportPlan | undefined =>
    planGatus(parseYaml(`endpoints:\n  - name: a\n    url: https://a.example/\n${yaml}`));

  it("OAuth 2.0 and HTTP proxies", () => {
    const plan = gatus(`    client:
      proxy-url: http://me:p%40ss@proxy.example:8080
      oauth2:
        token-url: https://login.example/token
        client-id: c
        client-secret: s
        scopes: ["a", "b"]
`);
    assert.deepEqual(
      readFirst(plan, ["auth", "clientId", "scopes", "proxy", "proxyUsername", "proxyPassword"]),
      {
        auth: "oauth2",
        clientId: "c",
        scopes: "a b",
        proxy: "http://proxy.example:8080",
        proxyUsername: "me",
        proxyPassword: "p@ss",
        notes: [],
      },
    );
    assert.deepEqual(readFirst(gatus("    client: {proxy-url: 'socks5://p.example'}\n"), ["proxy"]), {
      proxy: undefined,
      notes: ["no_proxy"],
    });
  });

  it("an Authorization header instead of OAuth 2.0, and say so", () => {
    const plan = gatus(`    headers: {Authorization: Bearer x}
    client:
      oauth2: {token-url: "https://login.example/token", client-id: c, client-secret: s}
`);
    const headers = [{ name: "Authorization", value: "Bearer x" }];
    assert.deepEqual(readFirst(plan, ["auth", "headers"]), {
      auth: undefined,
      headers,
      notes: ["no_sign_in oauth2"],
    });
  });

  it("every condition that there is a field or a condition for", () => {
    const plan = gatus(`    conditions:
      - "[BODY] == pat(*ok*)"
      - "[BODY] == pat(*a.b*c*)"
      - "[BODY] != pat(*error*)"
      - "[BODY] != pat(*panic*)"
      - "[BODY].state == UP"
      - "[BODY].count >= 3"
      - "has([BODY].errors) == false"
      - "len([BODY].list) == 2"
`);
    assert.deepEqual(readFirst(plan, ["contains", "excludes", "json", "conditions"]), {
      contains: "ok",
      excludes: "error",
      json: { path: "state", operator: "=", value: "UP" },
      conditions: [
        { subject: "body", name: "", operator: "matches", value: "(?s)^.*a\\.b.*c.*$" },
        { subject: "body", name: "", operator: "excludes", value: "panic" },
        { subject: "json", name: "count", operator: ">=", value: "3" },
        { subject: "json", name: "errors", operator: "absent", value: "" },
      ],
      notes: ["no_condition len([BODY].list) == 2"],
    });
  });
});
