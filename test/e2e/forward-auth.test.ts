/** Forward-auth behind nginx and Caddy with the configurations of docs/forward-auth-proxies.md, in Chromium: in, out, wrong group, forged headers. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  createServer,
  request,
} from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser/launch.ts";
import { findFreePorts } from "../support/free-ports.ts";
import { findProxy } from "../support/missing.ts";
import { type Programs, createPrograms } from "../support/program.ts";
import { assertNoBarriers } from "./axe.ts";
import { eventually } from "../support/eventually.ts";
import { withPage } from "./watched-page.ts";

const TOKEN = "admin-token-of-this-test";
const PASSWORD = "correct horse battery staple";
const docs = await readFile(new URL("../../docs/forward-auth-proxies.md", import.meta.url), "utf8");

interface Ports {
  readonly proxy: number;
  readonly center: number;
  readonly app: number;
}

/** The first block of that language in the documentation, on this machine's ports. */
function readBlock(language: string, { center, app }: Ports): string {
  const block =
    new RegExp(`\`\`\`${language}\n([^]+?)\n\`\`\``, "u").exec(docs)?.[1] ?? assert.fail(language);
  return block
    .replaceAll("127.0.0.1:8082", `127.0.0.1:${center}`)
    .replaceAll("127.0.0.1:4901", `127.0.0.1:${app}`);
}

/** A request with any Host, which fetch does not send; resolves with the head of its answer. */
async function ask(port: number, path: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const sent = request({ host: "127.0.0.1", port, path, headers }).end();
  const [answer]: IncomingMessage[] = await once(sent, "response");
  if (answer === undefined) return assert.fail("There is no answer");
  answer.resume();
  return answer;
}

/** How each proxy is configured and run. */
const proxies = {
  nginx: {
    name: "nginx",
    config: (ports: Ports) => {
      const server = readBlock("nginx", ports)
        .replace("listen 443 ssl;", `listen 127.0.0.1:${ports.proxy};`)
        .replace("server_name notes.example.org", "server_name notes.localhost")
        .replaceAll("notes.example.org", `notes.localhost:${ports.proxy}`);
      return `pid nginx.pid;\nevents {}\nhttp {\naccess_log off;\nerror_log stderr;\n${server}\n}\n`;
    },
    args: (folder: string) => [
      "-p",
      folder,
      "-c",
      join(folder, "config"),
      "-e",
      "stderr",
      "-g",
      "daemon off;",
    ],
  },
  caddy: {
    name: "caddy",
    config: (ports: Ports) => {
      const site = readBlock("caddyfile", ports)
        .replace("notes.example.org {", `http://notes.localhost:${ports.proxy} {`)
        .replaceAll(/(?<!\/)notes\.example\.org/gu, `notes.localhost:${ports.proxy}`);
      return `{\n\tadmin off\n\tauto_https off\n}\n${site}\n`;
    },
    args: (folder: string) => ["run", "--adapter", "caddyfile", "--config", join(folder, "config")],
  },
} as const;

