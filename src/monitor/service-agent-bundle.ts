/** The agent as one file of JavaScript, made from its sources where this program runs from sources. */
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

// In pieces, because a bundle of this program replaces the whole word.
const ownUrl = ["import", "meta", "url"].join(".");
const banner = `const bundleUrl = require("node:url").pathToFileURL(__filename).href;`;

/** zod's error texts in fifty languages, none of which is used: a third of a megabyte. */
const withoutTranslations: Plugin = {
  name: "without-translations",
  setup(build) {
    build.onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.[cm]?js$/ }, () => ({
      contents: `export { default as en } from "./en.js";`,
    }));
  },
};

/**
 * Bundles the agent as CommonJS, which single executables need, and which takes 6 MB less memory than an ES module.
 * @throws Error where esbuild is not installed, as beside a bundle of the monitor
 */
export async function bundleAgent(): Promise<Uint8Array<ArrayBuffer>> {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../agent/main.ts", import.meta.url))],
    bundle: true,
    write: false,
    minify: true,
    platform: "node",
    format: "cjs",
    target: "node20.19",
    legalComments: "none",
    logLevel: "silent",
    banner: { js: banner },
    define: { [ownUrl]: "bundleUrl" },
    plugins: [withoutTranslations],
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error("esbuild returned no file");
  return new Uint8Array(file.contents);
}
