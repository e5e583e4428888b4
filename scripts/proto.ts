/**
 * `npm run proto` writes the protocol code in src/monitor/proto from proto/. With `--check` it writes nothing and
 * fails when that code is not what proto/ gives.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "proto/monitor/v1/monitor.proto");
const folder = join(root, "src/monitor/proto");

const pbjsOptions = [
  "--target",
  "static-module",
  "--wrap",
  "esm",
  "--root",
  "monitor",
  "--force-number",
  // Only what the codec calls: constructors, encode and decode.
  "--no-create",
  "--no-verify",
  "--no-convert",
  "--no-delimited",
  "--no-typeurl",
  "--no-service",
];

async function runTool(tool: string, args: readonly string[]): Promise<void> {
  await run(process.execPath, [join(root, "node_modules/protobufjs-cli/bin", tool), ...args], { cwd: root });
}

function replaceOnce(text: string, change: { from: string; to: string }): string {
  if (text.split(change.from).length !== 2)
    throw new Error(`Expected "${change.from}" once in what pbjs wrote`);
  return text.replace(change.from, () => change.to);
}

/** The two generated texts. The comments serve pbts only, so that the code itself is made without them. */
async function generate(): Promise<{ code: string; types: string }> {
  const temporary = await mkdtemp(join(tmpdir(), "trivet-proto-"));
  const commented = join(temporary, "commented.js");
  const bare = join(temporary, "bare.js");
  const typed = join(temporary, "typed.d.ts");
  try {
    await runTool("pbjs", [...pbjsOptions, "--out", commented, source]);
    await runTool("pbjs", [...pbjsOptions, "--no-comments", "--out", bare, source]);
    await runTool("pbts", ["--no-comments", "--out", typed, commented]);
    const note = "// Made by `npm run proto` from proto/monitor/v1/monitor.proto. Do not edit.\n";
    const protobufImport = 'import $protobuf from "protobufjs/minimal.js";';
    const code = replaceOnce(await readFile(bare, "utf8"), {
      from: protobufImport,
      to: `import "./numbers.ts";\n${protobufImport}`,
    });
    const types = replaceOnce(await readFile(typed, "utf8"), {
      from: 'import Long = require("long");\n',
      to: "",
    });
    return { code: `// @ts-self-types="./monitor.d.ts"\n${note}${code}`, types: note + types };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function isFresh(path: string, text: string): Promise<boolean> {
  const present = await readFile(path, "utf8").catch(() => undefined);
  return present === text;
}

const { code, types } = await generate();
const files: readonly (readonly [string, string])[] = [
  [join(folder, "monitor.js"), code],
  [join(folder, "monitor.d.ts"), types],
];
if (process.argv.includes("--check")) {
  for (const [path, text] of files) {
    if (await isFresh(path, text)) continue;
    process.stderr.write(`"${path}" is not fresh: run "npm run proto"\n`);
    process.exitCode = 1;
  }
} else {
  for (const [path, text] of files) await writeFile(path, text);
}
