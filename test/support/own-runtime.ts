/** The runtime that runs the tests, for those that start programs of their own on it. */
import { execFileSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** Whether the tests run under Deno, by what its versions say of themselves. */
export const isDeno: boolean = "deno" in process.versions;

/** What stands before a TypeScript file on the command line of {@link process.execPath}. */
export const runtimeArguments: readonly string[] = isDeno ? ["run", "-A", "--no-check"] : ["--import", "tsx"];

/** How a TypeScript file is run by the Deno of npm, whichever runtime runs the tests; its own pid, no wrapper's. */
export function denoRunner(): [command: string, ...args: string[]] {
  const wrapper = fileURLToPath(new URL("../../node_modules/deno/bin.cjs", import.meta.url));
  const node = isDeno ? "node" : process.execPath;
  const asked = execFileSync(node, [wrapper, "eval", "console.log(Deno.execPath())"], { encoding: "utf8" });
  return [asked.trim(), "run", "-A", "--no-check"];
}
