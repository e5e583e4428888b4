/**
 * Forward-auth behind Traefik, which no registry that tests may use has: a model of its middleware with the settings of
 * docs/forward-auth-proxies.md. After pkg/middlewares/auth/forward.go and pkg/middlewares/forwardedheaders/forwarded_header.go of
 * traefik/traefik at fd5a576 (v3.7.9), and doc.traefik.io/traefik/reference/routing-configuration/http/middlewares/forwardauth.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { beforeEach, describe, it } from "node:test";
import { parse } from "yaml";
import { z } from "zod";
import { type SignedIn, type TestApp, createTestApp } from "../app-fixture.ts";
import { type Browser, createBrowser } from "../pages/browser.ts";
import { CENTER, openCenter, pathAt } from "./proxied-site.ts";

const NOTES = "https://notes.example.org";
const NAVIGATION = { "sec-fetch-mode": "navigate", "sec-fetch-site": "none" };

const configSchema = z.object({
  http: z.object({
    middlewares: z.object({
      "notes-auth": z.object({
        // Strict: a setting that the model does not know would be untested.
        forwardAuth: z.strictObject({
          address: z.url(),
          trustForwardHeader: z.literal(false),
          authResponseHeadersRegex: z.string(),
        }),
      }),
      "notes-host": z.object({
        headers: z.object({
          customRequestHeaders: z.strictObject({ Host: z.string(), "X-Forwarded-Host": z.string() }),
        }),
      }),
      "notes-drop-token": z.object({
        headers: z.object({ customRequestHeaders: z.object({ Authorization: z.literal("") }) }),
      }),
    }),
    routers: z.object({
      "notes-site": z.object({ middlewares: z.array(z.string()), rule: z.string() }),
      "notes-sign-in": z.object({
        rule: z.string(),
        middlewares: z.tuple([z.literal("notes-host")]),
        service: z.literal("auth-center"),
      }),
    }),
  }),
});

/** Never sent on by the middleware; `Proxy-Authorization` is. */
const hopHeaders = ["connection", "keep-alive", "te", "trailers", "transfer-encoding", "upgrade"];
/** What the entry point takes from clients that it does not trust, underscores read as hyphens. */
const managed =
  /^x-(?:forwarded-(?:proto|scheme|for|host|port|server|uri|method|prefix|tls-client-cert(?:-info)?)|scheme|real-ip)$/u;

