/** What every way of starting must do: serve on an empty folder, hash a password, and know it again after a kill. */
import assert from "node:assert/strict";
import { signUp } from "../../support/sign-up.ts";
import {
  type Program,
  type Programs,
  type Runner,
  createPrograms,
  terminate,
} from "../../support/program.ts";
import { eventually } from "../../support/eventually.ts";

const adminToken = "a-token-for-this-trial";
const account = { username: "ada", password: "correct horse battery staple" };

async function signIn(authUrl: string): Promise<number> {
  const body = JSON.stringify({ identifier: account.username, password: account.password });
  const headers = { "content-type": "application/json" };
  return (await fetch(`${authUrl}/api/auth/login`, { method: "POST", headers, body })).status;
}

/** Pages, Swagger UI and the agent come from files beside the bundle. */
async function assertFiles(programs: Programs, program: Program): Promise<void> {
  const monitor = `http://127.0.0.1:${(await programs.ports(program)).http}`;
  const shop = await programs.shopUrl(program);
  const headers = { accept: "text/html,*/*" };
  for (const url of [
    `${monitor}/`,
    `${monitor}/swagger/swagger-ui-bundle.js`,
    `${monitor}/install.sh`,
    `${shop}/`,
    `${shop}/admin`,
  ])
    assert.equal((await fetch(url, { headers })).status, 200, url);
}

/** Whether the program that runs can start itself, which it does for a backup. */
async function assertBackup(programs: Programs, program: Program): Promise<void> {
  const url = `http://127.0.0.1:${(await programs.ports(program)).http}/api/admin/backups`;
  const headers = { "x-admin-token": adminToken };
  assert.equal((await fetch(url, { method: "POST", headers })).status, 202);
  await eventually(async () => {
    const { items } = (await (await fetch(url, { headers })).json()) as { items: unknown[] };
    assert.equal(items.length, 1);
  });
}

/** Runs all services by this command, and what they must do. @throws Error when they do not */
export async function tryServices(command: Runner, env: Record<string, string> = {}): Promise<void> {
  const entry = command.at(-1) ?? "";
  const [first = "env", ...rest] = command.slice(0, -1);
  const programs = await createPrograms([], { runner: [first, ...rest], entry });
  try {
    const given = { ADMIN_TOKEN: adminToken, BACKUP_DIR: `${programs.folder}/backups`, ...env };
    const before = programs.run(given);
    await signUp({ authUrl: await programs.authUrl(before), adminToken, ...account });
    before.child.kill("SIGKILL");
    await before.ended;
    const after = programs.run(given);
    assert.equal(await signIn(await programs.authUrl(after)), 200);
    await assertFiles(programs, after);
    await assertBackup(programs, after);
    terminate(after);
    assert.equal(await after.ended, 0);
    const version = programs.run(given, ["--version"]);
    assert.equal(await version.ended, 0);
    assert.match(version.output(), /^\d+\.\d+\.\d+\n$/u);
  } finally {
    await programs.dispose();
  }
}
