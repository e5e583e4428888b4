/** The check at the end of scripts/install: its functions that ask systemd answer as on a machine that starts the service. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { projectFolder, runProcess, type ProcessResult } from "../support/process.ts";
import { skipWithoutNode } from "../support/missing.ts";

const script = join(projectFolder, "scripts", "install");

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-install-check-"));
});
after(() => rm(folder, { recursive: true, force: true }));

let root = "";
let rooms = 0;
beforeEach(() => {
  root = join(folder, String((rooms += 1)));
});

/** A bundle whose doctor prints `said` and ends with `code`; undefined: one that is older than the doctor. */
async function makeBundle(
  version: string,
  doctor?: { said: readonly string[]; code: number },
): Promise<string> {
  const bundle = join(root, `bundle-${version}`);
  await mkdir(bundle, { recursive: true });
  await writeFile(join(bundle, "package.json"), JSON.stringify({ version }));
  const program =
    doctor === undefined
      ? 'console.log("Usage");\n'
      : `if (process.argv[2] === "doctor") {
  const { DATA_DIR, BACKUP_DIR, SMTP_URL } = process.env;
  const asked = { args: process.argv.slice(3), DATA_DIR, BACKUP_DIR, SMTP_URL };
  require("node:fs").writeFileSync(__dirname + "/asked.json", JSON.stringify(asked));
  console.log(${JSON.stringify(doctor.said.join("\n"))});
  process.exit(${doctor.code});
}
console.log("trivet doctor  checks an install");\n`;
  await writeFile(join(bundle, "trivet.js"), program);
  return bundle;
}

async function install(...args: readonly string[]): Promise<ProcessResult> {
  const [functions = "", dispatch = ""] = (await readFile(script, "utf8")).split(/^(?=case \$action in$)/mu);
  const started = "has_systemd() { :; }; systemctl() { :; }; wait_for_health() { :; }\n";
  return runProcess({
    command: "/bin/sh",
    args: ["-c", functions + started + dispatch, script, "--destdir", root, ...args],
    env: { DESTDIR: undefined, SMTP_URL: "smtp://shell.example.org" },
    timeoutMs: 60_000,
  });
}

describe("the check at the end of scripts/install", { skip: skipWithoutNode() }, () => {
  const ok = "ok       services  The monitor answers";
  const warning = ["warning  backups   Backups are disabled", "                   → Set BACKUP_DIR"];
  const problem = ["PROBLEM  email     The mail server is silent", "                   → Check SMTP_URL"];

  it("shows warnings, which fail nothing, and leaves out what is well", async () => {
    const said = [ok, ...warning, "", "1 ok, 1 warnings, 0 problems"];
    const { code, output } = await install("--from", await makeBundle("1.0.0", { said, code: 0 }));
    assert.equal(code, 0, output);
    assert.match(
      output,
      /Install check:\n {2}warning {2}backups .*\n.*→ Set BACKUP_DIR\n {2}1 ok, 1 warnings/u,
    );
    assert.doesNotMatch(output, /The monitor responds|found problems/u);
  });

  it("shows problems with the command that checks again, and has an exit code of its own", async () => {
    const bundle = await makeBundle("1.0.0", { said: [ok, ...problem], code: 1 });
    const { code, output } = await install("--from", bundle, "--services", "auth,shop");
    assert.equal(code, 3, output);
    assert.match(output, /trivet 1\.0\.0-\w+ is installed/u);
    assert.match(output, /PROBLEM {2}email .*\n.*→ Check SMTP_URL/u);
    assert.match(
      output,
      /the check found problems\. Fix them, then check again: sudo \S+ \S+\/opt\/trivet\/current\/trivet\.js doctor auth shop --env \S+\/etc\/trivet\/trivet\.env --running/u,
    );
  });

  it("asks for the services that run here, with the unit's variables and none of the shell's", async () => {
    const bundle = await makeBundle("1.0.0", { said: [ok], code: 0 });
    for (const args of [["--services", "auth,shop"], []]) {
      await install("--from", bundle, ...args);
      assert.deepEqual(JSON.parse(await readFile(join(root, "opt/trivet/current/asked.json"), "utf8")), {
        args: ["auth", "shop", "--env", join(root, "etc/trivet/trivet.env"), "--running"],
        DATA_DIR: "/var/lib/trivet",
        BACKUP_DIR: "/var/lib/trivet-backups",
      });
    }
  });

  it("is left out where nothing was started, and after a rollback to a program older than the doctor", async () => {
    const current = await makeBundle("1.1.0", { said: problem, code: 1 });
    const runs = [
      await install("--from", current, "--no-start"),
      await install("--from", await makeBundle("1.0.0")),
      await install("--from", current, "--no-start"),
      await install("--rollback"),
    ];
    for (const { code, output } of runs) {
      assert.equal(code, 0, output);
      assert.doesNotMatch(output, /Install check/u);
    }
    assert.equal((await install("--rollback")).code, 3);
  });
});
