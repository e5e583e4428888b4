/** `bundle-start.ts FOLDER STATE`: makes the bundle that scripts/start.js runs, below FOLDER/STATE, and removes those before the last two. */
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { escapeLetters, toProgramOptions } from "../src/runtime/program-bundle.ts";
import { projectFolder } from "./process.ts";

/** Older bundles that stay. */
const KEPT = 2;

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
  for (const name of await readdir(made, { recursive: true }))
    if (name.endsWith(".mjs")) await escapeLetters(join(made, name));
  // Who starts it may be somebody else than who made it.
  await chmod(made, 0o755);
  await rename(made, join(folder, state)).catch(() => rm(made, { recursive: true, force: true }));
} catch (error) {
  await rm(made, { recursive: true, force: true });
  throw error;
}
// A program that still runs from an older one may read parts of it.
const others = (await readdir(folder)).filter((name) => name !== state && !name.startsWith("making-"));
const ages = new Map<string, number>();
for (const name of others) ages.set(name, (await stat(join(folder, name))).mtimeMs);
for (const name of others.toSorted((a, b) => (ages.get(b) ?? 0) - (ages.get(a) ?? 0)).slice(KEPT))
  await rm(join(folder, name), { recursive: true, force: true });
