/**
 * Checks once a day at the configured URL for a newer version. Without a URL, no request is sent, and
 * nothing is sent that says who asks: no version, no cookie, no number of the install.
 */
import { z } from "zod";
import type { Log } from "../kit/observe/log.ts";
import { type Outbound, type OutboundOutcome, createOutbound } from "../kit/outbound/outbound.ts";
import { textOf } from "../kit/thrown.ts";

const HOUR_MS = 3_600_000;

/** Longest wait for the first question after a start: many that start at once do not ask at once. */
const FIRST_MS = HOUR_MS;

const versionPattern = /^v?(\d{1,5})\.(\d{1,5})\.(\d{1,5})$/u;
const versionSchema = z.string().regex(versionPattern);

/** A file of one's own, or what GitHub, Gitea and Forgejo answer for the latest release. */
const answerSchema = z.union([
  z.object({ version: versionSchema }).transform(({ version }) => version),
  z.object({ tag_name: versionSchema }).transform((release) => release.tag_name),
]);

type Version = readonly number[];

function parseVersion(text: string): Version {
  return (versionPattern.exec(text) ?? []).slice(1).map(Number);
}

function isNewer(version: Version, than: Version): boolean {
  const at = version.findIndex((part, index) => part !== than[index]);
  return at !== -1 && (version[at] ?? 0) > (than[at] ?? 0);
}

export interface UpdatesOptions {
  readonly address: string;
  /** That of this program. */
  readonly version: string;
  readonly log: Log;
  /** From 0 up to, not including, 1. */
  readonly random?: () => number;
  /** For tests: how names are looked up. */
  readonly lookup?: (name: string) => Promise<readonly string[]>;
}

export type Updates = ReturnType<typeof createUpdates>;

/** The owner's own address may be in a private network; where an answer leads from there may not. */
function createAsk(address: string, lookup: UpdatesOptions["lookup"]): () => Promise<OutboundOutcome> {
  const common = {
    userAgent: "Trivet",
    privateRemedy: "UPDATE_CHECK does not follow redirects to private addresses",
    lookup,
  };
  const open = createOutbound({ ...common, allowPrivate: true });
  const strict = createOutbound({ ...common, allowPrivate: false });
  const ask = (sender: Outbound, followRedirects: boolean): Promise<OutboundOutcome> =>
    sender.send({ method: "GET", url: address, followRedirects });
  return async () => {
    const outcome = await ask(open, false);
    const isLedOn = outcome.kind === "answered" && outcome.redirectsTo !== undefined;
    return isLedOn ? ask(strict, true) : outcome;
  };
}

/** Creates it; it asks when `check` is called. */
export function createUpdates({ address, version, log, random = Math.random, lookup }: UpdatesOptions) {
  const ask = createAsk(address, lookup);
  let isFirst = true;
  let newer: string | undefined;

  function take(outcome: OutboundOutcome): void {
    if (outcome.kind !== "answered") throw new Error(outcome.reason);
    if (outcome.status !== 200) throw new Error(`The answer is ${outcome.status}`);
    const found = parseVersion(answerSchema.parse(JSON.parse(outcome.text)));
    const before = newer;
    newer = isNewer(found, parseVersion(version)) ? found.join(".") : undefined;
    if (newer !== undefined && newer !== before)
      log.info(`Version ${newer} is available`, { version, latest: newer });
  }

  return {
    /** The version that is out and newer than this one, as far as is known. */
    newer: (): string | undefined => newer,
    /** How long to wait before the next question, in milliseconds. */
    everyMs: (): number => {
      const waitMs = isFirst ? Math.round(random() * FIRST_MS) : 24 * HOUR_MS;
      isFirst = false;
      return waitMs;
    },
    /** Runs the check. Never rejects: a failure changes nothing and is logged at debug level only. */
    check: async (): Promise<void> => {
      try {
        take(await ask());
      } catch (error) {
        log.debug("The update check failed", { reason: textOf(error) });
      }
    },
  };
}
