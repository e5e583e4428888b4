/** Parts of a command: its usage, its arguments, its errors. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { textOf } from "../../kit/thrown.ts";

/** One command: its usage, what a failure begins with, and what it does with its arguments. */
export interface Command {
  readonly usage: string;
  readonly failure: string;
  /** @throws UsageError for requests that are impossible; Error when the command failed */
  run(args: readonly string[], env: Environment): Promise<void>;
}

/** The variables that commands look at; an empty one is absent. */
export interface Environment {
  readonly DATA_DIR?: string | undefined;
  readonly BACKUP_DIR?: string | undefined;
  /** Those of the whole configuration. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** The command failed and has said why. */
export class ReportedFailure extends Error {}

/** The request is impossible: the usage is shown. */
export class UsageError extends Error {}

/** Reads options and words. @throws UsageError for unknown ones */
export function readArguments<T extends NonNullable<ParseArgsConfig["options"]>>(
  args: readonly string[],
  options: T,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(textOf(error), { cause: error });
  }
}
