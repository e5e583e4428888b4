/** Child processes for the scripts. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The folder of package.json. */
export const projectFolder: string = fileURLToPath(new URL("..", import.meta.url));

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface ProcessResult {
  /** Undefined when a signal ended it or it could not start. */
  readonly code: number | undefined;
  /** What it wrote, errors last. */
  readonly output: string;
}

/** Runs Node with `args` to its end, and kills it after `timeoutMs`. Never rejects. */
export function runNode(
  args: readonly string[],
  options: { cwd: string; timeoutMs: number },
): Promise<ProcessResult> {
  return runProgram(process.execPath, args, options);
}

/** Builds src/web/built when it is not up to date. @throws Error that says why it cannot */
export async function buildPages(): Promise<void> {
  const { code, output } = await runNode(["scripts/pages.js"], { cwd: projectFolder, timeoutMs: 120_000 });
  if (code !== 0) throw new Error(output);
}

/** Builds src/web/built-docs. @throws Error that says why it cannot */
export async function buildDocumentation(): Promise<void> {
  const args = ["--import", "tsx", "scripts/docs.ts"];
  const { code, output } = await runNode(args, { cwd: projectFolder, timeoutMs: 120_000 });
  if (code !== 0) throw new Error(output);
}

/** Runs a program to its end, and kills it after `timeoutMs`. Never rejects. */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, timeoutMs }: { cwd: string; timeoutMs: number },
): Promise<ProcessResult> {
  const env = { ...process.env, NO_COLOR: "1" };
  const options = {
    cwd,
    env,
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: MAX_OUTPUT_BYTES,
  } as const;
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      const output = `${stdout}${stderr}${typeof code === "number" ? "" : (error?.message ?? "")}`;
      resolve({ code: typeof code === "number" ? code : undefined, output });
    });
  });
}
