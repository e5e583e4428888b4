/** An application signs people in with the client, through each adapter: the whole way between browser, application and center. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, type Server, createServer, request as sendOver } from "node:http";
import { afterEach, beforeEach, describe, it } from "node:test";
import { Hono } from "hono";
import { honoSignIn, openNode, withSignIn } from "../../../src/clients/js/adapters.ts";
import {
  type SignIn,
  type SignInOptions,
  type Visit,
  createSignIn,
} from "../../../src/clients/js/sign-in.ts";
import { PASSWORD, type SignedIn, type TestApp, createTestApp } from "../app-fixture.ts";
import { type Browser, createBrowser, signIn } from "../pages/browser.ts";
import { readOnward } from "./onward.ts";

const APP = "https://notes.example.org";
const PAGE = { "sec-fetch-mode": "navigate", accept: "text/html" };

let center: TestApp;
let secret: string;
let ann: SignedIn;
let browser: Browser;
let cookies: Map<string, string>;
/** Requests that the application sent to the center. */
let asked: string[];
let isDown = false;

/** What the application answers to who may come, with a cookie of its own. */
const OWN_COOKIE = "theme=dark; Path=/; HttpOnly; SameSite=Lax; Secure";
const greet = ({ auth }: Visit): string => `Hello ${auth?.user.username ?? "you"}`;

type Handle = (request: Request) => Promise<Response>;
let servers: Server[];

/** An application on Node's http, on a port of its own. */
function serveNode(signing: SignIn): Handle {
  const server = createServer((incoming, outgoing) => {
    void openNode(signing, incoming, outgoing).then((visit) => {
      if (visit === undefined) return;
      outgoing.appendHeader("set-cookie", OWN_COOKIE);
      outgoing.end(greet(visit));
    });
  });
  servers.push(server);
  return async (request) => {
    if (!server.listening) await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    const { pathname, search } = new URL(request.url);
    const sent = sendOver({
      host: "127.0.0.1",
      port: typeof address === "object" ? address?.port : undefined,
      path: pathname + search,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      agent: false,
    });
    sent.end();
    const [answer]: IncomingMessage[] = await once(sent, "response");
    let body = "";
    for await (const chunk of answer ?? []) body += String(chunk);
    const headers = new Headers();
    for (const [name, values = []] of Object.entries(answer?.headersDistinct ?? {}))
      for (const value of values) headers.append(name, value);
    return new Response(body, { status: answer?.statusCode ?? 0, headers });
  };
}

const adapters: Readonly<Record<string, (signing: SignIn) => Handle>> = {
  "handlers of Request": (signing) =>
    withSignIn(signing, (_, visit) => new Response(greet(visit), { headers: { "set-cookie": OWN_COOKIE } })),
  hono: (signing) => {
    const app = new Hono<{ Variables: { visit: Visit } }>();
    app.use(honoSignIn(signing));
    app.all("*", (c) => {
      c.header("set-cookie", OWN_COOKIE, { append: true });
      return c.text(greet(c.get("visit")));
    });
    return async (request) => app.fetch(request);
  },
  "Node's http": serveNode,
};
let adapt: (signing: SignIn) => Handle;

function createApp(options: Partial<SignInOptions> = {}) {
  const signing = createSignIn({
    authUrl: "http://localhost",
    clientId: "notes",
    clientSecret: secret,
    appUrl: APP,
    cacheMs: 0,
    timeoutMs: 30_000,
    clock: center.clock,
    fetch: async (url, init) => {
      if (isDown) throw new TypeError("fetch failed");
      const { pathname } = new URL(url);
      asked.push(pathname);
      return center.fetch(pathname, init);
    },
    ...options,
  });
  const handle = adapt(signing);
  return async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers({ ...PAGE, ...Object(init.headers) });
    headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await handle(new Request(`${APP}${path}`, { ...init, headers }));
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ");
      assert.ok(["Path=/", "HttpOnly", "SameSite=Lax", "Secure"].every((each) => attributes.includes(each)));
      const at = pair.indexOf("=");
      if (attributes.includes("Max-Age=0")) cookies.delete(pair.slice(0, at));
      else cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  };
}