/** A request as the browser sends it to Traefik, over TLS. */
interface Sent {
  readonly path: string;
  readonly method?: string;
  /** The Host header, where it is not the site's; any port of the site's name comes to this router. */
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What Traefik does with a request: answers it itself, or passes it on to the application with these headers. */
type Outcome = { readonly answer: Response } | { readonly passed: Headers };

let app: TestApp;
let ann: SignedIn;
/** The browser's cookies of the site. */
let browser: Browser;
let config: z.infer<typeof configSchema>["http"];

beforeEach(async () => {
  const docs = await readFile(new URL("../../../docs/forward-auth-proxies.md", import.meta.url), "utf8");
  const block =
    /^## Traefik\n[^]*?```yaml\n([^]+?)```/mu.exec(docs)?.[1] ?? assert.fail("the documentation has it");
  config = configSchema.parse(parse(block)).http;
  app = await createTestApp({ publicUrl: CENTER });
  ann = await app.signUp("ann");
  await app.admin("POST", "/api/admin/groups", { id: "family", title: "Family" });
  await app.admin("PUT", `/api/admin/groups/family/members/${ann.user.id}`);
  const fields = { protectedOrigins: [NOTES], allowedGroups: ["family"] };
  await app.admin("POST", "/api/admin/clients", { id: "notes", name: "Notes", ...fields });
  browser = createBrowser(app);
});

const toHeaders = ({ headers = NAVIGATION }: Sent): Headers =>
  new Headers({ accept: "text/html", "user-agent": "Firefox", ...headers });

/** The entry point: what clients say of the way is gone, and Traefik says it. */
function enterPoint(sent: Sent): Headers {
  const headers = toHeaders(sent);
  for (const name of [...headers.keys()]) if (managed.test(name.replaceAll("_", "-"))) headers.delete(name);
  const isSocket = headers.get("upgrade") === "websocket";
  const told = {
    "x-real-ip": "192.0.2.1",
    "x-forwarded-proto": isSocket ? "wss" : "https",
    "x-forwarded-port": "443",
    "x-forwarded-host": sent.host ?? new URL(NOTES).host,
    "x-forwarded-server": "traefik",
  };
  for (const [name, value] of Object.entries(told)) headers.set(name, value);
  return headers;
}

/** The router of `/.trivet/`: a request passed on as it is, with the client's address added. */
function passOwn(path: string, host?: string): Promise<Response> {
  assert.equal(config.routers["notes-sign-in"].rule, "Host(`notes.example.org`) && PathPrefix(`/.trivet/`)");
  const headers = enterPoint({ path, ...(host === undefined ? {} : { host }) });
  // pkg/middlewares/headers/header.go: customRequestHeaders, where Host is the request's own.
  const literal = config.middlewares["notes-host"].headers.customRequestHeaders;
  headers.set("x-forwarded-host", literal["X-Forwarded-Host"]);
  headers.set("x-forwarded-for", "192.0.2.1");
  return browser.get(path, Object.fromEntries(headers));
}

/** The router of the application with its middlewares. */
async function handle(sent: Sent): Promise<Outcome> {
  const { address, authResponseHeadersRegex } = config.middlewares["notes-auth"].forwardAuth;
  assert.deepEqual(config.routers["notes-site"].middlewares, [
    "notes-host",
    "notes-auth",
    "notes-drop-token",
  ]);
  const literal = config.middlewares["notes-host"].headers.customRequestHeaders;
  const request = enterPoint(sent);
  request.set("x-forwarded-host", literal["X-Forwarded-Host"]);
  // writeHeader: all of the request's headers, without a body; the X-Forwarded headers are set again.
  const asking = new Headers(request);
  for (const name of [
    ...(asking.get("connection") ?? "").toLowerCase().split(/, */u).filter(Boolean),
    ...hopHeaders,
  ])
    asking.delete(name);
  for (const name of [...asking.keys()]) if (managed.test(name)) asking.delete(name);
  const told = {
    "x-forwarded-for": "192.0.2.1",
    "x-forwarded-method": sent.method ?? "GET",
    "x-forwarded-proto": "https",
    "x-forwarded-port": "443",
    "x-forwarded-host": literal.Host,
    "x-forwarded-uri": sent.path,
  };
  for (const [name, value] of Object.entries(told)) asking.set(name, value);
  // Go's client writes neither into a request without a body.
  asking.delete("content-length");
  const center = await browser.get(new URL(address).pathname, Object.fromEntries(asking));
  if (!center.ok) {
    const headers = new Headers(center.headers);
    for (const name of hopHeaders) headers.delete(name);
    // Location is resolved against the requested URL.
    const location = headers.get("location");
    if (location !== null) headers.set("location", new URL(location, address).href);
    return { answer: new Response(await center.text(), { status: center.status, headers }) };
  }
  // Go's "(?i)" is the flag here.
  const regex = new RegExp(authResponseHeadersRegex.replace(/^\(\?i\)/u, ""), "iu");
  for (const name of [...request.keys()]) if (regex.test(name)) request.delete(name);
  for (const [name, value] of center.headers) if (regex.test(name)) request.set(name, value);
  request.delete("authorization");
  // Without addAuthCookiesToResponse a cookie of this answer would be lost.
  assert.deepEqual(center.headers.getSetCookie(), []);
  return { passed: request };
}

async function answerTo(sent: Sent): Promise<Response> {
  const outcome = await handle(sent);
  return "answer" in outcome ? outcome.answer : assert.fail("The application was reached");
}

async function passedOn(sent: Sent): Promise<Headers> {
  const outcome = await handle(sent);
  return "passed" in outcome ? outcome.passed : assert.fail(`${outcome.answer.status}`);
}

/** From the site's first page to the sign-in and back. */
async function enter(path = "/"): Promise<Response> {
  const begun = await answerTo({ path });
  const rd = new URL(pathAt(CENTER, begun), CENTER).searchParams.get("rd") ?? "";
  const left = await (await openCenter(app, ann)).get(rd, { "sec-fetch-site": "cross-site" });
  return passOwn(pathAt(NOTES, left));
}

describe("forward-auth behind Traefik", () => {
  it("leads a person to the sign-in and back to the page that they wanted", async () => {
    const begun = await answerTo({ path: "/a/b?c=%20d" });
    assert.equal(begun.status, 302);
    assert.match(begun.headers.get("location") ?? "", /^https:\/\/accounts\.example\/sign-in\?rd=/u);
    assert.equal(begun.headers.getSetCookie().length, 1, "the mark that the browser brings back");
    const entered = await enter("/a/b?c=%20d");
    assert.deepEqual([entered.status, entered.headers.get("location")], [302, `${NOTES}/a/b?c=%20d`]);
    const passed = await passedOn({ path: "/a/b?c=%20d" });
    assert.deepEqual([passed.get("x-auth-username"), passed.get("x-auth-groups")], ["ann", "family"]);
  });

  it("drops what clients say of themselves and of the way", async () => {
    await enter();
    const forged = {
      ...NAVIGATION,
      "x-auth-role": "admin",
      x_auth_role: "admin",
      "x.auth.user-id": "usr_other",
      "x-auth-anything": "1",
      "x-forwarded-host": "evil.example",
      x_forwarded_host: "evil.example",
      "x-forwarded-uri": "//evil.example",
      authorization: "Basic YTpi",
    };
    const passed = await passedOn({ path: "/", headers: forged });
    const auth = [...passed.keys()].filter((name) => /auth/u.test(name));
    assert.deepEqual(auth, [
      "x-auth-assertion",
      "x-auth-display-name",
      "x-auth-email",
      "x-auth-email-verified",
      "x-auth-groups",
      "x-auth-impersonated-by",
      "x-auth-role",
      "x-auth-session-id",
      "x-auth-user-id",
      "x-auth-username",
    ]);
    assert.deepEqual([passed.get("x-auth-role"), passed.get("x-auth-user-id")], ["user", ann.user.id]);
    browser.cookies.clear();
    const led = await answerTo({ path: "/", headers: forged });
    assert.ok(!led.headers.get("location")?.includes("evil"));
  });

  it("asks by GET whatever the request is, with all that the request says of its body and its copy", async () => {
    await enter();
    const conditional = {
      "if-none-match": '"x", *',
      "if-match": '"y"',
      "if-modified-since": "Wed, 21 Oct 2015 07:28:00 GMT",
    };
    const asks: Sent[] = [
      {
        path: "/save",
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", "content-length": "9" },
      },
      {
        path: "/save",
        method: "PUT",
        headers: { "content-type": "application/json", expect: "100-continue" },
      },
      { path: "/film", headers: { range: "bytes=0-1", ...conditional } },
      { path: "/page", method: "HEAD" },
      {
        path: "/live",
        headers: { connection: "Upgrade", upgrade: "websocket", "sec-fetch-mode": "websocket" },
      },
      {
        path: "/x?token=adm_x&access_token=y",
        headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      },
    ];
    for (const sent of asks)
      assert.equal((await passedOn(sent)).get("x-auth-username"), "ann", JSON.stringify(sent));
    browser.cookies.clear();
    for (const sent of asks.filter(({ headers }) => headers !== undefined)) {
      const { status } = await answerTo({ ...sent, headers: { ...sent.headers, accept: "*/*" } });
      assert.equal(status, 401, JSON.stringify(sent));
    }
  });

  it("asks about its own application, whatever host and port the client names", async () => {
    const open = {
      id: "blog",
      name: "Blog",
      protectedOrigins: [`${NOTES}:8443`, "https://blog.example.org"],
    };
    await app.admin("POST", "/api/admin/clients", open);
    await app.admin("DELETE", `/api/admin/groups/family/members/${ann.user.id}`);
    const headers = { authorization: `Bearer ${ann.accessToken}`, accept: "application/json" };
    for (const host of ["notes.example.org", "notes.example.org:8443", "blog.example.org"]) {
      assert.equal((await answerTo({ path: "/", host, headers })).status, 403, host);
      assert.equal((await passOwn("/.trivet/enter", host)).status, 302, host);
    }
  });

  it("shows the page of who may not use it, and of who is signed out", async () => {
    await enter();
    await app.admin("DELETE", `/api/admin/groups/family/members/${ann.user.id}`);
    const refused = await answerTo({ path: "/" });
    assert.equal(refused.status, 403);
    assert.match(refused.headers.get("content-type") ?? "", /^text\/html/u);
    assert.match(await refused.text(), /You can’t use Notes/u);
    await app.admin("POST", `/api/admin/users/${ann.user.id}/revoke-sessions`);
    assert.equal((await answerTo({ path: "/" })).status, 302);
  });
});
