/** What the program says before it serves: tokens, and what it cannot start with; on the runtime that runs this test. */
import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { z } from "zod";
import { skipWithoutNode } from "./support/missing.ts";
import { type Programs, createPrograms, terminate } from "./support/program.ts";

const TOKEN = "a-token-for-this-suite";

describe("the start of the program", () => {
  let programs: Programs;
  let folder: string;

  beforeEach(async () => {
    programs = await createPrograms(["monitor"]);
    ({ folder } = programs);
  });
  afterEach(() => programs.dispose());

  const run: Programs["run"] = (env, args) => programs.run(env, args);
  const ports: Programs["ports"] = (program) => programs.ports(program);

  it("removes the file of a token at its first use; --new-admin-token makes another for the next start", async () => {
    const file = join(folder, "data/first-admin-token");
    const isThere = async (): Promise<boolean> => (await stat(file).catch(() => undefined)) !== undefined;
    const first = run();
    const urls = [`http://127.0.0.1:${(await ports(first)).http}`];
    const ask = async (token: string): Promise<number> => {
      const headers = { "x-admin-token": token };
      return (await fetch(`${urls.at(-1)}/api/admin/servers`, { headers })).status;
    };
    const former = (await readFile(file, "utf8")).trim();
    assert.equal(await ask(`${former}x`), 401);
    assert.ok(await isThere());
    assert.equal(await ask(former), 200);
    while (await isThere()) await ask(former);
    const renewal = run({}, ["--new-admin-token"]);
    assert.equal(await renewal.ended, 0);
    const token = (await readFile(file, "utf8")).trim();
    assert.ok(renewal.output().includes(file) && !renewal.output().includes(token));
    assert.deepEqual([await ask(former), await ask(token)], [200, 401]);
    terminate(first);
    assert.equal(await first.ended, 0);
    urls.push(`http://127.0.0.1:${(await ports(run())).http}`);
    assert.deepEqual([await ask(former), await ask(token)], [401, 200]);
  });

  it("creates no new token if it would have no effect", async () => {
    const elsewhere = run({}, ["--new-admin-token"]);
    assert.equal(await elsewhere.ended, 1);
    assert.match(elsewhere.output(), /The first start creates one/u);
    const given = run({ ADMIN_TOKEN: TOKEN }, ["--new-admin-token"]);
    assert.equal(await given.ended, 1);
    assert.match(given.output(), /ADMIN_TOKEN is set/u);
  });

  it("stops at a wrong environment with every problem listed", async () => {
    const program = run({ MONITOR_PORT: "http", ADMIN_TOKEN: "short", LOG_LEVEL: "loud" });
    assert.equal(await program.ended, 1);
    for (const name of ["MONITOR_PORT", "ADMIN_TOKEN", "LOG_LEVEL"])
      assert.match(program.output(), new RegExp(`- ${name} takes`, "u"));
    await assert.rejects(stat(join(folder, "data")), { code: "ENOENT" });
  });

  it("runs by the command line of npm start", { skip: skipWithoutNode() }, async () => {
    const manifest = z
      .object({ scripts: z.object({ start: z.string() }) })
      .parse(JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")));
    const [, ...words] = manifest.scripts.start.split(" ");
    const entry = words.pop() ?? "";
    const started = await createPrograms(["monitor"], { runner: ["node", ...words], entry });
    try {
      const program = started.run();
      const { http } = await started.ports(program);
      assert.equal((await fetch(`http://127.0.0.1:${http}/api/health`)).status, 200);
      terminate(program);
      assert.equal(await program.ended, 0);
    } finally {
      await started.dispose();
    }
  });

  it("says which services there are when it does not know one", async () => {
    const program = run({}, ["monitr"]);
    assert.equal(await program.ended, 2);
    assert.match(program.output(), /Unknown service "monitr"/u);
  });

  it("says that the data folder cannot be made", async () => {
    await writeFile(join(folder, "file"), "");
    const program = run({ DATA_DIR: join(folder, "file", "data") });
    assert.equal(await program.ended, 1);
    assert.match(
      program.output(),
      /The data folder ".*\/file\/data" \(DATA_DIR\) cannot be used: .*ENOTDIR/u,
    );
    assert.ok(!program.output().includes("    at "));
  });

  it("says what to do about a token file that is damaged", async () => {
    const first = run();
    await ports(first);
    terminate(first);
    await first.ended;
    const path = join(folder, "data/admin-token.json");
    await writeFile(path, "{");
    const second = run();
    assert.equal(await second.ended, 1);
    assert.match(second.output(), /admin-token\.json".*remove the file/u);
  });
});
