/**
 * The program in one file for a run on Node, so that a start costs little: what systemd and Docker run is a bundle
 * too.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { type Plugin, build } from "esbuild";
import { projectFolder } from "../../support/process.ts";

/** `import.meta.url` means the source file. */
const keepPlaces: Plugin = {
  name: "keep-places",
  setup(target) {
    target.onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const url = JSON.stringify(pathToFileURL(path).href);
      return { contents: text.replaceAll(/\bimport\.meta\.url\b/gu, `(${url})`), loader: "ts" };
    });
  },
};

/** Makes it below node_modules, where packages are found; gives its path. Whoever asked for it removes it. */
export async function makeBundle(): Promise<string> {
  const outfile = join(projectFolder, "node_modules", ".cache", `chaos-${process.pid}.mjs`);
  await build({
    absWorkingDir: projectFolder,
    entryPoints: ["src/main.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "warning",
    plugins: [keepPlaces],
  });
  return outfile;
}
