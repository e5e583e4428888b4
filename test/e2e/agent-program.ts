/** The agent as a program of its own, started with the line that administration shows. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { toRunArguments } from "../support/own-runtime.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const START = "npm run agent -- ";

/** Runs a line such as "npm run agent -- --enrol … --url …"; resolves with how to end it. */
export function runAgentLine(line: string, folder: string): { stop(): Promise<void> } {
  if (!line.startsWith(START)) throw new Error(`"${line}" does not begin with "${START}"`);
  const child = spawn(
    process.execPath,
    [...toRunArguments("src/agent/main.ts"), ...line.slice(START.length).split(" ")],
    {
      cwd: root,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: folder,
        TRIVET_DATA: join(folder, "agent"),
      },
      stdio: "ignore",
    },
  );
  const ended = once(child, "close");
  return {
    async stop() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