for (const [name, proxy] of Object.entries(proxies)) {
  const { program, skip } = findProxy(proxy.name);

  describe(`forward-auth behind ${name}`, { skip }, () => {
    let browser: Browser;
    let programs: Programs;
    let app: Server;
    let child: ChildProcess;
    let folder = "";
    let site = "";
    let center = "";
    /** Headers of the last request that reached the application. */
    let seen: IncomingHttpHeaders | undefined;

    async function admin(method: string, path: string, body?: object): Promise<{ id: string }> {
      const response = await fetch(center.replace("accounts.localhost", "127.0.0.1") + path, {
        method,
        headers: { "x-admin-token": TOKEN, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`);
      return response.status === 204 ? { id: "" } : await response.json();
    }

    before(async () => {
      const [proxyPort = 0, centerPort = 0, appPort = 0] = await findFreePorts(3);
      const ports = { proxy: proxyPort, center: centerPort, app: appPort };
      site = `http://notes.localhost:${proxyPort}`;
      center = `http://accounts.localhost:${centerPort}`;
      app = createServer((request, response) => {
        seen = request.headers;
        response.setHeader("content-type", "text/html");
        response.end(`<!doctype html><title>Notes</title><h1>Notes of ${request.url}</h1>`);
      }).listen(appPort, "127.0.0.1");
      [browser, programs] = await Promise.all([launchBrowser(), createPrograms(["auth"])]);
      const run = programs.run({
        LOG_LEVEL: "warn",
        AUTH_PORT: String(centerPort),
        AUTH_PUBLIC_URL: center,
        ADMIN_TOKEN: TOKEN,
        TRUSTED_PROXIES: "127.0.0.1",
      });
      await programs.authUrl(run);
      folder = await mkdtemp(join(tmpdir(), "trivet-forward-"));
      // As root nginx gives its workers to "nobody", who has to come in here.
      await chmod(folder, 0o755);
      await writeFile(join(folder, "config"), proxy.config(ports));
      child = spawn(program, proxy.args(folder), { stdio: "ignore", env: { HOME: folder } });
      await eventually(() => ask(proxyPort, "/", { host: `notes.localhost:${proxyPort}` }));
      await admin("POST", "/api/admin/groups", { id: "family", title: "Family" });
      for (const username of ["ann", "bob"]) {
        const email = `${username}@example.org`;
        const user = { username, email, emailVerified: true, password: PASSWORD };
        const { id } = await admin("POST", "/api/admin/users", user);
        if (username === "ann") await admin("PUT", `/api/admin/groups/family/members/${id}`);
      }
      const client = { id: "notes", name: "Notes", protectedOrigins: [site], allowedGroups: ["family"] };
      await admin("POST", "/api/admin/clients", client);
    });
    after(async () => {
      if (child?.exitCode === null) {
        child.kill("SIGTERM");
        await once(child, "exit");
      }
      await browser?.close();
      await programs?.dispose();
      app?.close();
      if (folder !== "") await rm(folder, { recursive: true, force: true });
    });

    async function signIn(page: Page, username: string): Promise<void> {
      await page.getByLabel("Username or email address").fill(username);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click();
    }

    for (const javaScriptEnabled of [true, false]) {
      const how = javaScriptEnabled ? "with" : "without";
      it(`lets a person in after the sign-in, out again, and another one in, ${how} scripts`, async (test) => {
        await withPage(
          browser,
          { name: test.name, baseURL: site, javaScriptEnabled },
          async ({ page, allow }) => {
            allow(/status of 403/u);
            await page.goto("/list?of=all&x=%20");
            assert.equal(new URL(page.url()).origin, center);
            await signIn(page, "bob");
            await page.getByRole("heading", { name: "You can’t use Notes" }).waitFor();
            await page.screenshot({ path: `/tmp/forward-denied-${name}-${how}.png` });
            if (javaScriptEnabled) await assertNoBarriers(page, { test, what: page.url() });
            await page.getByRole("button", { name: "Sign in with a different account" }).click();
            await signIn(page, "ann");
            await page.getByRole("heading", { name: "Notes of /list?of=all&x=%20" }).waitFor();
            assert.equal(page.url(), `${site}/list?of=all&x=%20`);
            assert.equal(seen?.["x-auth-username"], "ann");
            assert.equal(seen?.["x-auth-groups"], "family");
            assert.equal(seen?.["x-auth-email"], "ann@example.org");
            await page.goto("/.trivet/sign-out");
            await page.screenshot({ path: `/tmp/forward-out-${name}-${how}.png` });
            if (javaScriptEnabled) await assertNoBarriers(page, { test, what: page.url() });
            await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();
            await page.getByRole("heading", { name: "You’re signed out" }).waitFor();
            seen = undefined;
            await page.goto("/list");
            assert.equal(new URL(page.url()).origin, center);
            assert.equal(seen, undefined);
          },
        );
      });
    }

    it("shows at the site who leaves the group that it is over, and takes another account", async (test) => {
      await withPage(browser, { name: test.name, baseURL: site }, async ({ page, allow }) => {
        allow(/status of 403/u);
        await page.goto("/");
        await signIn(page, "ann");
        await page.getByRole("heading", { name: "Notes of /" }).waitFor();
        await admin("PATCH", "/api/admin/clients/notes", { enabled: false });
        const refused = await page.goto("/again");
        await admin("PATCH", "/api/admin/clients/notes", { enabled: true });
        assert.equal(refused?.status(), 403);
        assert.equal(new URL(page.url()).origin, site);
        await page.getByRole("heading", { name: "You can’t use Notes" }).waitFor();
        await page.screenshot({ path: `/tmp/forward-site-${name}.png` });
        await assertNoBarriers(page, { test, what: page.url() });
        await page.getByRole("button", { name: "Sign in with a different account" }).click();
        await signIn(page, "ann");
        await page.getByRole("heading", { name: "Notes of /again" }).waitFor();
      });
    });

    it("lets no forged header through, to the application or to the question", async () => {
      const forged = {
        host: new URL(site).host,
        "x-auth-username": "root",
        "x-auth-groups": "family",
        "x-auth-impersonated-by": "token",
        "x-forwarded-host": "other.example",
        "x-forwarded-proto": "https",
        "x-forwarded-uri": "//evil.example/",
      };
      const port = Number(new URL(site).port);
      seen = undefined;
      assert.equal((await ask(port, "/x", forged)).statusCode, 401);
      const person = await ask(port, "/x", { ...forged, accept: "text/html" });
      assert.equal(person.statusCode, 302);
      const to = new URL(person.headers.location ?? "");
      assert.equal(to.origin, center);
      assert.ok((to.searchParams.get("rd") ?? "").includes(`?to=${encodeURIComponent(site)}&`));
      assert.equal(seen, undefined);
      const login = await fetch(`${center.replace("accounts.localhost", "127.0.0.1")}/api/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ identifier: "ann", password: PASSWORD }),
      });
      const { accessToken }: { accessToken: string } = await login.json();
      const headers = { ...forged, authorization: `Bearer ${accessToken}` };
      assert.equal((await ask(port, "/x", headers)).statusCode, 200);
      const told: IncomingHttpHeaders = seen ?? {};
      assert.equal(told.authorization, undefined);
      assert.deepEqual(
        ["username", "groups", "impersonated-by"].map((key) => told[`x-auth-${key}`] ?? ""),
        ["ann", "family", ""],
      );
    });
  });
}
