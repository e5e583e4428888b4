/** The agent as one file of JavaScript, made from its sources where this program runs from sources. */
import { fileURLToPath } from "node:url";

// In pieces, because a bundle of this program replaces the whole word.
const ownUrl = ["import", "meta", "url"].join(".");
// CommonJS packages in an ES module ask for it.
const moduleBanner = `import { createRequire as bundleRequire } from "node:module";
const require = bundleRequire(${ownUrl});`;
const commonBanner = `const bundleUrl = require("node:url").pathToFileURL(process.execPath).href;`;

/**
 * Bundles the agent: "esm" for `node agent.js`, "cjs" for a single executable.
 * @throws Error where esbuild is not installed, as beside a bundle of the monitor
 */
export async function bundleAgent(format: "esm" | "cjs"): Promise<Uint8Array<ArrayBuffer>> {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../agent/main.ts", import.meta.url))],
    bundle: true,
    write: false,
    minify: true,
    platform: "node",
    format,
    target: "node20.19",
    legalComments: "none",
    logLevel: "silent",
    banner: { js: format === "esm" ? moduleBanner : commonBanner },
    ...(format === "esm" ? {} : { define: { [ownUrl]: "bundleUrl" } }),
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error("esbuild made no file");
  return new Uint8Array(file.contents);
}
