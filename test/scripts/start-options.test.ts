/** Every way of starting the services has the options of src/runtime/start-options.ts. */
import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { nodeOptions } from "../../src/runtime/start-options.ts";
import { toRunArguments } from "../support/own-runtime.ts";
import { projectFolder, runProcess } from "../support/process.ts";

const files = [
  "package.json",
  "deno.json",
  "Dockerfile",
  "scripts/install.d/trivet.service",
  "docs/packages.md",
];

describe("npm run start-options", () => {
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-options-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const run = (...args: string[]): ReturnType<typeof runProcess> =>
    runProcess({
      command: process.execPath,
      args: [...toRunArguments("scripts/start-options.ts"), ...args],
      cwd: projectFolder,
    });

  it("finds the same options in the scripts, the image, the unit and the guide", async () => {
    const { code, output } = await run("--check");
    assert.equal(code, 0, output);
  });

  it("names a file that has others, and writes it as it was", async () => {
    for (const path of files) await cp(join(projectFolder, path), join(folder, path));
    const [option = ""] = nodeOptions;
    for (const path of files.filter((each) => each !== "deno.json")) {
      const text = await readFile(join(folder, path), "utf8");
      await writeFile(join(folder, path), text.replaceAll(option, "--max-semi-space-size=1"));
    }
    const deno = await readFile(join(folder, "deno.json"), "utf8");
    await writeFile(join(folder, "deno.json"), deno.replace("AUTH_SECRET,", "HOME,"));
    const checked = await run("--check", "--root", folder);
    assert.equal(checked.code, 1);
    for (const path of files) assert.ok(checked.output.includes(`${path} has other options`), path);
    assert.equal((await run("--root", folder)).code, 0);
    for (const path of files)
      assert.equal(
        await readFile(join(folder, path), "utf8"),
        await readFile(join(projectFolder, path), "utf8"),
        path,
      );
  });
});
