/**
 * The unchanged programs of docs/verify-assertion.md, with the auth center's assertions and others: Hono, and nginx
 * with njs.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, type Server, createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import { SignJWT, generateKeyPair } from "jose";
import { ASSERTION_TYPE } from "../../src/auth/forward/assertions.ts";
import { eventually } from "../support/eventually.ts";
import { findFreePorts } from "../support/free-ports.ts";
import { findProxy, tellSkipped } from "../support/missing.ts";
import { projectFolder } from "../support/process.ts";
import { type Programs, createPrograms } from "../support/program.ts";

const TOKEN = "admin-token-of-this-test";
const PASSWORD = "correct horse battery staple";
const NJS = "/usr/lib/nginx/modules/ngx_http_js_module.so";
const docs = await readFile(new URL("../../docs/verify-assertion.md", import.meta.url), "utf8");

let programs: Programs;
let center = "";
let issuer = "";
let folder = "";
let application: Server;
/** What reached the application behind nginx. */
let seen: IncomingHttpHeaders | undefined;
const ports = { checked: 0, application: 0 };
/** Assertions by what is wrong with them; "good" is right. */
const tokens = new Map<string, string>();
const children: ChildProcess[] = [];

/** The block after a line of the page that matches. */
function readBlock(after: RegExp): string {
  const rest = docs.slice(docs.search(after));
  return /```(?:js)?\n([^]+?)\n```/u.exec(rest)?.[1] ?? assert.fail(String(after));
}

/** On this machine's addresses. */
function place(text: string): string {
  return text
    .replaceAll("https://accounts.example.org", issuer)
    .replaceAll(/http:\/\/(?:127\.0\.0\.1|10\.0\.0\.2):8082/gu, center);
}

async function admin(path: string, body: object): Promise<void> {
  const headers = { "x-admin-token": TOKEN, "content-type": "application/json" };
  const answer = await fetch(center + path, { method: "POST", headers, body: JSON.stringify(body) });
  assert.equal(answer.status, 201, await answer.text());
}

async function fetchAssertion(accessToken: string, id: string): Promise<string> {
  const headers = { "x-forwarded-proto": "https", "x-forwarded-host": `${id}.example.org` };
  const answer = await fetch(`${center}/api/auth/forward/${id}`, {
    headers: { ...headers, authorization: `Bearer ${accessToken}`, accept: "application/json" },
  });
  return answer.headers.get("x-auth-assertion") ?? assert.fail(await answer.text());
}

/** As the center's, from someone else's key with the same name. */
async function forge(good: string): Promise<string> {
  const [head = "", body = ""] = good.split(".");
  const read = (part: string): Record<string, string> =>
    JSON.parse(Buffer.from(part, "base64url").toString());
  const { privateKey } = await generateKeyPair("ES256");
  const { kid = "" } = read(head);
  return new SignJWT(read(body))
    .setProtectedHeader({ alg: "ES256", typ: ASSERTION_TYPE, kid })
    .sign(privateKey);
}

