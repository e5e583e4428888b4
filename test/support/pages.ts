/** The pages that services serve: built from src/web where they are missing or older than it. */
import { join } from "node:path";
import process from "node:process";
import { isDeno } from "./own-runtime.ts";
import { projectFolder, runProcess } from "./process.ts";

const BUILD_MS = 120_000;

/** Builds src/web/built when it is not up to date. @throws Error that says why it cannot */
export async function buildPages(): Promise<void> {
  const args = [...(isDeno ? ["run", "-A"] : []), join(projectFolder, "scripts", "pages.js")];
  const { code, output } = await runProcess({ command: process.execPath, args, timeoutMs: BUILD_MS });
  if (code !== 0) throw new Error(output);
}
