/** The runtime that runs the tests, for those that start programs of their own on it. */
import process from "node:process";

/** Whether the tests run under Deno, by what its versions say of themselves. */
export const isDeno: boolean = "deno" in process.versions;

/** What stands before a TypeScript file on the command line of {@link process.execPath}. */
export const runtimeArguments: readonly string[] = isDeno ? ["run", "-A", "--no-check"] : ["--import", "tsx"];
