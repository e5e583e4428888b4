import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { readSecretFiles, secretFileVariables } from "../../../src/kit/secrets/secrets-from-files.ts";
import { ConfigError, configVariables, loadConfig } from "../../../src/config.ts";

const TOKEN = "adm_0123456789abcdef";
let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-secrets-"));
  await mkdir(join(folder, "credentials"));
  await writeFile(join(folder, "token"), `${TOKEN}\n`);
  await writeFile(join(folder, "windows"), `\u0020${TOKEN}\r\n`);
  await writeFile(join(folder, "empty"), "\n");
  await writeFile(join(folder, "credentials", "ADMIN_TOKEN"), `${TOKEN}\n`);
  await writeFile(join(folder, "credentials", "SMTP_URL"), "smtp://mail.example.org:25?from=a@example.org\n");
});
after(() => rm(folder, { recursive: true, force: true }));

const tokenOf = (env: Record<string, string>): string | undefined => loadConfig(env).adminTokens.auth;
function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
  return [];
}

describe("secrets from files", () => {
  it("come from the file that NAME_FILE names, without the line break at its end", () => {
    for (const name of ["token", "windows"])
      assert.equal(tokenOf({ ADMIN_TOKEN_FILE: join(folder, name) }), TOKEN);
    assert.equal(tokenOf({ AUTH_ADMIN_TOKEN_FILE: join(folder, "token") }), TOKEN);
    assert.equal(tokenOf({ ADMIN_TOKEN_FILE: "", ADMIN_TOKEN: TOKEN }), TOKEN);
  });

  it("come from the credentials of systemd, unless the environment sets them", () => {
    const CREDENTIALS_DIRECTORY = join(folder, "credentials");
    const config = loadConfig({ CREDENTIALS_DIRECTORY });
    assert.equal(config.adminTokens.shop, TOKEN);
    assert.equal(config.smtp?.host, "mail.example.org");
    assert.equal(tokenOf({ CREDENTIALS_DIRECTORY, ADMIN_TOKEN: `${TOKEN}2` }), `${TOKEN}2`);
    assert.deepEqual(problemsOf({ CREDENTIALS_DIRECTORY: join(folder, "none") }), []);
  });

  it("name each file that cannot be used, with all other problems", () => {
    const found = problemsOf({
      ADMIN_TOKEN_FILE: join(folder, "absent"),
      SMTP_URL_FILE: join(folder, "empty"),
      SHOP_SECRET_FILE: folder,
      PING_KEY: "key-key-key-key-1",
      PING_KEY_FILE: join(folder, "token"),
      MONITOR_PORT: "x",
    });
    const expected = [
      /^ADMIN_TOKEN_FILE names a file that cannot be used: ENOENT.*absent/u,
      /^SHOP_SECRET_FILE names a file that cannot be used: EISDIR/u,
      /^SMTP_URL_FILE names a file that cannot be used: the file is empty/u,
      /^PING_KEY and PING_KEY_FILE are both set\. Unset one of them$/u,
      /^MONITOR_PORT takes a port number/u,
    ];
    assert.equal(found.length, expected.length, found.join("\n"));
    for (const [index, pattern] of expected.entries()) assert.match(found[index] ?? "", pattern);
  });

  it("check the text of a file like that of a variable, and never show it", async () => {
    const file = join(folder, "short");
    await writeFile(file, "short secret");
    const [problem = "", ...others] = problemsOf({ ADMIN_TOKEN_FILE: file });
    assert.match(problem, /^ADMIN_TOKEN takes/u);
    assert.ok(!problem.includes("short secret"));
    assert.ok(others.length <= 1);
  });

  it("can be read again together with another file of settings", () => {
    const once = readSecretFiles({ ADMIN_TOKEN_FILE: join(folder, "token") }).variables;
    assert.deepEqual(readSecretFiles(once), { variables: once, problems: [] });
  });

  it("cover every variable that holds a secret", () => {
    const files = secretFileVariables.filter((name) => name.endsWith("_FILE"));
    const covered = files.map((name) => name.slice(0, -"_FILE".length));
    for (const name of covered) assert.ok(configVariables.includes(name), name);
    const secret = /(?:TOKEN|SECRET|^DATABASE_URL|^NATS_URL|^SMTP_URL|_KEY)$/u;
    const open = new Set(["GRPC_TLS_KEY"]);
    const expected = configVariables.filter((name) => secret.test(name) && !open.has(name));
    assert.deepEqual(covered.toSorted(), expected.toSorted());
  });
});
