/** Handles an agent's hello and reports: credentials, storing, and only then the Ack. */
import { createSecretCheck, hashSecret } from "../../kit/secrets/admin-token.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { AppError } from "../../kit/errors.ts";
import type { Log } from "../../kit/observe/log.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import type { LimitSource } from "../../bus/shared-limit.ts";
import type { CheckpointEntry, SampleLog } from "../../store/series/samples/samples.ts";
import type { AgentRegistry, StreamClaim } from "./agent-registry.ts";
import type { AgentHello, AgentIngest, AgentSession, ReportOutcome } from "./agent-session.ts";
import type { PublicSnapshot } from "../fleet/snapshot.ts";
import type { Usage } from "../usage/usage.ts";
import { type Dedupe, createDedupe } from "./dedupe.ts";
import type { AskedServer, Handover } from "./handover.ts";
import type { History } from "../history/history.ts";
import {
  type KnownServer,
  addRow,
  createKnownServer,
  findLatest,
  parseBlob,
  toBlob,
} from "./known-server.ts";
import { toLatestSample } from "./latest-sample.ts";
import type { LatestSample, Live } from "../fleet/live.ts";
import { type MachineFacts, createMachineFacts } from "./machine-facts.ts";
import type { MetricRow } from "../base/metrics.ts";
import { GrpcError, grpcStatus } from "../../runtime/runtime.ts";
import type { PartReading } from "../base/part-metrics.ts";
import type { Report, ReportHost } from "../base/report-schema.ts";
import { parseReport } from "./report.ts";
import { toSentLists } from "./sent-lists.ts";
import type { ServerRecord } from "../base/schema.ts";
import { createOwnerFinder, toKey } from "../base/server-key.ts";
import type { Servers } from "../fleet/servers.ts";

const FAILURES = 20;
const FAILURE_WINDOW_MS = 10 * 60_000;
/** Compared with when a server is unknown or has no key, so that it takes the same time. */
const NO_KEY = [hashSecret("no key")];

/** Twice what our agent has on its way at once. */
const HANDED_OVER = 128;

/** A stream, as long as no other node took the agent over. */
interface OpenStream {
  readonly serverId: string;
  /** Of the claim: higher than that of any stream before. */
  readonly n: number;
  /** Names the server in the sample log. */
  readonly key: string;
  isGivenUp: boolean;
}

/** A report that waits for the disk. */
interface PendingReport {
  readonly serverId: string;
  readonly arrivals: Dedupe;
  readonly row: MetricRow;
  readonly latest: LatestSample;
  readonly host: ReportHost | undefined;
  readonly parts: readonly PartReading[] | undefined;
  readonly outcome: ReportOutcome;
}

export interface IngestCounts {
  readonly stored: number;
  /** Reports that were stored before and acknowledged again. */
  readonly repeated: number;
  readonly rejected: number;
}

/** Receives results of checks from machines. */
export interface PlaceReports {
  /** Called once for each report that is new; resolves when its results are durable, and is undefined without any. */
  take(report: {
    readonly serverId: string;
    readonly sample: Readonly<Record<string, unknown>>;
    /** Epoch milliseconds. */
    readonly receivedAt: number;
  }): Promise<void> | undefined;
}

/** Processes reports about parts of machines. */
export interface PartIntake {
  open(server: { readonly id: string; readonly createdAt: number }): Promise<void>;
  /** Part readings of a report; undefined if they need not be stored. */
  read(serverId: string, report: Report, at: number): readonly PartReading[] | undefined;
  /** Keeps it, once the report is stored. */
  insert(serverId: string, readings: readonly PartReading[], at: number): void;
}

