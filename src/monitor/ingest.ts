/**
 * What happens to an agent's hello and reports: credentials, storing, and only then the Ack. Hidden
 * here: the order "durable first", deduplication, and what a report changes elsewhere.
 */
import { createSecretCheck, hashSecret } from "../kit/admin-token.ts";
import type { Clock } from "../kit/clock.ts";
import { AppError } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import { addressKey, createRateLimit } from "../kit/rate-limit.ts";
import type { CheckpointEntry, SampleLog } from "../store/samples/samples.ts";
import type { AgentRegistry, Registration } from "./agent-registry.ts";
import type { AgentIngest, AgentSession } from "./agent-session.ts";
import type { Board } from "./board.ts";
import type { Dedupe } from "./dedupe.ts";
import { createDedupe } from "./dedupe.ts";
import type { History } from "./history.ts";
import type { KnownServer } from "./known-server.ts";
import { addRow, createKnownServer, findLatest, parseBlob, toBlob } from "./known-server.ts";
import type { Live } from "./live.ts";
import { parseReport } from "./report.ts";
import type { ReportHost } from "./report-schema.ts";
import type { ServerRecord } from "./schema.ts";
import type { Servers } from "./servers.ts";

const FAILURES = 20;
const FAILURE_WINDOW_MS = 10 * 60_000;
const MAX_HOSTNAME = 255;
/** Compared with when a server is unknown or has no key, so that it takes the same time. */
const NO_KEY = [hashSecret("no key")];
/** Facts of a machine that are kept in its record; others stay in the latest sample only. */
const HOST_FACTS = ["os", "platform", "platformVersion", "kernel", "arch", "virtualization", "cpuModel", "cpuCores", "agentVersion", "bootTimeUnixMs"] as const;

type MachineFacts = Partial<Pick<ServerRecord, "hostname" | "host">>;

export interface IngestCounts {
  readonly stored: number;
  /** Reports that were stored before and acknowledged again. */
  readonly repeated: number;
  readonly rejected: number;
}

export interface Ingest extends AgentIngest {
  readonly counts: IngestCounts;
  /** Brings back what the sample log holds; call it once, before the first agent. */
  restore(): Promise<void>;
  /** What the sample log keeps of each server beyond its rows. */
  checkpoint(): Iterable<CheckpointEntry>;
  /** Forgets a server that was deleted. */
  drop(serverId: string): void;
}

export interface IngestDeps {
  readonly servers: Servers;
  readonly samples: SampleLog;
  readonly live: Live;
  readonly history: History;
  readonly registry: AgentRegistry;
  readonly board: Board;
  readonly clock: Clock;
  readonly log: Log;
}

/** One line without control characters: it is shown to the administrator and written to the log. */
function toHostname(text: string): string {
  return text.replace(/\p{C}/gu, "").slice(0, MAX_HOSTNAME);
}

