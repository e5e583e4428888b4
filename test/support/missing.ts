/** Programs that npm does not bring: where one is, and what a test that is skipped without it says. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { isDeno } from "./own-runtime.ts";

/** Where the program is, in PATH or in `folders`; undefined when this machine has none. */
export function findProgram(name: string, folders: readonly string[] = []): string | undefined {
  return (
    [...(process.env["PATH"] ?? "").split(delimiter), ...folders]
      // There Deno keeps what it passes off as Node.
      .filter((folder) => folder !== "" && !folder.endsWith("node_compat_bin"))
      .map((folder) => join(folder, name))
      .find((path) => {
        try {
          accessSync(path, constants.X_OK);
          return true;
        } catch {
          return false;
        }
      })
  );
}

/** Returns the reason for `skip`, and tells it to test/runner/main.ts: Deno's report holds no reasons. */
export function tellSkipped(reason: string): string {
  console.log(`\nSkipped: ${reason}`);
  return reason;
}

/**
 * A proxy of the distribution's packages for a test, with what to give as `skip`; with REQUIRE_PROXIES=1, as in CI, the
 * test runs, and fails without it.
 */
export function findProxy(name: "nginx" | "caddy"): { program: string; skip: string | false } {
  const program = findProgram(name, ["/usr/sbin"]) ?? "";
  const isMissing = program === "" && process.env["REQUIRE_PROXIES"] !== "1";
  return { program, skip: isMissing && tellSkipped(`${name} is not in PATH`) };
}

/** What to give as `skip` to a test that rests on Node, which is on every machine that tests under Node. */
export function skipWithoutNode(): string | false {
  if (!isDeno || findProgram("node") !== undefined) return false;
  return tellSkipped("Node is not in PATH (https://nodejs.org)");
}