export interface IngestDeps {
  readonly servers: Servers;
  readonly samples: SampleLog;
  readonly live: Live;
  readonly history: History;
  readonly usage: Usage;
  readonly registry: AgentRegistry;
  readonly publicSnapshot: PublicSnapshot;
  /** The series of the history that are of checks, whose rows are in the sample log too. Default: none. */
  readonly findCheckSeries?: (id: string) => { readonly createdAt: number } | undefined;
  readonly limits: LimitSource;
  readonly handover: Handover;
  /** Where a stream is claimed before it counts. */
  readonly claim: (serverId: string) => Promise<StreamClaim>;
  readonly places: PlaceReports;
  /** Without it, parts have no history. */
  readonly parts?: PartIntake | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Checks an agent's credentials; right ones never count against their address. */
function createCredentialCheck(
  deps: IngestDeps,
): (hello: {
  serverId: string;
  agentKey: string;
  remoteAddress: string;
}) => Promise<{ record: ServerRecord; keyHash: string }> {
  const { servers, clock, limits } = deps;
  const failures = limits.create("agent-keys", { limit: FAILURES, windowMs: FAILURE_WINDOW_MS });
  return async ({ serverId, agentKey, remoteAddress }) => {
    const record = await servers.find(serverId);
    const now = clock.now();
    const hashes = (record?.keys ?? [])
      .filter((key) => key.expiresAt === undefined || key.expiresAt > now)
      .map((key) => key.hash);
    const isRight = createSecretCheck(hashes.length === 0 ? NO_KEY : hashes)(agentKey) && hashes.length > 0;
    if (record !== undefined && isRight) return { record, keyHash: hashSecret(agentKey) };
    const { allowed, retryAfterSeconds } = failures.hit(addressKey(remoteAddress));
    if (!allowed)
      throw new AppError(
        "rate_limited",
        "Too many wrong credentials from this address. Wait, then try again",
        {
          retryAfterSeconds,
        },
      );
    throw new AppError("unauthenticated", "The server ID or the agent key is wrong");
  };
}

export class Ingest implements AgentIngest {
  readonly #deps: IngestDeps;
  readonly #checkCredentials: ReturnType<typeof createCredentialCheck>;
  readonly #facts: MachineFacts;
  readonly #arrivals = new Map<string, Dedupe>();
  readonly #streams = new Map<string, OpenStream>();
  #counts = { stored: 0, repeated: 0, rejected: 0 };

