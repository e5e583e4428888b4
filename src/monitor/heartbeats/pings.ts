/** Receives pings: each acknowledged one is durable, and counts once. */
import type { LimitSource } from "../../bus/shared-limit.ts";
import { AppError } from "../../kit/errors.ts";
import { type RateDecision, type RateLimit, addressKey } from "../../kit/limits/rate-limit.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Page, PageOptions, ReadTx, Store, Tx } from "../../store/store.ts";
import { checks } from "../checks/records.ts";
import type { CheckRecord, HeartbeatTarget } from "../checks/schema.ts";
import type { CheckDirectory } from "../checks/standings.ts";
import { findLogSize } from "./log-size.ts";
import { judgeWords } from "./ping-words.ts";
import { heartbeatPings, heartbeatStates, toPingId } from "./records.ts";
import type { HeartbeatState, PingRecord, Signal } from "./schema.ts";
import { type Sign, applySign } from "./signs.ts";

/** Of one check; a job of every 20 seconds that says start, log and end needs nine. */
const PINGS_A_MINUTE = 60;
/** Keys that do not exist, by address. */
const GUESSES = 30;
const GUESS_WINDOW_MS = 10 * 60_000;
/** Old pings that go with a new one at most, when fewer are kept than before. */
const MAX_DROPPED = 4;

/** A ping as it comes, without what was read of its key. */
export interface Ping {
  readonly signal: Signal;
  readonly exitStatus?: number | undefined;
  /** Distinguishes runs; "" without. */
  readonly rid: string;
  /** As the sender says, milliseconds. */
  readonly runMs?: number | undefined;
  readonly text: string;
  readonly isCut: boolean;
  /** Text whose words decide what the ping means; undefined: `signal` does. */
  readonly words?: string | undefined;
  readonly method: string;
  readonly clientAddress: string;
  readonly userAgent: string;
}

/** A ping that is durable, and what it made of the heartbeat. */
export interface Taken {
  readonly state: HeartbeatState;
  readonly ping: PingRecord;
}

export interface PingsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: LimitSource;
  readonly checkDirectory: Pick<CheckDirectory, "records" | "findRecord" | "recordsRevision">;
  /** Called when a ping is durable, before it is acknowledged. */
  readonly onTaken: (taken: Taken) => void;
}

type HeartbeatCheck = CheckRecord & { readonly target: HeartbeatTarget };

/** Whether a check waits for signs of life. */
export function isHeartbeat(record: CheckRecord | undefined): record is HeartbeatCheck {
  return record?.target.kind === "heartbeat";
}

function refuse({ retryAfterSeconds }: RateDecision, message: string): AppError {
  return new AppError("rate_limited", message, { retryAfterSeconds });
}

/** The check of a key, or of the id where the key is still its own. */
async function getCheck(tx: ReadTx, { id, key }: { id: string; key: string }): Promise<HeartbeatCheck> {
  const record = await tx.get(checks, id);
  if (!isHeartbeat(record) || record.pingKey !== key)
    throw new AppError("not_found", "This ping URL does not belong to a heartbeat");
  return record;
}

const textSizer = new TextEncoder();

async function writePing(
  tx: Tx,
  {
    ping,
    before,
    applied,
    heartbeats,
  }: {
    ping: Omit<PingRecord, "id" | "version" | "number">;
    before: HeartbeatState | undefined;
    applied: Omit<HeartbeatState, "version">;
    /** How many there are. */
    heartbeats: number;
  },
): Promise<Taken> {
  const { id } = applied;
  const { maxPings, maxTextBytes } = findLogSize(heartbeats);
  const number = applied.pings + 1;
  const bytesOf = ({ text }: { readonly text: string }): number => textSizer.encode(text).length;
  let textBytes = applied.textBytes + bytesOf(ping);
  let { oldestPing } = applied;
  for (let dropped = 0; dropped < MAX_DROPPED; dropped += 1) {
    if (oldestPing >= number || (number - oldestPing < maxPings && textBytes <= maxTextBytes)) break;
    const oldest = await tx.get(heartbeatPings, toPingId(id, oldestPing));
    if (oldest !== undefined) {
      textBytes -= bytesOf(oldest);
      await tx.remove(heartbeatPings, oldest.id);
    }
    oldestPing += 1;
  }
  const kept = await tx.insert(heartbeatPings, { ...ping, id: toPingId(id, number), number });
  const counted = { ...applied, pings: number, oldestPing, textBytes };
  const state =
    before === undefined
      ? await tx.insert(heartbeatStates, counted)
      : await tx.put(heartbeatStates, { ...counted, version: before.version });
  return { state, ping: kept };
}

