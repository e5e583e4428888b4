/**
 * `npm run build:client`: dist/client, the package for own applications: plain JavaScript with types, from the files
 * of src/clients/js, which import nothing else. `npm pack ./dist/client` makes one file of it.
 */
import { cp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript";
import { z } from "zod";
import { projectFolder } from "./process.ts";

const source = join(projectFolder, "src/clients/js");
const { values } = parseArgs({
  options: { into: { type: "string", default: join(projectFolder, "dist/client") } },
});
const { into } = values;

await rm(into, { recursive: true, force: true });
await mkdir(into, { recursive: true });
const files = (await readdir(source)).filter((name) => name.endsWith(".ts"));
const program = ts.createProgram(
  files.map((name) => join(source, name)),
  {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
    types: [],
    strict: true,
    declaration: true,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: true,
    rootDir: source,
    outDir: into,
  },
);
const { diagnostics } = program.emit();
const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
if (problems.length > 0) throw new Error(ts.formatDiagnostics(problems, ts.createCompilerHost({})));

// Deno takes the types of a script from where the script says they are.
for (const name of files.map((each) => each.replace(/\.ts$/u, ".js"))) {
  const text = await readFile(join(into, name), "utf8");
  await writeFile(join(into, name), `// @ts-self-types="./${name.replace(/\.js$/u, ".d.ts")}"\n${text}`);
}
const readManifest = async (folder: string): Promise<Record<string, unknown>> =>
  z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(join(folder, "package.json"), "utf8")));
const { version } = await readManifest(projectFolder);
const { private: _private, ...manifest } = await readManifest(source);
await writeFile(
  join(into, "package.json"),
  `${JSON.stringify({ ...manifest, version, exports: { ".": { types: "./package.d.ts", default: "./package.js" } } }, undefined, 2)}\n`,
);
await cp(join(projectFolder, "LICENSE"), join(into, "LICENSE"));
await cp(join(source, "README.md"), join(into, "README.md"));
console.log(`${into}: ${files.length} scripts with their types`);
