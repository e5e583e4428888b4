/**
 * `npm start`: runs the program from one bundle in node_modules/.cache, which starts in half the time and memory that
 * the sources take, and is made anew whenever a source or the packages changed. Where it cannot be made (no esbuild, a
 * folder that cannot be written), the sources run. Plain JavaScript, because anything else would have to be loaded first.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, readdirSync, statSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "node_modules", ".cache", "trivet");

/** What the sources are now: their names, sizes and times of change. */
function toState() {
  const hash = createHash("sha256");
  const note = (path) => {
    const { size, mtimeMs } = statSync(join(root, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  };
  note("package-lock.json");
  note("scripts/bundle-start.ts");
  for (const path of readdirSync(join(root, "src"), { recursive: true }).toSorted())
    if (/\.(?:tsx?|js|json)$/u.test(path) && !/^web[/\\]built/u.test(path)) note(join("src", path));
  return hash.digest("hex");
}

/** The bundle of these sources; undefined where there is none and none can be made. */
function findBundle() {
  const state = toState();
  const bundle = join(folder, state, "src", "main.mjs");
  const isMade = () => {
    try {
      accessSync(bundle, constants.R_OK);
      return true;
    } catch {
      return false;
    }
  };
  if (isMade()) return bundle;
  const making = ["--import", "tsx", join(root, "scripts", "bundle-start.ts"), folder, state];
  const { status, stderr } = spawnSync(process.execPath, making, { cwd: root, encoding: "utf8" });
  if (status === 0 && isMade()) return bundle;
  if (process.env.LOG_LEVEL === "debug")
    console.error(`The sources run, since no bundle could be made: ${stderr}`);
  return undefined;
}

// Node 22 and newer keep what V8 made of it.
module.enableCompileCache?.(join(root, "node_modules", ".cache", "v8"));
const bundle = findBundle();
if (bundle === undefined) (await import("tsx/esm/api")).register();
await import(bundle === undefined ? "../src/main.ts" : pathToFileURL(bundle).href);
