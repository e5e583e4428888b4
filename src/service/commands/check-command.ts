/** `trivet check`: whether everything that is stored is what was written, and agrees with itself. */
import { resolve } from "node:path";
import { type Command, type Environment, ReportedFailure, UsageError, readArguments } from "./command.ts";
import type { CheckReport, Finding } from "../check/finding.ts";
import { checkFolder, readSecrets } from "../check/folder-check.ts";

const isDatabase = (text: string): boolean => /^postgres(?:ql)?:\/\//u.test(text);

const usage = `Usage: trivet check [PLACE …] [--database] [--json]      (in a clone: npm run check-data -- …)
  PLACE       a data folder, a backup, or a database such as postgres://user:password@host/trivet
              (default: DATA_DIR, otherwise data; also the database of DATABASE_URL, if set)
  --database  only the database of DATABASE_URL
  --json      prints the report as JSON
Verifies checksums, references, schemas, books, stock, invoice numbers and the audit log. The services can keep
running. The command changes nothing, and copies the records to the temporary folder (TMPDIR) while it reads them.
Exit code: 0 without errors, 1 with errors, 2 for invalid options.`;

function toPlaces(
  { positionals, isDatabaseOnly }: { positionals: readonly string[]; isDatabaseOnly: boolean },
  { DATA_DIR = "data", variables }: Environment,
): string[] {
  const url = variables["DATABASE_URL"] || undefined;
  if (isDatabaseOnly && url === undefined)
    throw new UsageError("DATABASE_URL is not set. Specify the database");
  if (isDatabaseOnly && positionals.length > 0)
    throw new UsageError("Specify either places or --database, not both");
  if (positionals.length > 0) return [...positionals];
  return [...(isDatabaseOnly ? [] : [DATA_DIR]), ...(url === undefined ? [] : [url])];
}

async function checkPlace(
  place: string,
  { DATA_DIR = "data", variables }: Environment,
): Promise<CheckReport> {
  const given = {
    monitor: variables["MONITOR_SECRET"] || undefined,
    auth: variables["AUTH_SECRET"] || undefined,
    shop: variables["SHOP_SECRET"] || undefined,
  };
  if (!isDatabase(place)) return checkFolder(resolve(place), given);
  // The driver is loaded only where there is a database, whose sealing keys lie in the data folder unless they are given.
  const { checkDatabase } = await import("../check/database-check.ts");
  return checkDatabase(place, await readSecrets(resolve(DATA_DIR), given));
}

function describeFinding({ level, where, problem, remedy }: Finding): string {
  return `  ${level}: ${where}: ${problem}\n    To do: ${remedy}`;
}

function describe({ place, findings, checked }: CheckReport): string {
  const counts = checked.filter(({ count }) => count > 0).map(({ what, count }) => `${count} ${what}`);
  const errors = findings.filter(({ level }) => level === "error").length;
  const verdict = errors > 0 ? `${errors === 1 ? "1 error" : `${errors} errors`} found` : "No errors found";
  return [
    `Checked ${place}: ${counts.join(", ") || "no records"}`,
    ...findings.map(describeFinding),
    verdict,
  ].join("\n");
}

export const checkCommand: Command = {
  usage,
  failure: "The check could not run",
  async run(args, env) {
    const { values, positionals } = readArguments(args, {
      database: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    });
    const places = toPlaces({ positionals, isDatabaseOnly: values.database }, env);
    const reports: CheckReport[] = [];
    for (const place of places) reports.push(await checkPlace(place, env));
    if (values.json) console.log(JSON.stringify(reports, null, 2));
    else for (const report of reports) console.log(describe(report));
    const isWrong = reports.some(({ findings }) => findings.some(({ level }) => level === "error"));
    if (isWrong) throw new ReportedFailure();
  },
};
