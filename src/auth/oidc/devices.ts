/**
 * Signing in on a device without a browser by a code that a person types elsewhere (RFC 8628). The device gets a
 * separate session, which does not end with that of the browser.
 */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { newSecret, newTypedCode } from "../../kit/secrets/id.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import { AppError } from "../../kit/errors.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { getProfile } from "../accounts/accounts.ts";
import { assertOwner, type Subject } from "../sessions/subject.ts";
import type { ClientRecord } from "../applications/schema.ts";
import { createFailureThrottle } from "../attempts/failure-throttle.ts";
import type { Caller } from "../base/caller.ts";
import { codeInvalid } from "../codes/code-errors.ts";
import type { AuthDeps } from "../base/deps.ts";
import { clients } from "../applications/records.ts";
import { consents as consentRecords, deviceRequests } from "./records.ts";
import { sessions as sessionRecords } from "../sessions/records.ts";
import { state } from "../base/records.ts";
import { users } from "../accounts/records.ts";
import { toLifetimes } from "../policy/lifetimes.ts";
import { findMissingStep } from "../applications/may-use.ts";
import { toPolicy } from "../policy/policy.ts";
import type { Activity } from "../sessions/activity.ts";
import { isAlive } from "../sessions/live-sessions.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { type Consents, toConsentId } from "./consents.ts";
import type { Granted } from "./grants.ts";
import type { DeviceRequestRecord } from "./schema.ts";
import type { Target } from "../resources/target.ts";
import { asksOffline, withoutOffline } from "./scopes.ts";

/** How the grant is called at the token endpoint (section 3.4). */
export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const LIFE_MS = 15 * 60_000;
/** A device that polls late gets expired_token. */
const TOLD_MS = 60 * 60_000;
const INTERVAL_MS = 5_000;
/** A clock and a network are not exact: so much sooner is no fault. */
const SLACK_MS = 500;
const CODE_LENGTH = 8;
/** Requests of an address in 10 minutes. */
const REQUESTS = 60;
const WINDOW_MS = 10 * 60_000;

/** Why a device gets nothing (section 3.5). */
export type DeviceFault =
  | "authorization_pending"
  | "slow_down"
  | "access_denied"
  | "expired_token"
  | "invalid_grant";

/** Codes for a device to show and to poll with. Times are in seconds. */
export interface DeviceCodes {
  readonly deviceCode: string;
  /** Such as "WDJB-MJHT". */
  readonly userCode: string;
  readonly expiresIn: number;
  readonly interval: number;
}

/** A device that waits, with its application. */
export interface WaitingDevice {
  readonly request: DeviceRequestRecord;
  readonly client: ClientRecord;
}

/** The user who enters a code. */
interface Typist {
  readonly subject: Subject;
  readonly caller: Caller;
}

interface DeviceDeps extends Pick<AuthDeps, "store" | "clock" | "expiry" | "box" | "limits"> {
  readonly sessions: Sessions;
  readonly consents: Consents;
  readonly activity: Activity;
}

/** Eight of the letters of typed codes. */
const USER_CODE = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/u;

/** The letters of a typed code, however they are separated; undefined if it is impossible. */
function readUserCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/gu, "");
  return USER_CODE.test(letters) ? letters : undefined;
}

export function toShownCode(typed: string): string {
  const letters = readUserCode(typed);
  return letters === undefined
    ? typed
    : `${letters.slice(0, CODE_LENGTH / 2)}-${letters.slice(CODE_LENGTH / 2)}`;
}

export function toQuestion({ scope, audience }: DeviceRequestRecord): Target {
  return { scopes: scope.split(" "), audience };
}

