/**
 * Forward-auth under attack behind the real nginx and Caddy, with the unchanged blocks of
 * docs/forward-auth-proxies.md.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import { findFreePorts } from "../support/free-ports.ts";
import { findProxy } from "../support/missing.ts";
import { type Programs, createPrograms } from "../support/program.ts";
import {
  type ProxiedApp,
  type RunningProxy,
  proxies,
  sendHttp2,
  sendRaw,
  startProxy,
} from "./forward-proxies.ts";

const TOKEN = "admin-token-of-this-test";
const PASSWORD = "correct horse battery staple";
/** For members of a group; the other one is open to everyone with an account. */
const NOTES = "notes.test";
const BLOG = "blog.test";
const IDENTITY = [
  "user-id",
  "username",
  "display-name",
  "email",
  "email-verified",
  "role",
  "groups",
  "session-id",
  "impersonated-by",
  "assertion",
].map((name) => `x-auth-${name}`);

let programs: Programs;
let center = "";
let servers: Server[] = [];
const apps: ProxiedApp[] = [];
/** The requests that reached an application, with its host. */
let reached: { readonly host: string; readonly request: IncomingMessage }[] = [];
const tokens = { ann: "", mallory: "" };
const ports = { proxy: 0, http2: 0 };
/** As many groups with names as long as an account can have. */
const groups = ["family", ...Array.from({ length: 49 }, (_, index) => `g${index}-${"x".repeat(60)}`)];
/** Ann's assertion for the notes. */
let stolen = "";

async function admin(method: string, path: string, body?: object): Promise<{ id: string }> {
  const response = await fetch(center + path, {
    method,
    headers: { "x-admin-token": TOKEN, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`);
  return response.status === 204 ? { id: "" } : await response.json();
}

async function signIn(identifier: string): Promise<string> {
  const answer = await fetch(`${center}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ identifier, password: PASSWORD }),
  });
  const { accessToken }: { accessToken: string } = await answer.json();
  return accessToken;
}

