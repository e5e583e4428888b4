/** Commands of the program: `trivet backup`, `restore`, `check`, `migrate`, `change-key`, `doctor` and `agent`. */
import process from "node:process";
import { textOf } from "../../kit/thrown.ts";
import { type Command, type Environment, ReportedFailure, UsageError } from "./command.ts";

async function follow(command: Command, args: readonly string[], env: Environment): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(command.usage);
    return 0;
  }
  try {
    await command.run(args, env);
    return 0;
  } catch (error) {
    if (error instanceof ReportedFailure) return 1;
    const isUsage = error instanceof UsageError;
    console.error(isUsage ? `${textOf(error)}\n${command.usage}` : `${command.failure}: ${textOf(error)}`);
    return isUsage ? 2 : 1;
  }
}

type Run = (args: readonly string[], env: Environment) => Promise<number>;

/** Loaded on demand. */
const commands: Readonly<Record<string, Run>> = {
  backup: async (...given) => follow((await import("./backup-command.ts")).backupCommand, ...given),
  restore: async (...given) => follow((await import("./restore-command.ts")).restoreCommand, ...given),
  check: async (...given) => follow((await import("./check-command.ts")).checkCommand, ...given),
  migrate: async (...given) => follow((await import("./migrate-command.ts")).migrateCommand, ...given),
  "change-key": async (...given) =>
    follow((await import("./change-key-command.ts")).changeKeyCommand, ...given),
  doctor: async (...given) => (await import("./doctor-command.ts")).runDoctor(...given),
  agent: async (args) => (await import("../../agent/program.ts")).runAgent(args),
};

/** The command that a word names. */
export function findCommand(word: string | undefined): Run | undefined {
  return word !== undefined && Object.hasOwn(commands, word) ? commands[word] : undefined;
}

/** Runs a command; the process ends by itself once its pipes are flushed. */
export async function runCommand(run: Run, args: readonly string[], env: Environment): Promise<void> {
  process.exitCode = await run(args, env);
}