before(async () => {
  const [centerPort = 0, checked = 0, applicationPort = 0] = await findFreePorts(3);
  Object.assign(ports, { checked, application: applicationPort });
  center = `http://127.0.0.1:${centerPort}`;
  issuer = `http://accounts.localhost:${centerPort}`;
  programs = await createPrograms(["auth"]);
  const environment = { AUTH_PORT: String(centerPort), AUTH_PUBLIC_URL: issuer, ADMIN_TOKEN: TOKEN };
  await programs.authUrl(programs.run({ LOG_LEVEL: "warn", ...environment }));
  await admin("/api/admin/users", {
    username: "ann",
    email: "ann@example.org",
    emailVerified: true,
    password: PASSWORD,
  });
  for (const id of ["notes", "wiki"])
    await admin("/api/admin/clients", { id, name: id, protectedOrigins: [`https://${id}.example.org`] });
  const signedIn = await fetch(`${center}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ identifier: "ann", password: PASSWORD }),
  });
  const { accessToken }: { accessToken: string } = await signedIn.json();
  const good = await fetchAssertion(accessToken, "notes");
  tokens.set("good", good);
  tokens.set("of another application", await fetchAssertion(accessToken, "wiki"));
  tokens.set("with another signature", `${good.slice(0, -8)}AAAAAAAA`);
  tokens.set("from another key", await forge(good));
  tokens.set("without a signature", good.replace(/\.[^.]+$/u, "."));
  tokens.set("that is none", "x.y.z");
  tokens.set("that is missing", "");
  folder = await mkdtemp(join(tmpdir(), "trivet-assertion-"));
  await chmod(folder, 0o755);
  application = createServer((request, response) => {
    seen = request.headers;
    response.end("reached");
  }).listen(applicationPort, "127.0.0.1");
});
after(async () => {
  for (const child of children)
    if (child.exitCode === null && child.kill("SIGTERM")) await once(child, "exit");
  application?.close();
  await programs?.dispose();
  if (folder !== "") await rm(folder, { recursive: true, force: true });
});

async function ask(assertion: string): Promise<{ status: number; text: string }> {
  const headers = { "x-auth-user-id": "forged", "x-auth-username": "forged" };
  const told = assertion === "" ? headers : { ...headers, "x-auth-assertion": assertion };
  const answer = await fetch(`http://127.0.0.1:${ports.checked}/`, { headers: told });
  return { status: answer.status, text: await answer.text() };
}

async function start(program: string, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: "ignore", env: { HOME: folder } });
  children.push(child);
  await eventually(() => ask(""));
  return child;
}

async function assertRefusals(): Promise<void> {
  for (const [what, token] of tokens)
    if (what !== "good") assert.equal((await ask(token)).status, 401, `an assertion ${what}`);
}

describe("docs/verify-assertion.md", () => {
  it("lets Hono know who comes, and refuses every other assertion", async () => {
    const file = join(folder, "notes.mjs");
    await symlink(join(projectFolder, "node_modules"), join(folder, "node_modules"));
    await writeFile(file, place(readBlock(/^## Hono$/mu)).replace("4901", String(ports.checked)));
    const child = await start(process.execPath, [file]);
    assert.deepEqual(await ask(tokens.get("good") ?? ""), { status: 200, text: "Hello ann\n" });
    await assertRefusals();
    child.kill("SIGTERM");
    await once(child, "exit");
  });

  const { program, skip } = findProxy("nginx");
  const isRequired = process.env["REQUIRE_PROXIES"] === "1";
  const missing =
    skip !== false || isRequired || existsSync(NJS) ? skip : tellSkipped("libnginx-mod-http-js is missing");
  it(
    "lets nginx tell the application who comes, and refuse every other assertion",
    { skip: missing },
    async () => {
      await writeFile(join(folder, "assertion.js"), place(readBlock(/^`\/etc\/nginx\/assertion\.js`:$/mu)));
      const config = place(readBlock(/^In `nginx\.conf`:$/mu))
        .replace("modules/ngx_http_js_module.so", NJS)
        .replace("/etc/nginx/", `${folder}/`)
        .replace("/var/cache/nginx/jwks", join(folder, "jwks"))
        .replace("10.0.0.5:4902", `127.0.0.1:${ports.checked}`)
        .replace("127.0.0.1:4901", `127.0.0.1:${ports.application}`)
        .replace("http {", "events {}\nhttp {\naccess_log off;\nerror_log stderr;");
      await mkdir(join(folder, "jwks"));
      await chmod(join(folder, "jwks"), 0o777);
      await writeFile(join(folder, "nginx.conf"), `pid ${folder}/nginx.pid;\n${config}\n`);
      await start(program, [
        "-p",
        folder,
        "-c",
        join(folder, "nginx.conf"),
        "-e",
        "stderr",
        "-g",
        "daemon off;",
      ]);
      assert.equal((await ask(tokens.get("good") ?? "")).text, "reached");
      assert.deepEqual(
        [seen?.["x-auth-username"], String(seen?.["x-auth-user-id"]).startsWith("usr_")],
        ["ann", true],
      );
      seen = undefined;
      await assertRefusals();
      assert.equal(seen, undefined);
    },
  );
});
