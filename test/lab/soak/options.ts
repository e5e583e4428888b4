/** The command line of the soak. */
import { parseArgs } from "node:util";

export interface SoakSettings {
  readonly minutes: number;
  readonly agents: number;
  readonly viewers: number;
  /** Times the usual rate of shoppers and of people who sign in. */
  readonly people: number;
  /** Three processes, one a service, in place of one. */
  readonly apart: boolean;
  /** The bundle of `npm run build` in place of the one that `npm start` makes. */
  readonly bundle: boolean;
  readonly reportFile: string | undefined;
  /** Where each service writes a CPU profile at its end. */
  readonly profileDir: string | undefined;
  readonly help: boolean;
}

export type ParsedSoak =
  | { readonly ok: true; readonly settings: SoakSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

export const soakHelp = `Runs the three services under the load of a fleet, viewers, shoppers and people who sign in, all at once; beside them a
little of everything else that is kept: pages, OpenID Connect, payment services, jobs, checks and a status page.

  npm run soak -- [--minutes 30]

  --minutes N       1 to 720 (default 30); growth is judged from 20 on
  --agents N        1 to 5000, a report each 3 s (default 1000)
  --viewers N       0 to 2000 (default 50)
  --people X        times the usual rate of people, 0.1 to 20 (default 1)
  --apart           one process for each service
  --bundle          runs dist/trivet.js, which npm run build makes
  --profile DIR     CPU profiles, for Chromium's developer tools
  --report-json F   writes all rows and the verdict
  --help            print this

Ends with 1 when an acknowledged report is lost, a request fails, or memory, files or delays grow.`;

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: false,
    options: {
      minutes: { type: "string", default: "30" },
      agents: { type: "string", default: "1000" },
      viewers: { type: "string", default: "50" },
      people: { type: "string", default: "1" },
      apart: { type: "boolean", default: false },
      bundle: { type: "boolean", default: false },
      profile: { type: "string" },
      "report-json": { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  }).values;
}

/** Reads the command line. */
export function parseSoakSettings(args: readonly string[]): ParsedSoak {
  let values: ReturnType<typeof parse>;
  try {
    values = parse(args);
  } catch (error) {
    const text = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return { ok: false, problems: [`${text}: see --help`] };
  }
  const problems: string[] = [];
  const number = (
    name: "minutes" | "agents" | "viewers" | "people",
    { least, most, form }: { least: number; most: number; form: RegExp },
  ): number => {
    const text = values[name];
    const value = form.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most))
      problems.push(`--${name} takes a number from ${least} to ${most}, not "${text}"`);
    return value;
  };
  const whole = /^\d{1,4}$/u;
  const settings: SoakSettings = {
    minutes: number("minutes", { least: 1, most: 720, form: whole }),
    agents: number("agents", { least: 1, most: 5_000, form: whole }),
    viewers: number("viewers", { least: 0, most: 2_000, form: whole }),
    people: number("people", { least: 0.1, most: 20, form: /^\d{1,2}(?:\.\d{1,2})?$/u }),
    apart: values.apart,
    bundle: values.bundle,
    reportFile: values["report-json"],
    profileDir: values.profile,
    help: values.help,
  };
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings };
}