type App = ReturnType<typeof createApp>;

const locationOf = (response: Response): string => response.headers.get("location") ?? "";
const toPath = (url: string): string => new URL(url).pathname + new URL(url).search;

/** From a page of the application to the center's answer, in a browser that is signed in there. */
async function goToCenter(app: App, path = "/list?page=2"): Promise<Response> {
  const sent = await app(path);
  assert.equal(sent.status, 302);
  return browser.get(toPath(locationOf(sent)));
}

async function enter(app: App, path?: string): Promise<Response> {
  return app(toPath(readOnward(await goToCenter(app, path))));
}

afterEach(() => {
  for (const server of servers) server.close();
});
beforeEach(async () => {
  servers = [];
  isDown = false;
  asked = [];
  cookies = new Map();
  center = await createTestApp();
  const made = await center.admin("POST", "/api/admin/clients", {
    id: "notes",
    name: "Notes",
    redirectUris: [`${APP}/auth/callback`],
  });
  ({ secret } = await made.json());
  ann = await center.signUp("ann");
  browser = createBrowser(center);
  await signIn(browser, "ann", PASSWORD);
});

for (const [name, adapter] of Object.entries(adapters))
  describe(`an application that signs people in with the client, on ${name}`, () => {
    beforeEach(() => {
      adapt = adapter;
    });

    it("sends a person to the center and back to the page, and programs get 401", async () => {
      const app = createApp();
      assert.equal((await app("/list", { headers: { "sec-fetch-mode": "cors" } })).status, 401);
      const back = await enter(app);
      assert.deepEqual([back.status, locationOf(back)], [303, "/list?page=2"]);
      assert.equal(await (await app("/list?page=2")).text(), "Hello ann");
      const bearer = await app("/", { headers: { authorization: `Bearer ${ann.accessToken}` } });
      assert.equal(await bearer.text(), "Hello ann");
      const wrong = await app("/", { headers: { authorization: `Bearer acc_${"x".repeat(43)}` } });
      assert.equal(wrong.status, 401);
    });

    it("signs in first who is not signed in at the center", async () => {
      browser = createBrowser(center);
      const app = createApp();
      const first = await goToCenter(app);
      const way = locationOf(first);
      assert.match(way, /^\/sign-in\?rd=%2Foauth%2Fauthorize/u);
      const rd = new URLSearchParams(way.slice(way.indexOf("?"))).get("rd") ?? "";
      await browser.get(way);
      const next = await browser.post("/sign-in", { identifier: "ann", password: PASSWORD, rd });
      const back = await app(toPath(readOnward(await browser.get(locationOf(next)))));
      assert.equal(locationOf(back), "/list?page=2");
    });

    it("keeps secrets out of the address and the cookie", async () => {
      const app = createApp();
      const sent = locationOf(await app("/"));
      assert.ok(
        !sent.includes("verifier") && new URL(sent).searchParams.get("code_challenge_method") === "S256",
      );
      await enter(app);
      const value = cookies.get("__Host-notes_session") ?? "";
      assert.ok(value.length > 100 && value.length < 1_500);
      assert.ok(
        !/(?:acc|ref)_/u.test(value) &&
          !/(?:acc|ref)_/u.test(atob(value.replaceAll("-", "+").replaceAll("_", "/"))),
      );
    });

    it("renews tokens once for requests at the same time, also for a browser that lost the answer", async () => {
      const app = createApp();
      await enter(app);
      const before = new Map(cookies);
      center.clock.advance(16 * 60_000);
      asked = [];
      const answers = await Promise.all(Array.from({ length: 8 }, () => app("/")));
      assert.ok(answers.every(({ status }) => status === 200));
      assert.equal(asked.filter((path) => path === "/oauth/token").length, 1);
      for (let minutes = 0; minutes < 40; minutes += 20) {
        cookies = new Map(before);
        center.clock.advance(20 * 60_000);
        assert.equal(await (await app("/")).text(), "Hello ann");
      }
    });

    it("keeps the application's own cookies beside those of renewed tokens", async () => {
      const app = createApp();
      await enter(app);
      const names = async (): Promise<string[]> =>
        (await app("/")).headers.getSetCookie().map((line) => line.slice(0, line.indexOf("=")));
      assert.deepEqual(await names(), ["theme"]);
      center.clock.advance(16 * 60_000);
      assert.deepEqual((await names()).toSorted(), ["__Host-notes_session", "theme"]);
      assert.deepEqual(await names(), ["theme"]);
    });

    it("ends with the browser's session at the center, and checks that one on sign-out", async () => {
      const app = createApp();
      await enter(app);
      await browser.post("/sign-out", {});
      assert.equal((await app("/")).status, 302);
      await signIn(browser, "ann", PASSWORD);
      await enter(app);
      const strange = { method: "POST", headers: { "sec-fetch-site": "cross-site" } };
      assert.equal((await app("/auth/sign-out", strange)).status, 403);
      const out = await app("/auth/sign-out", {
        method: "POST",
        headers: { "sec-fetch-site": "same-origin" },
      });
      const way = "http://localhost/oauth/logout?client_id=notes";
      assert.deepEqual([out.status, locationOf(out), cookies.has("__Host-notes_session")], [303, way, false]);
      assert.equal((await browser.get("/account")).status, 200, "the center asks before it signs out there");
      assert.match(
        await (await browser.get(toPath(way))).text(),
        /<form method="post" action="\/oauth\/logout\/confirm"/u,
      );
    });

    it("refuses whom the application's groups leave out, at once also who was in", async () => {
      const app = createApp();
      await enter(app);
      await center.admin("POST", "/api/admin/groups", { id: "family", title: "Family" });
      await center.admin("PATCH", "/api/admin/clients/notes", { allowedGroups: ["family"] });
      const sent = await app("/");
      assert.equal(sent.status, 302);
      const page = await browser.get(toPath(locationOf(sent)));
      assert.equal(page.status, 403);
      assert.match(await page.text(), /You can’t use Notes/u);
    });

    it("takes a callback from the browser alone that began, once", async () => {
      const app = createApp();
      const onward = toPath(readOnward(await goToCenter(app)));
      const mine = new Map(cookies);
      cookies = new Map();
      assert.equal((await app(onward)).status, 400);
      cookies = mine;
      assert.equal((await app(onward.replace(/state=[^&]{20}/u, "state=AAAAAAAAAAAAAAAAAAAA"))).status, 400);
      assert.equal((await app(onward)).status, 303);
      assert.equal((await app(onward)).status, 303, "a request sent twice");
      assert.equal(await (await app("/")).text(), "Hello ann");
      center.clock.advance(10_000);
      assert.equal((await app(onward)).status, 400);
      assert.equal((await app("/auth/callback?error=access_denied")).status, 400);
    });

    it("leads back to its own pages alone", async () => {
      const app = createApp();
      for (const rd of ["https://evil.example/", "//evil.example", "/\\evil.example", "/\t/evil.example"]) {
        const begun = await app(`/auth/sign-in?rd=${encodeURIComponent(rd)}`);
        const onward = readOnward(await browser.get(toPath(locationOf(begun))));
        assert.equal(locationOf(await app(toPath(onward))), "/");
      }
    });

    it("rejects all users while the center is unavailable, and shows public pages", async () => {
      const app = createApp({ isPublic: (path) => path === "/about" });
      await enter(app);
      assert.equal(await (await app("/about")).text(), "Hello ann");
      isDown = true;
      const answer = await app("/");
      assert.deepEqual([answer.status, answer.headers.has("retry-after")], [503, true]);
      assert.equal(await (await app("/about")).text(), "Hello you");
      assert.equal(
        (await app("/auth/sign-out", { method: "POST", headers: { "sec-fetch-site": "same-origin" } }))
          .status,
        503,
      );
      isDown = false;
      assert.equal(await (await app("/")).text(), "Hello ann");
    });

    it("says which option is not usable", () => {
      assert.throws(() => createApp({ appUrl: "notes.example.org" }), /appUrl must be/u);
      assert.throws(() => createApp({ authUrl: "https://user:word@auth.example.org" }), /authUrl must be/u);
      assert.throws(() => createApp({ clientSecret: "" }), /clientSecret/u);
    });
  });
