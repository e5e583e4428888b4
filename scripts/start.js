/**
 * `npm start`: runs the program from one bundle in node_modules/.cache, which starts in half the time and memory that
 * the sources take; bundle and pages are built again whenever a source or the packages changed. Where no bundle can be
 * made (no esbuild, a read-only folder), the sources run. Plain JavaScript, because anything else would have to be loaded first.
 */
import { accessSync, constants } from "node:fs";
import module from "node:module";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { makePages, root, runScript, toState } from "./pages.js";

const folder = join(root, "node_modules", ".cache", "trivet");

/** The bundle of these sources; undefined where there is none and none can be made. */
async function findBundle(state) {
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
  const { code, output } = await runScript("bundle-start.ts", [folder, state]);
  if (code === 0 && isMade()) return bundle;
  if (process.env.LOG_LEVEL === "debug")
    console.error(`The sources run, since no bundle could be made: ${output}`);
  return undefined;
}

// Node 22 and newer keep what V8 made of it.
module.enableCompileCache?.(join(root, "node_modules", ".cache", "v8"));
const state = toState();
// Commands such as a backup need no pages: a service that misses them says so.
const [bundle] = await Promise.all([findBundle(state), makePages(state)]);
if (bundle === undefined) (await import("tsx/esm/api")).register();
await import(bundle === undefined ? "../src/main.ts" : pathToFileURL(bundle).href);