  constructor(deps: IngestDeps) {
    this.#deps = deps;
    this.#checkCredentials = createCredentialCheck(deps);
    this.#facts = createMachineFacts(deps);
    deps.handover.answer((server) => this.#giveUp(server));
  }

  get counts(): IngestCounts {
    return this.#counts;
  }

  async open(hello: AgentHello): Promise<AgentSession> {
    const { record, keyHash } = await this.#checkCredentials(hello);
    if (record.disabled)
      throw new AppError("forbidden", "The server is disabled. An administrator can enable it");
    const { n, isElsewhere } = await this.#deps.claim(record.id);
    const registration = this.#deps.registry.open(record.id, keyHash, {
      isElsewhere,
      isPosted: hello.isPosted ?? false,
    });
    const { serverId } = registration;
    const stream: OpenStream = { serverId, n, key: toKey(serverId, record.createdAt), isGivenUp: false };
    this.#streams.set(serverId, stream);
    const arrivals = this.#findArrivals(serverId);
    this.#facts.noteHello(serverId, hello);
    this.#deps.usage.begin(serverId);
    await this.#deps.parts?.open(record);
    for (const at of await this.#deps.handover.ask({ serverId, createdAt: record.createdAt, n }))
      arrivals.remember(at);
    return {
      serverId,
      report: (payloadJson, collectedAt) =>
        stream.isGivenUp
          ? Promise.reject(new GrpcError(grpcStatus.aborted, "Another node took over the agent"))
          : this.#report(stream, payloadJson, collectedAt),
      heartbeat: () => this.#deps.live.heard(serverId),
      ended: registration.ended,
      close: () => {
        if (this.#streams.get(serverId) === stream) this.#streams.delete(serverId);
        this.#deps.usage.flushSoon(serverId);
        registration.close();
      },
    };
  }

  /** The agent is another node's now: nothing more that it sends here is taken, and what was taken is handed over. */
  async #giveUp({ serverId, createdAt, n }: AskedServer): Promise<readonly number[]> {
    if (this.#deps.publicSnapshot.findRecord(serverId)?.createdAt !== createdAt) return [];
    const stream = this.#streams.get(serverId);
    if (stream !== undefined && stream.n < n) stream.isGivenUp = true;
    const arrivals = await this.#arrivals.get(serverId)?.settle(HANDED_OVER);
    this.#deps.usage.flushSoon(serverId);
    return arrivals ?? [];
  }

  /** Restores the contents of the sample log; call it once, before the first agent. */
  async restore(): Promise<void> {
    const { samples, publicSnapshot, history, usage, log } = this.#deps;
    const known = new Map<string, KnownServer>();
    const { findCheckSeries = () => undefined } = this.#deps;
    const findOwner = createOwnerFinder((id) => publicSnapshot.findRecord(id) ?? findCheckSeries(id));
    const leftOut = { deleted: 0, replaced: 0 };
    const summary = await samples.replay({
      onCheckpoint: ({ key, blob }) => {
        const server = parseBlob(blob);
        const owner = findOwner({ key, receivedAt: server.facts.lastSeenAt });
        if ("gone" in owner) return;
        const { id } = owner;
        known.set(id, server);
        if (server.facts.dayBook !== undefined) usage.restore(id, server.facts.dayBook);
      },
      onRow: (row, seq, isCovered) => {
        const owner = findOwner(row);
        if ("gone" in owner) {
          leftOut[owner.gone] += 1;
          return;
        }
        const { id } = owner;
        history.restore(id, { at: row.at, values: row.values, seq });
        if (publicSnapshot.findRecord(id) === undefined) return;
        const server = known.get(id) ?? createKnownServer();
        known.set(id, server);
        addRow(server, row, isCovered);
        usage.count(id, row);
      },
    });
    history.restored();
    for (const [id, server] of known) this.#bringBack(id, server);
    const { deleted, replaced } = leftOut;
    const rows = summary.rows - deleted - replaced;
    log.info("Restored samples from the sample log", { ...summary, rows, servers: known.size });
    if (rows < summary.rows) log.info("Skipped samples of deleted servers", { deleted, replaced });
  }

  /** Data in the sample log about each server, other than its rows. */
  *checkpoint(): Generator<CheckpointEntry> {
    const { live, usage, publicSnapshot } = this.#deps;
    for (const [id, dedupe] of this.#arrivals) {
      const record = publicSnapshot.findRecord(id);
      if (record === undefined) continue;
      const blob = toBlob(dedupe, { live: live.get(id), dayBook: usage.snapshot(id) });
      yield { key: toKey(id, record.createdAt), blob };
    }
  }

  /** Forgets a server that was deleted. */
  drop(serverId: string): void {
    this.#arrivals.delete(serverId);
  }

  #bringBack(id: string, server: KnownServer): void {
    this.#arrivals.set(id, server.dedupe);
    const { lastSeenAt, reportsStored, stateSince } = server.facts;
    const latest = findLatest(server);
    this.#deps.live.restore(id, {
      lastSeenAt,
      reportsStored,
      stateSince,
      latest,
    });
  }

  #findArrivals(serverId: string): Dedupe {
    const known = this.#arrivals.get(serverId);
    if (known !== undefined) return known;
    const made = createDedupe();
    this.#arrivals.set(serverId, made);
    return made;
  }

  // Positional like AgentSession.report: this is the path of every report.
  async #report(stream: OpenStream, payloadJson: string, collectedAt: number): Promise<ReportOutcome> {
    const { serverId, key } = stream;
    const { clock, live, samples } = this.#deps;
    const receivedAt = clock.now();
    const parsed = parseReport(payloadJson, { collectedAt, now: receivedAt });
    if (!parsed.ok) {
      live.rejected(serverId, parsed.reason);
      this.#counts.rejected += 1;
      return { accepted: false, ack: `rejected ${parsed.reason}` };
    }
    const ack = `metrics ${collectedAt}`;
    const asked = parsed.report?.lists;
    const more = asked === undefined ? undefined : this.#findLists(serverId, asked);
    const outcome: ReportOutcome =
      more === undefined ? { accepted: true, ack } : { accepted: true, ack, more };
    const arrivals = this.#findArrivals(serverId);
    const claim = arrivals.claim(collectedAt);
    if (claim !== "new") {
      live.heard(serverId);
      if (claim !== "stored") await claim;
      this.#counts.repeated += 1;
      return outcome;
    }
    const { row, report } = parsed;
    this.#deps.history.assertRoom();
    const stored = samples.append({ key, at: collectedAt, receivedAt, values: row });
    const found = report && this.#deps.places.take({ serverId, sample: report, receivedAt });
    const durable = found === undefined ? stored : Promise.all([stored, found]).then(([seq]) => seq);
    arrivals.record(collectedAt, durable);
    // Only what is needed later is kept while the disk works: hundreds of reports wait at once.
    const latest = toLatestSample(parsed, { payloadJson, collectedAt, receivedAt });
    const parts = report && this.#deps.parts?.read(serverId, report, collectedAt);
    return this.#finish(durable, { serverId, arrivals, row, latest, host: report?.host, parts, outcome });
  }

  /** The lists that a machine asks for, unless it has them. */
  #findLists(serverId: string, revision: string): string | undefined {
    const lists = toSentLists(this.#deps.publicSnapshot.findRecord(serverId)?.lists);
    return lists.revision === revision ? undefined : `lists ${lists.revision} ${lists.json}`;
  }

  async #finish(durable: Promise<number>, report: PendingReport): Promise<ReportOutcome> {
    const seq = await durable;
    this.#counts.stored += 1;
    const { serverId, latest, row, host } = report;
    // A server that was deleted meanwhile must not come back to life in memory.
    if (this.#arrivals.get(serverId) !== report.arrivals) return report.outcome;
    const { collectedAt: at, receivedAt } = latest;
    this.#deps.history.insert(serverId, { at, values: row, seq });
    this.#deps.usage.count(serverId, { at, receivedAt, values: row });
    if (report.parts !== undefined) this.#deps.parts?.insert(serverId, report.parts, at);
    this.#deps.live.reported(serverId, latest);
    if (host !== undefined) this.#facts.noteHost(serverId, host);
    return report.outcome;
  }
}

/** Creates the ingest of a monitor. */
export function createIngest(deps: IngestDeps): Ingest {
  return new Ingest(deps);
}
