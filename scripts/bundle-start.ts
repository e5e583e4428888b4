/** `bundle-start.ts FOLDER STATE`: makes the bundle that scripts/start.js runs, below FOLDER/STATE, and removes older ones. */
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { escapeLetters, toProgramOptions } from "../src/runtime/program-bundle.ts";
import { projectFolder } from "./process.ts";

const [folder = "", state = ""] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
// Under its name only when it is whole: two may start at once.
const made = await mkdtemp(join(folder, "making-"));
try {
  await build({
    ...toProgramOptions(projectFolder, made),
    entryPoints: ["src/main.ts"],
    // Names stay, so that stack traces can be read.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
  });
  await escapeLetters(join(made, "src", "main.mjs"));
  // Who starts it may be somebody else than who made it.
  await chmod(made, 0o755);
  await rename(made, join(folder, state)).catch(() => rm(made, { recursive: true, force: true }));
} catch (error) {
  await rm(made, { recursive: true, force: true });
  throw error;
}
for (const name of await readdir(folder))
  if (name !== state && !name.startsWith("making-"))
    await rm(join(folder, name), { recursive: true, force: true });
