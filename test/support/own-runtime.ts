/** The runtime that runs the tests, for those that start programs of their own on it. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** Whether the tests run under Deno, by what its versions say of themselves. */
export const isDeno: boolean = "deno" in process.versions;

/** The arguments before a TypeScript file on the command line of {@link process.execPath}. */
export const runtimeArguments: readonly string[] = isDeno ? ["run", "-A", "--no-check"] : ["--import", "tsx"];

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The arguments of {@link process.execPath} that run the TypeScript file at `path`, absolute or from the project's
 * folder. On Node that is its bundle, where test/runner/main.ts has made one.
 */
export function toRunArguments(path: string): readonly string[] {
  const bundles = process.env["TEST_PROGRAMS"] ?? "";
  const bundle = join(bundles, relative(root, resolve(root, path))).replace(/\.ts$/u, ".mjs");
  if (!isDeno && bundles !== "" && existsSync(bundle)) return ["--enable-source-maps", bundle];
  return [...runtimeArguments, path];
}

/** How a TypeScript file is run by Deno: the one that runs the tests, or npm's; its own pid, no wrapper's. */
export function denoRunner(): [command: string, ...args: string[]] {
  if (isDeno) return [process.execPath, ...runtimeArguments];
  const wrapper = fileURLToPath(new URL("../../node_modules/deno/bin.cjs", import.meta.url));
  const asked = execFileSync(process.execPath, [wrapper, "eval", "console.log(Deno.execPath())"], {
    encoding: "utf8",
  });
  return [asked.trim(), "run", "-A", "--no-check"];
}