/** Opens the device's session; undefined if the approval has expired. */
async function openSession(
  tx: Tx,
  known: DeviceRequestRecord,
  {
    client,
    caller,
    sessions,
    nowMs,
  }: { client: ClientRecord; caller: Caller; sessions: Sessions; nowMs: number },
): Promise<Granted | undefined> {
  const { userId = "", proof, audience } = known;
  const user = await tx.get(users, userId);
  const consent = await tx.get(consentRecords, toConsentId(userId, client.id));
  if (user === undefined || proof === undefined || consent === undefined) return undefined;
  const { tokenEpoch, at, ...proved } = proof;
  const { revokedBefore = 0, accessRules: rules = {} } = (await tx.get(state, "state")) ?? {};
  // The address was checked where the person typed the code; the device is elsewhere.
  const seeking = { user, session: proved, rules, address: undefined, nowMs, isRenewal: true };
  if (findMissingStep(client, seeking) !== undefined) return undefined;
  const scope = toPolicy(client, rules).offlineAccess ? known.scope : withoutOffline(known.scope);
  const isOffline = asksOffline(scope);
  const asSession = { tokenEpoch, createdAt: at, expiresAt: known.endsAt };
  if (!isAlive(asSession, { user, revokedBefore, nowMs })) return undefined;
  const opened = await sessions.open(tx, {
    user,
    amr: proof.amr,
    scope,
    audience,
    isOffline,
    lifetimes: toLifetimes(client, rules, isOffline),
    caller: { ...caller, clientId: client.id },
  });
  const { id } = opened.session;
  // Its own parent: there is no browser's session to end with, and all else that holds for applications holds.
  const session = await tx.put(sessionRecords, { ...opened.session, ...proved, parentId: id });
  const profile = await getProfile(tx, user.id);
  return { tokens: { ...opened, session }, displayName: profile.displayName, profile, rules };
}

/** Creates what looks for the device of a typed code. */
function createSearch({ store, expiry, box, limits }: DeviceDeps) {
  const throttle = createFailureThrottle(limits, "device-code");
  const toMac = (letters: string): string => box.mac(letters, "device-code");

  async function findWaiting(tx: ReadTx, letters: string): Promise<WaitingDevice | undefined> {
    const request = await tx.by(deviceRequests, "byUserCode", [toMac(letters)]);
    if (request?.status !== "waiting" || request.endsAt <= expiry.now()) return undefined;
    const client = await tx.get(clients, request.clientId);
    return client?.deviceFlow === true ? { request, client } : undefined;
  }

  /** Counts wrong codes per account and address, so that codes of others cannot be guessed. */
  async function guess(
    typed: string,
    { subject, caller }: Typist,
    work: (letters: string) => Promise<WaitingDevice | undefined>,
  ): Promise<WaitingDevice> {
    const letters = readUserCode(typed);
    if (letters === undefined) throw codeInvalid("device");
    const keys = [subject.user.id, addressKey(caller.clientAddress)] as const;
    return throttle.run(keys[0], () =>
      throttle.run(keys[1], async () => {
        const found = await work(letters);
        if (found !== undefined) return found;
        for (const key of keys) throttle.fail(key);
        throw codeInvalid("device");
      }),
    );
  }

  return {
    toMac,
    findWaiting,
    guess,
    /** The device that waits with the code that a person typed. Throws `code_invalid`, `too_many_attempts`, `unavailable`. */
    find: (typed: string, who: Typist): Promise<WaitingDevice> =>
      guess(typed, who, (letters) => store.read((tx) => findWaiting(tx, letters))),
  };
}

type Search = ReturnType<typeof createSearch>;

function createBegin({ store, clock, expiry, limits }: DeviceDeps, { toMac }: Search) {
  const requests = limits.create("device-requests", { limit: REQUESTS, windowMs: WINDOW_MS });
  return async (
    client: ClientRecord,
    { target, caller }: { target: Target; caller: Caller },
  ): Promise<DeviceCodes> => {
    const { allowed, retryAfterSeconds } = requests.hit(addressKey(caller.clientAddress));
    if (!allowed)
      throw new AppError(
        "rate_limited",
        "Too many device codes requested from this address. Wait, then try again",
        { retryAfterSeconds },
      );
    const deviceCode = newSecret("dvc");
    const nowMs = expiry.now();
    const letters = await store.transact(async (tx) => {
      let made = newTypedCode(CODE_LENGTH);
      while ((await tx.by(deviceRequests, "byUserCode", [toMac(made)])) !== undefined)
        made = newTypedCode(CODE_LENGTH);
      await tx.insert(deviceRequests, {
        id: hashSecret(deviceCode),
        userCodeMac: toMac(made),
        clientId: client.id,
        scope: target.scopes.join(" "),
        status: "waiting",
        audience: [...target.audience],
        ipPrefix: caller.ipPrefix,
        userAgent: caller.userAgent,
        createdAt: clock.now(),
        intervalMs: INTERVAL_MS,
        endsAt: nowMs + LIFE_MS,
        expiresAt: nowMs + LIFE_MS + TOLD_MS,
      });
      return made;
    });
    const userCode = toShownCode(letters);
    return { deviceCode, userCode, expiresIn: LIFE_MS / 1_000, interval: INTERVAL_MS / 1_000 };
  };
}