function toHostFacts(host: ReportHost): Record<string, string | number> {
  const facts: Record<string, string | number> = {};
  for (const name of HOST_FACTS) {
    const value = host[name];
    if (value !== undefined) facts[name] = value;
  }
  return facts;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Checks an agent's credentials; right ones never count against their address. */
function createCredentialCheck(deps: IngestDeps): (hello: {
  serverId: string;
  agentKey: string;
  remoteAddress: string;
}) => Promise<{ record: ServerRecord; keyHash: string }> {
  const { servers, clock } = deps;
  const failures = createRateLimit({ limit: FAILURES, windowMs: FAILURE_WINDOW_MS, clock });
  return async ({ serverId, agentKey, remoteAddress }) => {
    const record = await servers.find(serverId);
    const now = clock.now();
    const hashes = (record?.keys ?? [])
      .filter((key) => key.expiresAt === undefined || key.expiresAt > now)
      .map((key) => key.hash);
    const isRight = createSecretCheck(hashes.length === 0 ? NO_KEY : hashes)(agentKey) && hashes.length > 0;
    if (record !== undefined && isRight) return { record, keyHash: hashSecret(agentKey) };
    const { allowed, retryAfterSeconds } = failures.hit(addressKey(remoteAddress));
    if (!allowed) throw new AppError("rate_limited", "Too many wrong credentials from this address; wait and try again", { retryAfterSeconds });
    throw new AppError("unauthenticated", "The server id or the agent key is wrong");
  };
}

/** Makes the ingest of a monitor. */
export function createIngest(deps: IngestDeps): Ingest {
  const { servers, samples, live, history, registry, board, clock, log } = deps;
  const checkCredentials = createCredentialCheck(deps);
  const arrivals = new Map<string, Dedupe>();
  const waitingFacts = new Map<string, MachineFacts>();
  const counts = { stored: 0, repeated: 0, rejected: 0 };

  /** Keeps facts in the record; what comes while one write runs goes with the next. A failure is only logged. */
  async function noteFacts(id: string, facts: MachineFacts): Promise<void> {
    const isRunning = waitingFacts.has(id);
    waitingFacts.set(id, { ...waitingFacts.get(id), ...facts });
    if (isRunning) return;
    try {
      for (let next = waitingFacts.get(id); next !== undefined && Object.keys(next).length > 0; next = waitingFacts.get(id)) {
        waitingFacts.set(id, {});
        await servers.noteFacts(id, next);
      }
    } catch (error) {
      log.warn("The facts of a machine could not be kept", { server: id, error });
    } finally {
      waitingFacts.delete(id);
    }
  }

  function noteHost(id: string, host: ReportHost | undefined): void {
    if (host === undefined) return;
    const facts = toHostFacts(host);
    if (!isSame(board.findRecord(id)?.host, facts)) void noteFacts(id, { host: facts });
  }

  function findArrivals(serverId: string): Dedupe {
    const known = arrivals.get(serverId);
    if (known !== undefined) return known;
    const made = createDedupe();
    arrivals.set(serverId, made);
    return made;
  }

  async function report(
    serverId: string,
    input: { payloadJson: string; collectedAt: number },
  ): Promise<{ accepted: boolean; ack: string }> {
    const { payloadJson, collectedAt } = input;
    const receivedAt = clock.now();
    const parsed = parseReport(payloadJson, { collectedAt, now: receivedAt });
    live.heard(serverId);
    if (!parsed.ok) {
      counts.rejected += 1;
      return { accepted: false, ack: `rejected ${parsed.reason}` };
    }
    const ack = `metrics ${collectedAt}`;
    const seen = findArrivals(serverId);
    const claim = seen.claim(collectedAt);
    if (claim !== "new") {
      if (claim !== "stored") await claim;
      counts.repeated += 1;
      return { accepted: true, ack };
    }
    const durable = samples.append({ key: serverId, at: collectedAt, receivedAt, values: parsed.row });
    seen.record(collectedAt, durable);
    await durable;
    counts.stored += 1;
    // A server that was deleted meanwhile must not come back to life in memory.
    if (arrivals.get(serverId) !== seen) return { accepted: true, ack };
    history.insert(serverId, collectedAt, parsed.row);
    live.reported(serverId, { collectedAt, receivedAt, sample: parsed.sample, flags: parsed.flags });
    noteHost(serverId, parsed.report?.host);
    return { accepted: true, ack };
  }

  function toSession(registration: Registration): AgentSession {
    const { serverId } = registration;
    return {
      serverId,
      report: (payloadJson, collectedAt) => report(serverId, { payloadJson, collectedAt }),
      heartbeat: () => live.heard(serverId),
      ended: registration.ended,
      close: () => registration.close(),
    };
  }

  return {
    get counts() {
      return { ...counts };
    },
    open: async (hello) => {
      const { record, keyHash } = await checkCredentials(hello);
      if (record.disabled) throw new AppError("forbidden", "The server is disabled by the administrator");
      const registration = registry.open(record.id, keyHash);
      findArrivals(record.id);
      const hostname = toHostname(hello.hostname);
      if (hostname !== record.hostname) void noteFacts(record.id, { hostname });
      return toSession(registration);
    },
    restore: async () => {
      const known = new Map<string, KnownServer>();
      const isWatched = (id: string): boolean => board.findRecord(id) !== undefined;
      const summary = await samples.replay({
        onCheckpoint: ({ key, blob }) => {
          if (isWatched(key)) known.set(key, parseBlob(blob));
        },
        onRow: (row) => {
          if (!isWatched(row.key)) return;
          const server = known.get(row.key) ?? createKnownServer();
          known.set(row.key, server);
          addRow(server, row);
          history.insert(row.key, row.at, Array.from(row.values));
        },
      });
      for (const [id, server] of known) {
        arrivals.set(id, server.dedupe);
        const { lastSeenAt, reportsStored, stateSince } = server.facts;
        const latest = findLatest(server);
        live.restore(id, {
          lastSeenAt,
          reportsStored,
          ...(stateSince === undefined ? {} : { stateSince }),
          ...(latest === undefined ? {} : { latest }),
        });
      }
      log.info("Brought back from the sample log", { ...summary, servers: known.size });
    },
    checkpoint: function* checkpoint() {
      for (const [key, dedupe] of arrivals) yield { key, blob: toBlob(dedupe, live.get(key)) };
    },
    drop: (serverId) => {
      arrivals.delete(serverId);
    },
  };
}
