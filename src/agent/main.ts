/** Entry of the agent where it is a program of its own; `trivet agent` starts the same. */
import process from "node:process";
import { runAgent } from "./program.ts";

const EXIT_MS = 2_000;

// Not process.exit: the pipes still have to be flushed. No await here: single executables are CommonJS.
void runAgent(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
  // A file system that never answers holds a thread that no exit can join.
  setTimeout(() => process.kill(process.pid, "SIGKILL"), EXIT_MS).unref();
});