function createAnswer({ store, expiry, consents }: DeviceDeps, { guess, findWaiting }: Search) {
  return (typed: string, who: Typist, isAllowed: boolean): Promise<WaitingDevice> =>
    guess(typed, who, (letters) =>
      store.transact(async (tx) => {
        const { subject, caller } = who;
        assertOwner(subject);
        const waiting = await findWaiting(tx, letters);
        if (waiting === undefined) return undefined;
        const { request, client } = waiting;
        if (!isAllowed) {
          await tx.put(deviceRequests, { ...request, status: "denied" });
          return waiting;
        }
        const { user, session, rules = {} } = subject;
        const seeking = { user, session, rules, address: caller.clientAddress, nowMs: expiry.now() };
        const missing = findMissingStep(client, seeking);
        if (missing !== undefined)
          throw new AppError(
            "forbidden",
            `The access policy of the application denies this account: ${missing}`,
            {
              details: { missing },
            },
          );
        await consents.allowIn(tx, subject, { client, ...toQuestion(request), caller });
        const { amr, aal, authenticatedAt, tokenEpoch } = session;
        const proof = { amr, aal, authenticatedAt, tokenEpoch, at: expiry.now() };
        await tx.put(deviceRequests, { ...request, status: "allowed", userId: user.id, proof });
        return waiting;
      }),
    );
}

function createRedeem({ store, expiry, sessions, activity }: DeviceDeps) {
  return (client: ClientRecord, deviceCode: string, caller: Caller): Promise<Granted | DeviceFault> =>
    store.transact(async (tx) => {
      const nowMs = expiry.now();
      const known = await tx.get(deviceRequests, hashSecret(deviceCode));
      if (known === undefined || known.clientId !== client.id) return "invalid_grant";
      if (known.endsAt <= nowMs) return "expired_token";
      if (known.status === "denied") return "access_denied";
      if (known.status === "waiting") {
        const { polledAt, intervalMs } = known;
        const isEarly = polledAt !== undefined && polledAt + intervalMs - SLACK_MS > nowMs;
        const next = isEarly ? intervalMs + INTERVAL_MS : intervalMs;
        await tx.put(deviceRequests, { ...known, polledAt: nowMs, intervalMs: Math.min(next, LIFE_MS) });
        return isEarly ? "slow_down" : "authorization_pending";
      }
      await tx.remove(deviceRequests, known.id);
      const granted = await openSession(tx, known, { client, caller, sessions, nowMs });
      if (granted === undefined) return "access_denied";
      activity.note({ ...granted.tokens, displayName: granted.displayName }, client.id);
      return granted;
    });
}

export type Devices = ReturnType<typeof createDevices>;

/** Creates the logic. Callers have made sure of the application's secret. */
export function createDevices(deps: DeviceDeps) {
  const search = createSearch(deps);
  return {
    /** Codes for a device that asks. Throws `rate_limited`. */
    begin: createBegin(deps, search),
    find: search.find,
    /** Lets it in, or not. Throws as `find`, and `forbidden` in an administrator's session and for who may not use the application. */
    answer: createAnswer(deps, search),
    /** Opens the device's session once a person allowed it, once; until then says why not. */
    redeem: createRedeem(deps),
  };
}