/** Pings of all heartbeats on a store. */
export class Pings {
  readonly #deps: PingsDeps;
  readonly #guesses: RateLimit;
  readonly #pace: RateLimit;
  /** Checks by their keys, of the records that the directory had then. */
  #byKey: { readonly revision: number; readonly ids: ReadonlyMap<string, string> } | undefined;

  constructor(deps: PingsDeps) {
    this.#deps = deps;
    this.#guesses = deps.limits.create("heartbeat-guesses", { limit: GUESSES, windowMs: GUESS_WINDOW_MS });
    const pace = { limit: PINGS_A_MINUTE, windowMs: 60_000, maxKeys: 20_000 };
    this.#pace = deps.limits.create("heartbeat-pings", pace);
  }

  /**
   * Finds the check of a key. Who knows a key is not limited by others of the same address who guess.
   * @throws AppError `not_found`; `rate_limited` after too many keys that there are not
   */
  async find(key: string, clientAddress: string): Promise<string> {
    const cached = this.#keys().get(key);
    if (cached !== undefined) return cached;
    const address = addressKey(clientAddress);
    const decision = this.#guesses.check(address);
    if (!decision.allowed)
      throw refuse(decision, "Too many wrong ping URLs from this address. Wait, then try again");
    const known = await this.findKnown(key);
    if (known !== undefined) return known;
    this.#guesses.hit(address);
    throw new AppError("not_found", "This ping URL does not belong to a heartbeat");
  }

  /** The check of a key that is no guess; undefined without. */
  async findKnown(key: string): Promise<string | undefined> {
    const cached = this.#keys().get(key);
    if (cached !== undefined) return cached;
    // Another node may have made it a moment ago.
    const record = await this.#deps.store.read((tx) => tx.by(checks, "pingKey", [key]));
    return isHeartbeat(record) ? record.id : undefined;
  }

  /**
   * Receives a ping of the check that `find` returned; resolves when it is durable.
   * @throws AppError `not_found`, `rate_limited`; what the store throws
   */
  async take({ id, key }: { id: string; key: string }, ping: Ping): Promise<void> {
    const decision = this.#pace.hit(id);
    if (!decision.allowed)
      throw refuse(
        decision,
        `A heartbeat accepts up to ${PINGS_A_MINUTE} pings per minute. This ping was not counted`,
      );
    const { store, clock, onTaken } = this.#deps;
    const heartbeats = this.#keys().size;
    const taken = await store.transact(async (tx) => {
      const check = await getCheck(tx, { id, key });
      const before = await tx.get(heartbeatStates, id);
      const at = clock.now();
      const { signal: given, exitStatus, rid, runMs, text, words, ...sender } = ping;
      const signal = (words === undefined ? undefined : judgeWords(check.target, words)) ?? given;
      const sign: Sign = { signal, at, rid, exitStatus, runMs, text };
      const applied = { ...applySign(before, sign, check), id };
      const measured = signal === "success" || signal === "fail" ? applied.ended?.runMs : undefined;
      const entry = { at, signal, exitStatus, rid: rid || undefined, runMs: measured, text, ...sender };
      return writePing(tx, { ping: entry, before, applied, heartbeats });
    });
    onTaken(taken);
  }

  /** The log of a check, the newest first. @throws AppError `not_found` */
  list(checkId: string, page: PageOptions): Promise<Page<PingRecord>> {
    return this.#deps.store.read(async (tx) => {
      if (!isHeartbeat(await tx.get(checks, checkId)))
        throw new AppError("not_found", `The heartbeat "${checkId}" does not exist`);
      const range = { from: [`${checkId}:`], to: [`${checkId};`], reverse: true };
      return tx.list(heartbeatPings, "id", { ...page, ...range });
    });
  }

  #keys(): ReadonlyMap<string, string> {
    const { checkDirectory } = this.#deps;
    const revision = checkDirectory.recordsRevision;
    if (this.#byKey?.revision !== revision) {
      const named = checkDirectory.records().filter(isHeartbeat);
      const ids = new Map(named.flatMap(({ id, pingKey }) => (pingKey === undefined ? [] : [[pingKey, id]])));
      this.#byKey = { revision, ids };
    }
    return this.#byKey.ids;
  }
}
