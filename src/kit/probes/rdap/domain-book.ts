/**
 * Judges when domains expire. Registries limit queries, so an answer counts for six hours, and the last known date while
 * a registry gives none.
 */
import { getDomain } from "tldts";
import type { DomainTarget, ProbeContext, ProbeResult } from "../probe.ts";
import { runTry, type Try } from "../try.ts";
import { RegistryError, type Registration, readDomain } from "./read-domain.ts";
import { PUBLISHED, SERVERS } from "./servers.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FRESH_MS = 6 * HOUR_MS;
/** After a failure that names no time. */
const RETRY_MS = 15 * 60_000;
const MAX_WAIT_MS = DAY_MS;
/** How long a date counts that the registry no longer confirms. */
const STALE_MS = 7 * DAY_MS;
const MAX_DOMAINS = 10_000;

/** What is known of a domain; times are monotonic. */
interface Known {
  readonly registration: Registration | undefined;
  readonly readMs: number;
}

interface Entry {
  known: Known | undefined;
  /** Why the last query failed; undefined: it did not. */
  problem: string | undefined;
  /** When the next query may run. */
  nextMs: number;
  asking: Promise<void> | undefined;
}

/** A status in which the domain does not work, or not for long. */
const lost: Readonly<Record<string, string>> = {
  "pending delete": "will be deleted",
  "redemption period": "was deleted and can only be restored for a short time",
  "client hold": "is suspended by its registrar (client hold)",
  "server hold": "is suspended by its registry (server hold)",
};

let servers: ReadonlyMap<string, string> | undefined;

function listServers(): ReadonlyMap<string, string> {
  servers ??= new Map(
    SERVERS.trim()
      .split(/ \|\s/u)
      .flatMap((row) => {
        const [url = "", ...names] = row.split(" ");
        return names.map((name) => [name, url] as const);
      }),
  );
  return servers;
}

function toDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function toResult(
  domain: string,
  { registration }: Known,
  { days, now }: { days: number; now: number },
): ProbeResult {
  const fault = "domain_ends";
  if (registration === undefined) return { fault, detail: `"${domain}" is not registered` };
  const { expiresAt, statuses } = registration;
  const state = Object.keys(lost).find((status) => statuses.includes(status));
  const seen = expiresAt === undefined ? {} : { registration: { domain, expiresAt } };
  if (state !== undefined) return { ...seen, fault, detail: `"${domain}" ${lost[state]}` };
  if (expiresAt === undefined)
    return { fault: "not_judged", detail: `The registry does not say when "${domain}" expires` };
  if (expiresAt <= now) return { ...seen, fault, detail: `"${domain}" expired on ${toDate(expiresAt)}` };
  const left = Math.floor((expiresAt - now) / DAY_MS);
  const detail = `"${domain}" expires on ${toDate(expiresAt)}, in ${left} ${left === 1 ? "day" : "days"}`;
  return expiresAt - now < days * DAY_MS ? { ...seen, fault, detail } : { ...seen, detail };
}

export class DomainBook {
  readonly #entries = new Map<string, Entry>();
  /** Until when hosts want no queries, monotonic. */
  readonly #hosts = new Map<string, number>();

  /** One check run. Never rejects. */
  probe(target: DomainTarget, context: ProbeContext): Promise<ProbeResult> {
    return runTry(context, (run) => this.#look(run, target));
  }

  async #look(run: Try, { domain: given, server: own, days }: DomainTarget): Promise<ProbeResult> {
    // The URL parser writes names in other scripts as registries do (RFC 5891).
    const domain = getDomain(new URL(`http://${given}/`).hostname, { allowPrivateDomains: false });
    if (domain === null)
      return { fault: "not_judged", detail: `"${given}" is not a domain that can be registered` };
    const tld = domain.slice(domain.lastIndexOf(".") + 1);
    const server = own === "" ? listServers().get(tld) : own;
    if (server === undefined)
      return {
        fault: "not_judged",
        detail: `No RDAP server of ".${tld}" is known (IANA, ${PUBLISHED}): set the RDAP server of the registry`,
      };
    const entry = this.#find(`${server} ${domain}`);
    await this.#refresh(run, { entry, server, domain });
    const nowMs = run.context.clock.monotonic();
    const { known, problem } = entry;
    if (known === undefined || nowMs - known.readMs > STALE_MS)
      return { fault: "not_judged", detail: problem ?? "The registry gave no answer" };
    const result = toResult(domain, known, { days, now: run.context.clock.now() });
    if (problem === undefined) return result;
    return {
      ...result,
      detail: `${result.detail}. As of ${Math.round((nowMs - known.readMs) / HOUR_MS)} hours ago: ${problem}`,
    };
  }

  #find(key: string): Entry {
    const found = this.#entries.get(key) ?? {
      known: undefined,
      problem: undefined,
      nextMs: -Infinity,
      asking: undefined,
    };
    this.#entries.delete(key);
    this.#entries.set(key, found);
    const oldest = this.#entries.keys().next().value;
    if (this.#entries.size > MAX_DOMAINS && oldest !== undefined) this.#entries.delete(oldest);
    return found;
  }

  async #refresh(run: Try, asked: { entry: Entry; server: string; domain: string }): Promise<void> {
    const { entry } = asked;
    const nowMs = run.context.clock.monotonic();
    if (entry.asking !== undefined) return entry.asking;
    if (nowMs < entry.nextMs) return;
    const waitUntil = this.#hosts.get(new URL(asked.server).host) ?? -Infinity;
    if (nowMs < waitUntil) {
      entry.problem = "The registry limits queries";
      return;
    }
    entry.asking = this.#ask(run, asked);
    try {
      await entry.asking;
    } finally {
      entry.asking = undefined;
    }
  }

  async #ask(
    run: Try,
    { entry, server, domain }: { entry: Entry; server: string; domain: string },
  ): Promise<void> {
    const { clock } = run.context;
    try {
      const registration = await readDomain(run, { server, domain });
      entry.known = { registration, readMs: clock.monotonic() };
      entry.problem = undefined;
      entry.nextMs = clock.monotonic() + FRESH_MS;
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error;
      const waitMs = Math.min(MAX_WAIT_MS, Math.max(RETRY_MS, error.waitMs));
      entry.problem = error.message;
      entry.nextMs = clock.monotonic() + waitMs;
      if (error.waitMs > 0) this.#hosts.set(new URL(server).host, entry.nextMs);
    }
  }
}
