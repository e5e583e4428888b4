/**
 * `npm run start-options`: writes the options of src/runtime/start-options.ts to the files that start the services and
 * cannot import them. With `--check` it fails for a file that has others. `--root FOLDER` takes another folder's files.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { configVariables } from "../src/config.ts";
import { secretFileVariables } from "../src/kit/secrets/secrets-from-files.ts";
import { nodeOptions, toDenoArguments } from "../src/runtime/start-options.ts";
import { projectFolder } from "./process.ts";

const words = nodeOptions.join(" ");
/** Options between a program and the script that it runs. */
const OPTIONS = String.raw`(?:--\S+ )+`;

interface Place {
  readonly path: string;
  readonly pattern: RegExp;
  readonly text: string;
}

const denoCommand = [
  "deno task --quiet web && deno run",
  ...toDenoArguments([...configVariables, ...secretFileVariables]),
  "src/main.ts",
];
const places: readonly Place[] = [
  {
    path: "package.json",
    pattern: new RegExp(`node ${OPTIONS}scripts/start\\.js`, "u"),
    text: `node ${words} scripts/start.js`,
  },
  {
    path: "deno.json",
    pattern: /"start": "[^"]*"/u,
    text: `"start": ${JSON.stringify(denoCommand.join(" "))}`,
  },
  {
    path: "Dockerfile",
    pattern: new RegExp(`exec node ${OPTIONS}/opt/trivet/trivet\\.js`, "u"),
    text: `exec node ${words} /opt/trivet/trivet.js`,
  },
  {
    path: "Dockerfile",
    pattern: /ENTRYPOINT \["node", (?:"--[^"]+", )+/u,
    text: `ENTRYPOINT ["node", ${nodeOptions.map((option) => `"${option}", `).join("")}`,
  },
  {
    path: "scripts/install.d/trivet.service",
    pattern: new RegExp(`@NODE@ ${OPTIONS}@ROOT@`, "u"),
    text: `@NODE@ ${words} @ROOT@`,
  },
  {
    path: "docs/packages.md",
    pattern: new RegExp(`node ${OPTIONS}trivet\\.js`, "u"),
    text: `node ${words} trivet.js`,
  },
];

const { values } = parseArgs({
  options: { check: { type: "boolean", default: false }, root: { type: "string", default: projectFolder } },
});
for (const { path, pattern, text } of places) {
  const file = join(values.root, path);
  const before = await readFile(file, "utf8");
  if (!pattern.test(before)) throw new Error(`${path} has no place for the options: ${pattern.source}`);
  // By function: `$` in a text would stand for parts of the match.
  const now = before.replace(pattern, () => text);
  if (now === before) continue;
  if (values.check) {
    console.error(`${path} has other options than src/runtime/start-options.ts: npm run start-options`);
    process.exitCode = 1;
  } else await writeFile(file, now);
}
