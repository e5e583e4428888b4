/** A program in one file for a run on Node, as systemd, Docker and `npm start` run one: a start costs little, and no tsx runs. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { type Plugin, build } from "esbuild";
import { projectFolder } from "../support/process.ts";

export interface BundleOptions {
  /** The program's file; that of all services unless set. */
  readonly entry?: string;
  /** Journals are compacted at so many KiB in place of what the source says. */
  readonly compactKib?: number | undefined;
}

const COMPACT_AT = /\bconst COMPACT_AT_BYTES = [^;]+;/u;

/** The source with another limit. @throws Error when it has none */
function compactAt(text: string, kib: number): string {
  if (!COMPACT_AT.test(text)) throw new Error("The journal's store has no COMPACT_AT_BYTES any more");
  return text.replace(COMPACT_AT, `const COMPACT_AT_BYTES = ${kib} * 1024;`);
}

/** `import.meta.url` means the source file. */
const toPlugin = ({ compactKib }: BundleOptions): Plugin => ({
  name: "keep-places",
  setup(target) {
    target.onLoad({ filter: /[/\\](?:src|lab)[/\\].*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const isStore = compactKib !== undefined && path.endsWith("journal-store.ts");
      const text = isStore ? compactAt(source, compactKib) : source;
      const url = JSON.stringify(pathToFileURL(path).href);
      return { contents: text.replaceAll(/\bimport\.meta\.url\b/gu, `(${url})`), loader: "ts" };
    });
  },
});

/** Creates it below node_modules, where packages are found; returns its path. The caller removes it. */
export async function makeBundle(options: BundleOptions = {}): Promise<string> {
  const outfile = join(projectFolder, "node_modules", ".cache", `lab-${process.pid}.mjs`);
  await build({
    absWorkingDir: projectFolder,
    entryPoints: [options.entry ?? "src/main.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "warning",
    plugins: [toPlugin(options)],
  });
  return outfile;
}
