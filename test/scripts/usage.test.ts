/** Usage texts of the program's commands, and the folder that they use. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { projectFolder, runProcess, type ProcessResult } from "../support/process.ts";
import { toRunArguments } from "../support/own-runtime.ts";

function run(args: readonly string[], env: Record<string, string | undefined> = {}): Promise<ProcessResult> {
  const path = join(projectFolder, "src", "main.ts");
  return runProcess({
    command: process.execPath,
    args: [...toRunArguments(path), ...args],
    env: { DATA_DIR: undefined, BACKUP_DIR: undefined, DATABASE_URL: undefined, ...env },
  });
}

describe("--help", () => {
  for (const command of ["backup", "restore", "check", "migrate", "doctor"]) {
    it(`prints the usage of ${command} and does nothing`, async () => {
      const { code, output } = await run([command, "--help"]);
      assert.match(output, new RegExp(`^Usage: trivet ${command} .*--(?:data|from|env)`, "u"));
      assert.equal(code, 0);
    });
  }

  it("is the agent's own for the agent", async () => {
    const { code, output } = await run(["agent", "--help"]);
    assert.match(output, /^Trivet agent: .*--enrol KEY/su);
    assert.equal(code, 0);
  });
});

describe("a command that is wrong", () => {
  it("fails, says what it wants and shows its usage", async () => {
    for (const [args, text] of [
      [["restore"], /^Specify one backup\nUsage: trivet restore/u],
      [["backup", "--where", "x"], /Unknown option '--where'.*\nUsage: trivet backup/su],
      [["backup", "folder"], /"folder" is not an option/u],
      [["check", "--database"], /^DATABASE_URL is not set\. Specify the database\nUsage: trivet check/u],
      [["agent", "--what"], /Unknown option '--what'/u],
      [["bakcup"], /Unknown service "bakcup".*trivet backup/su],
    ] as const) {
      const { code, output } = await run(args);
      assert.match(output, text);
      assert.equal(code, 2, args.join(" "));
    }
  });
});

describe("the agent", () => {
  it("says what to do where its data folder cannot be made", async () => {
    const { code, output } = await run(["agent", "--data", "/dev/null/agent", "--enrol", "enr_x"], {
      TRIVET_URL: "http://127.0.0.1:1",
    });
    assert.match(
      output,
      /The data folder "\/dev\/null\/agent" cannot be used: .*Choose another one with --data/u,
    );
    assert.equal(code, 1);
  });
});

describe("backup and restore", () => {
  it("take the folders of the environment, as the services do", async () => {
    const folder = await mkdtemp(join(tmpdir(), "trivet-commands-"));
    try {
      const env = { DATA_DIR: join(folder, "data"), BACKUP_DIR: join(folder, "backups") };
      await mkdir(env.DATA_DIR);
      await writeFile(join(env.DATA_DIR, "admin-token.json"), "{}");
      const made = await run(["backup"], env);
      assert.equal(made.code, 0, made.output);
      const [name = ""] = await readdir(env.BACKUP_DIR);
      assert.match(name, /^trivet-\d{4}-\d{2}-\d{2}T[\d-]+Z$/u);
      await rm(env.DATA_DIR, { recursive: true });
      const back = await run(["restore", join(env.BACKUP_DIR, name)], env);
      assert.equal(back.code, 0, back.output);
      assert.equal(await readFile(join(env.DATA_DIR, "admin-token.json"), "utf8"), "{}");
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
