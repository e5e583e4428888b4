/** `trivet doctor`: checks an install and says what to do about what it finds. */
import { isService, serviceNames } from "../../kit/services.ts";
import { readFile } from "node:fs/promises";
import { type Config, ConfigError, loadConfig } from "../../config.ts";
import { fetchLocal } from "../../kit/outbound/unix-socket.ts";
import { textOf } from "../../kit/thrown.ts";
import { examine, toVerdict } from "../doctor/doctor.ts";
import { parseEnvironmentFile } from "../doctor/environment-file.ts";
import type { Finding } from "../doctor/finding.ts";
import { readObserved } from "../observed.ts";
import { type Environment, UsageError, readArguments } from "./command.ts";

const usage = `Usage: trivet doctor [SERVICE …] [--env FILE] [--running] [--json]      (in a clone: npm run doctor -- …)
  SERVICE    monitor, auth or shop: the services of this machine (default: all)
  --env      a settings file, such as /etc/trivet/trivet.env, which takes precedence over the shell's variables
  --running  reports services that are not running as a problem
  --json     prints the findings as JSON
The command changes nothing, and works whether the services run or not. Exit code: 1 if it finds a problem.`;

const marks = { ok: "ok      ", warning: "warning ", problem: "PROBLEM " } as const;

function print(findings: readonly Finding[]): void {
  const width = Math.max(...findings.map(({ check }) => check.length));
  for (const { check, level, message, advice } of findings) {
    console.log(`${marks[level]}${check.padEnd(width)}  ${message}`);
    if (advice !== undefined) console.log(`${" ".repeat(marks[level].length + width)}  → ${advice}`);
  }
  const count = (level: Finding["level"]): number => findings.filter((each) => each.level === level).length;
  console.log(`\n${count("ok")} ok, ${count("warning")} warnings, ${count("problem")} problems`);
}

/** An unreadable configuration is a finding like others: nothing else can be checked then. */
function readConfig(variables: Environment["variables"]): Config | readonly Finding[] {
  try {
    return loadConfig(variables);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((message) => ({
      check: "settings",
      level: "problem",
      message,
      advice: "See docs/configuration.md",
    }));
  }
}

function parseWishes(args: readonly string[]) {
  const { values, positionals } = readArguments(args, {
    env: { type: "string" },
    running: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  });
  const services = positionals.filter(isService);
  const unknown = positionals.find((word) => !isService(word));
  if (unknown !== undefined) throw new UsageError(`Unknown service "${unknown}"`);
  return { ...values, services: services.length === 0 ? [...serviceNames] : services };
}

async function diagnose(args: readonly string[], env: Environment): Promise<number> {
  const { env: file, running, json, services } = parseWishes(args);
  const fromFile = file === undefined ? {} : parseEnvironmentFile(await readFile(file, "utf8"));
  const config = readConfig({ ...env.variables, ...fromFile });
  const findings =
    "dataDir" in config
      ? await examine({
          config,
          services,
          mustRun: running,
          observe: (service) => readObserved(config.dataDir, service),
          fetch: fetchLocal,
          now: () => Date.now(),
        })
      : config;
  if (json) console.log(JSON.stringify({ verdict: toVerdict(findings), findings }, null, 2));
  else print(findings);
  return toVerdict(findings) === "problem" ? 1 : 0;
}

export async function runDoctor(args: readonly string[], env: Environment): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(usage);
    return 0;
  }
  try {
    return await diagnose(args, env);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    console.error(isUsage ? `${textOf(error)}\n${usage}` : `The check failed: ${textOf(error)}`);
    return isUsage ? 2 : 1;
  }
}
