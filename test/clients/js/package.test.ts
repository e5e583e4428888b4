/** The packed client in the application of docs/own-application.md, unchanged, in front of a running center. */
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import { z } from "zod";
import { findFreePort } from "../../support/free-ports.ts";
import { skipWithoutNode } from "../../support/missing.ts";
import { createVisitor } from "../../support/page-visitor.ts";
import { denoRunner } from "../../support/own-runtime.ts";
import { projectFolder } from "../../support/process.ts";
import { type Programs, createPrograms } from "../../support/program.ts";
import { signUp } from "../../support/sign-up.ts";

const ADMIN_TOKEN = "adm_for-the-package-test";
const PASSWORD = "correct horse battery staple";

describe("the packed client", { skip: skipWithoutNode() }, () => {
  let programs: Programs;
  let folder: string;
  let authUrl: string;
  let token: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-client-"));
    programs = await createPrograms(["auth"]);
    authUrl = await programs.authUrl(programs.run({ ADMIN_TOKEN, LOG_LEVEL: "warn" }));
    const built = join(folder, "built");
    const script = join(projectFolder, "scripts/build-client.ts");
    const run = (command: string, args: readonly string[], cwd: string): string =>
      execFileSync(command, args, { cwd, encoding: "utf8" });
    run("node", ["--import", "tsx", script, "--into", built], projectFolder);
    const packed = run("npm", ["pack", "--silent", "--offline", "--pack-destination", folder], built).trim();
    const place = join(folder, "app/node_modules/trivet-auth-client");
    await mkdir(place, { recursive: true });
    run("tar", ["-xzf", join(folder, packed), "--strip-components=1", "-C", place], folder);
    const text = await readFile(join(projectFolder, "docs/own-application.md"), "utf8");
    const example = /^```js\n([^]*?)^```$/mu.exec(text)?.[1] ?? "";
    assert.ok(example.trimEnd().split("\n").length <= 40);
    await writeFile(join(folder, "app/notes.mjs"), example);
    await writeFile(
      join(folder, "app/package.json"),
      JSON.stringify({ type: "module", dependencies: { "trivet-auth-client": "*" } }),
    );
    token = await signUp({ authUrl, adminToken: ADMIN_TOKEN, username: "ann", password: PASSWORD });
  });
  after(async () => {
    await programs?.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  /** Registers the application at its address, or at a new one. */
  async function register(appUrl: string): Promise<string> {
    const call = (method: string, path: string, body: object): Promise<Response> =>
      fetch(`${authUrl}/api/admin/clients${path}`, {
        method,
        headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const redirectUris = [`${appUrl}/auth/callback`];
    await call("POST", "", { id: "notes", name: "Notes", redirectUris });
    await call("PATCH", "/notes", { redirectUris });
    const answer = await call("POST", "/notes/rotate-secret", {});
    return z.object({ secret: z.string() }).parse(await answer.json()).secret;
  }

  for (const [name, runner] of [
    ["Node", ["node"]],
    ["Deno", denoRunner()],
  ] as const)
    it(`signs a person in and out in the documented application on ${name}`, async () => {
      const port = await findFreePort();
      const appUrl = `http://127.0.0.1:${port}`;
      const secret = await register(appUrl);
      const [command, ...args] = runner;
      const env = { AUTH_URL: authUrl, APP_URL: appUrl, CLIENT_SECRET: secret, PORT: String(port) };
      const app: ChildProcess = spawn(command, [...args, "notes.mjs"], {
        cwd: join(folder, "app"),
        env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env },
        stdio: ["ignore", "pipe", "inherit"],
      });
      try {
        if (app.stdout !== null) await once(app.stdout, "data");
        assert.match(await (await fetch(`${appUrl}/about`)).text(), /everybody/u);
        const { open } = createVisitor();
        const entry = await open(`${appUrl}/?note=1`);
        assert.deepEqual([entry.url.origin, entry.url.pathname], [authUrl, "/sign-in"]);
        const rd = entry.url.searchParams.get("rd") ?? "";
        const back = await open(`${authUrl}/sign-in`, { identifier: "ann", password: PASSWORD, rd });
        assert.equal(back.url.href, `${appUrl}/?note=1`);
        assert.match(back.body, /Notes of ann/u);
        const saved = await open(`${appUrl}/`, { note: "milk & <bread>" });
        assert.match(saved.body, /milk &#38; &#60;bread&#62;/u);
        assert.match((await open(`${authUrl}/account`)).body, /ann/u);
        // The application ends its own sign-in; the center asks about the browser's.
        const out = await open(`${appUrl}/auth/sign-out`, {});
        assert.deepEqual([out.url.origin, out.url.pathname], [authUrl, "/oauth/logout"]);
        assert.match(out.body, /ends your session in this browser/u);
        assert.match((await open(`${authUrl}/account`)).body, /ann/u);
        const headers = { authorization: `Bearer ${token}` };
        assert.match(await (await fetch(`${appUrl}/`, { headers })).text(), /Notes of ann/u);
      } finally {
        app.kill();
        await once(app, "exit");
      }
    });
});
