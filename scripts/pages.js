/**
 * Builds the pages that browsers get, src/web/built, when they are missing or older than the sources. `npm start` and the
 * tests do so by themselves; `npm run web` builds them in any case and prints their sizes. Plain JavaScript, because
 * scripts/start.js imports it before anything that reads TypeScript is loaded.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** The folder of package.json. */
export const root = fileURLToPath(new URL("..", import.meta.url));
const web = join(root, "src", "web");
/** The state of the sources that the pages were built from. */
const stamp = join(web, "built.state");

/** Identifies the present sources: their names, sizes and times of change. */
export function toState() {
  const list = (folder, recursive) =>
    readdirSync(join(root, folder), { recursive, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)));
  const files = list("src", true).filter((path) => !/^src[/\\]web[/\\]built/u.test(path));
  const others = ["package-lock.json", ...list("scripts", false)];
  const hash = createHash("sha256");
  for (const path of [...others, ...files].toSorted()) {
    const { size, mtimeMs } = statSync(join(root, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex");
}

/** Runs a script of this folder with the same runtime; resolves with its exit code and output. */
export function runScript(name, args) {
  const before = "deno" in process.versions ? ["run", "-A", "--no-check"] : ["--import", "tsx"];
  const child = spawn(process.execPath, [...before, join(root, "scripts", name), ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  return new Promise((resolve) => {
    child.once("error", ({ message }) => resolve({ code: 1, output: message }));
    child.once("close", (code) => resolve({ code, output }));
  });
}

/** Whether there are pages to serve, of whatever age. */
const arePages = () => existsSync(join(web, "built", "index.html"));

const isFresh = (state) => arePages() && existsSync(stamp) && readFileSync(stamp, "utf8") === state;

/**
 * Builds the pages unless they fit the sources in `state`. Resolves with whether there are pages to serve; says what
 * went wrong where they could not be built.
 */
export async function makePages(state) {
  if (isFresh(state)) return true;
  const { code, output } = await runScript("web.ts", [state]);
  if (code === 0) return true;
  const consequence = arePages()
    ? "The pages could not be rebuilt; the existing ones in src/web/built are served."
    : 'There are no pages in src/web/built, and they could not be built. Run "npm ci" and "npm run web" as a user who may write to this folder.';
  console.error(`${consequence}\n${output.trimEnd()}`);
  return arePages();
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (process.argv.includes("--again")) {
    const { code, output } = await runScript("web.ts", [toState()]);
    console.log(output.trimEnd());
    process.exitCode = code;
  } else process.exitCode = (await makePages(toState())) ? 0 : 1;
}
