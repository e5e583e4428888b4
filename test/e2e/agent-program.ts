/** The agent as the monitor hands it out, started with the lines that administration shows. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";

/** Runs the lines "curl -fsSLO URL/download/agent.js" and "node agent.js …"; resolves with how to end it. */
export async function runAgentLines(lines: string, folder: string): Promise<{ stop(): Promise<void> }> {
  const source = /^curl -fsSLO (\S+\/agent\.js) &&$/mu.exec(lines)?.[1];
  const args = /^ *node agent\.js (.+)$/mu.exec(lines)?.[1];
  if (source === undefined || args === undefined) throw new Error(`"${lines}" loads and starts no agent`);
  const path = join(folder, "agent.js");
  await writeFile(path, await (await fetch(source)).text());
  const child = spawn(process.execPath, [path, ...args.split(" ")], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, TRIVET_DATA: join(folder, "agent") },
    stdio: "ignore",
  });
  const ended = once(child, "close");
  return {
    async stop() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