before(async () => {
  const [proxy = 0, http2 = 0, centerPort = 0] = await findFreePorts(3);
  Object.assign(ports, { proxy, http2 });
  for (const [id, host] of [
    ["notes", NOTES],
    ["blog", BLOG],
  ] as const) {
    const server = createServer((request, response) => {
      reached.push({ host, request });
      response.end("reached");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    servers = [...servers, server];
    // A server that listens on a port has such an address.
    apps.push({ id, host, port: (server.address() as AddressInfo).port });
  }
  programs = await createPrograms(["auth"]);
  center = `http://127.0.0.1:${centerPort}`;
  await programs.authUrl(
    programs.run({
      LOG_LEVEL: "warn",
      AUTH_PORT: String(centerPort),
      AUTH_PUBLIC_URL: `http://accounts.test:${centerPort}`,
      ADMIN_TOKEN: TOKEN,
      TRUSTED_PROXIES: "127.0.0.1",
    }),
  );
  for (const id of groups) await admin("POST", "/api/admin/groups", { id, title: id.slice(0, 20) });
  for (const username of ["ann", "mallory"] as const) {
    const email = `${username}@example.org`;
    const user = { username, email, emailVerified: true, password: PASSWORD };
    const { id } = await admin("POST", "/api/admin/users", user);
    if (username === "ann")
      for (const group of groups) await admin("PUT", `/api/admin/groups/${group}/members/${id}`);
    tokens[username] = await signIn(username);
  }
  const notes = { id: "notes", name: "Notes", protectedOrigins: [`http://${NOTES}`] };
  await admin("POST", "/api/admin/clients", { ...notes, allowedGroups: ["family"] });
  // Another application on other ports of the same host, too, among them the one that the proxy listens on.
  const others = [8_080, ports.proxy, ports.http2].map((port) => `http://${NOTES}:${port}`);
  const blog = {
    id: "blog",
    name: "Blog",
    protectedOrigins: [`http://${BLOG}`, `https://${NOTES}`, ...others],
  };
  await admin("POST", "/api/admin/clients", blog);
  const headers = { "x-forwarded-proto": "http", "x-forwarded-host": NOTES, accept: "application/json" };
  const authorization = `Bearer ${tokens.ann}`;
  const asked = await fetch(`${center}/api/auth/forward/notes`, { headers: { ...headers, authorization } });
  stolen = asked.headers.get("x-auth-assertion") ?? assert.fail(`${asked.status}`);
});
after(async () => {
  await programs?.dispose();
  for (const server of servers) server.close();
});

/** A request with its head as it is. Mallory sends it unless told. */
function toRequest(line: string, headers: readonly string[], token = tokens.mallory): string {
  const head = [line, ...headers, `Authorization: Bearer ${token}`, "Connection: close"];
  return `${head.join("\r\n")}\r\n\r\n`;
}

/** What Mallory, who is in no group, sends to come to the notes all the same. */
const attacks: Readonly<Record<string, () => readonly [string, readonly string[]]>> = {
  "the host itself": () => ["GET /secret HTTP/1.1", [`Host: ${NOTES}`]],
  "an absolute request line with another Host": () => [
    `GET http://${NOTES}/secret HTTP/1.1`,
    [`Host: ${BLOG}`],
  ],
  "the same as POST": () => [`POST http://${NOTES}/secret HTTP/1.1`, [`Host: ${BLOG}`, "Content-Length: 0"]],
  "an absolute request line with https": () => [`GET https://${NOTES}/secret HTTP/1.1`, [`Host: ${BLOG}`]],
  "an absolute request line with a port": () => [
    `GET http://${NOTES}:8080/secret HTTP/1.1`,
    [`Host: ${BLOG}`],
  ],
  "another application's port": () => ["GET /secret HTTP/1.1", [`Host: ${NOTES}:8080`]],
  "the port of the proxy": () => ["GET /secret HTTP/1.1", [`Host: ${NOTES}:${ports.proxy}`]],
  "two Host headers": () => ["GET /secret HTTP/1.1", [`Host: ${NOTES}`, `Host: ${BLOG}`]],
  "two Host headers, the other first": () => ["GET /secret HTTP/1.1", [`Host: ${BLOG}`, `Host: ${NOTES}`]],
  "two hosts in one header": () => ["GET /secret HTTP/1.1", [`Host: ${NOTES}, ${BLOG}`]],
  "a host in capitals": () => ["GET /secret HTTP/1.1", ["Host: NOTES.TEST"]],
  "a host with a dot at its end": () => ["GET /secret HTTP/1.1", [`Host: ${NOTES}.`]],
  "a host with a user": () => ["GET /secret HTTP/1.1", [`Host: ${BLOG}@${NOTES}`]],
  "no host, as HTTP/1.0": () => ["GET /secret HTTP/1.0", []],
  "X-Forwarded-Host": () => ["GET /secret HTTP/1.1", [`Host: ${NOTES}`, `X-Forwarded-Host: ${BLOG}`]],
  "X-Forwarded-Host twice, in other case": () => [
    "GET /secret HTTP/1.1",
    [`Host: ${NOTES}`, `x-forwarded-host: ${BLOG}`, `X-FORWARDED-HOST: ${BLOG}`],
  ],
  "X_Forwarded_Host and Forwarded": () => [
    "GET /secret HTTP/1.1",
    [`Host: ${NOTES}`, `X_Forwarded_Host: ${BLOG}`, `Forwarded: host=${BLOG};proto=http`],
  ],
  "X-Forwarded-Proto, where https is another application": () => [
    "GET /secret HTTP/1.1",
    [`Host: ${NOTES}`, "X-Forwarded-Proto: https", "X-Forwarded-Ssl: on", "X-Forwarded-Scheme: https"],
  ],
  "X-Forwarded-Uri and -Method": () => [
    "GET /secret HTTP/1.1",
    [`Host: ${NOTES}`, "X-Forwarded-Uri: /.trivet/enter", "X-Forwarded-Method: OPTIONS", "X-Original-URL: /"],
  ],
  "Connection that names the headers of the way": () => [
    "GET /secret HTTP/1.1",
    [`Host: ${NOTES}`, "Connection: X-Forwarded-Host, X-Forwarded-Proto, X-Forwarded-For, Cookie, Host"],
  ],
  "an application's name in headers and query": () => [
    "GET /secret?application=blog&clientId=blog HTTP/1.1",
    [`Host: ${NOTES}`, "X-Trivet-Application: blog", "X-Original-URI: /api/auth/forward/blog"],
  ],
  "an assertion of somebody who may use it": () => [
    "GET /secret HTTP/1.1",
    [`Host: ${NOTES}`, `X-Auth-Assertion: ${stolen}`, `x-auth-assertion: ${stolen}`],
  ],
  "forged identity": () => [
    "GET /secret HTTP/1.1",
    [`Host: ${NOTES}`, "X-Auth-User-Id: usr_1", "X-Auth-Groups: family", "x-auth-groups: family"],
  ],
  ...Object.fromEntries(
    [
      "/.trivet/../secret",
      "/.trivet/%2e%2e/secret",
      "/.trivet/..%2fsecret",
      "/.trivet/..;/secret",
      "/.trivet/./../secret",
      "/.trivet//../secret",
      "/.trivet/%252e%252e/secret",
      "/.trivet\\..\\secret",
      "/.trivet",
      "/.trivet;/secret",
      "/.TRIVET/secret",
      "/%2etrivet/secret",
      "//secret",
      "/./secret",
      "/_auth",
      "/_auth/../secret",
      "/_auth/blog",
      "/api/auth/forward/blog",
      "/api/auth/forward/../forward/blog",
      "/api/auth/forward/notes/../blog",
      "/api/auth/forward%2fblog",
      "/api/auth/forward/%62log",
      "/.trivet/../api/auth/forward/blog",
      "/.trivet/%2e%2e/api/auth/forward/blog",
      "/secret?/../../forward/blog",
      "/secret%3f/../blog",
      "/secret%23/../forward/blog",
      "/secret?/.trivet/",
      "/secret#/.trivet/",
      "*",
    ].map((path) => [`the path ${path}`, () => [`GET ${path} HTTP/1.1`, [`Host: ${NOTES}`]] as const]),
  ),
};

/** The same over HTTP/2, where a request has an :authority, and may have a host. */
const http2Attacks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "the authority itself": { ":authority": NOTES },
  "another host beside the authority": { ":authority": NOTES, host: BLOG },
  "the host beside another authority": { ":authority": BLOG, host: NOTES },
  "another port in the authority": { ":authority": `${NOTES}:8080` },
  "https as the scheme": { ":authority": NOTES, ":scheme": "https" },
  "x-forwarded-host": { ":authority": NOTES, "x-forwarded-host": BLOG, "x-forwarded-proto": "https" },
  "the other application in the path": { ":authority": NOTES, ":path": "/api/auth/forward/../forward/blog" },
  "the authority in capitals": { ":authority": NOTES.toUpperCase() },
  "the authority with a dot at its end": { ":authority": `${NOTES}.` },
  "an assertion of somebody who may use it": {
    ":authority": NOTES,
    get "x-auth-assertion"() {
      return stolen;
    },
  },
  "a path above its own": { ":authority": NOTES, ":path": "/.trivet/../secret" },
};

for (const [name, proxy] of Object.entries(proxies)) {
  const { program, skip } = findProxy(name === "nginx" ? "nginx" : "caddy");

  describe(`forward-auth behind ${name} under attack`, { skip }, () => {
    let running: RunningProxy;
    before(async () => {
      const all = { ...ports, center: Number(new URL(center).port) };
      const config = proxy.toConfig(apps, all);
      running = await startProxy(program, { config, toArgs: proxy.toArgs, port: ports.proxy });
    });
    after(() => running?.stop());

    const atNotes = () => reached.filter(({ host }) => host === NOTES);

    it("lets in who may, with all that the center says of them, also by HTTP/2", async () => {
      reached = [];
      const text = toRequest("GET /list HTTP/1.1", [`Host: ${NOTES}`], tokens.ann);
      assert.equal(await sendRaw(ports.proxy, text), 200);
      const headers = { ":path": "/list", ":authority": NOTES, authorization: `Bearer ${tokens.ann}` };
      assert.equal(await sendHttp2(ports.http2, headers), 200);
      for (const { host, request } of reached) {
        const { headers: told } = request;
        assert.deepEqual(
          [host, told.host, told["x-auth-username"], told["x-auth-groups"]],
          [NOTES, NOTES, "ann", groups.toSorted().join(",")],
        );
        const keys = createRemoteJWKSet(new URL("/api/auth/jwks", center));
        const { payload } = await jwtVerify(String(told["x-auth-assertion"]), keys, {
          issuer: `http://accounts.test:${new URL(center).port}`,
          audience: "notes",
          typ: "auth-assertion+jwt",
        });
        assert.deepEqual([payload["preferred_username"], payload["groups"]], ["ann", groups.toSorted()]);
        assert.deepEqual([told.authorization, told["x-forwarded-host"]], [undefined, NOTES]);
      }
      assert.equal(reached.length, 2);
      reached = [];
      assert.equal(await sendRaw(ports.proxy, toRequest("GET / HTTP/1.1", [`Host: ${BLOG}`])), 200);
      assert.deepEqual(
        reached.map(({ host, request }) => [host, request.headers["x-auth-username"]]),
        [[BLOG, "mallory"]],
        "Mallory may use the blog, so that passing for it would pay",
      );
    });

    for (const [what, toAttack] of Object.entries(attacks))
      it(`keeps out ${what}`, async () => {
        reached = [];
        for (const token of [tokens.mallory, "acc_none", stolen]) {
          const status = await sendRaw(ports.proxy, toRequest(...toAttack(), token));
          assert.equal(atNotes().length, 0, `${status}`);
        }
      });

    for (const [what, headers] of Object.entries(http2Attacks))
      it(`keeps out ${what}, by HTTP/2`, async () => {
        reached = [];
        const authorization = `Bearer ${tokens.mallory}`;
        const status = await sendHttp2(ports.http2, { ":path": "/secret", authorization, ...headers });
        assert.equal(atNotes().length, 0, `${status}`);
      });

    it("tells the application of who comes, whatever the client says of it", async () => {
      reached = [];
      const forged = [
        ...IDENTITY.map((header) => `${header.toUpperCase()}: forged`),
        ...IDENTITY.map((header) => `${header}: forged again`),
        ...IDENTITY.map((header) => `${header.replaceAll("-", "_")}: forged`),
        ...IDENTITY.map((header) => `${header.replace("x-auth-", "X.Auth.")}: forged`),
      ];
      const text = toRequest("GET / HTTP/1.1", [`Host: ${NOTES}`, ...forged], tokens.ann);
      assert.equal(await sendRaw(ports.proxy, text), 200);
      const { rawHeaders = [] } = reached[0]?.request ?? {};
      const told = rawHeaders.flatMap((header, index) =>
        index % 2 === 0 ? [[header, rawHeaders[index + 1]]] : [],
      );
      assert.deepEqual(
        told.filter(([, value]) => /forged/u.test(value ?? "")),
        [],
      );
      assert.equal(reached[0]?.request.headers["x-auth-username"], "ann");
    });

    it("keeps what the center says where the client's Connection names it", async () => {
      const [plain, , ...stripped] = [
        "",
        "Host",
        IDENTITY.join(", "),
        IDENTITY.join(", ").toUpperCase(),
        "X-Auth-Role, close",
      ];
      const ask = async (names: string): Promise<Record<string, unknown>> => {
        reached = [];
        const line = names === "" ? [] : [`Connection: ${names}`];
        const text = toRequest("GET / HTTP/1.1", [`Host: ${NOTES}`, ...line], tokens.ann);
        assert.equal(await sendRaw(ports.proxy, text), 200);
        const { headers = {} } = reached[0]?.request ?? {};
        // Assertions of one sign-in differ in their times.
        const { iat: _iat, exp: _exp, ...claims } = decodeJwt(String(headers["x-auth-assertion"]));
        const plain = IDENTITY.map((header) => [header, headers[header] ?? ""]);
        return { ...Object.fromEntries(plain), "x-auth-assertion": claims };
      };
      const expected = await ask(plain ?? "");
      assert.equal(expected["x-auth-username"], "ann");
      for (const names of stripped) assert.deepEqual(await ask(names), expected, names);
    });
  });
}
