/** Whether a password is right, without telling whether there is an account. */
import { AuthError } from "../base/errors.ts";
import { createKeyedQueue } from "../../kit/limits/keyed-queue.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import type { ReadTx } from "../../store/store.ts";
import { findByIdentifier, toEmailKey, toUsernameKey } from "../accounts/accounts.ts";
import { clearFailures, countWrongPassword, findSignInLock } from "../attempts/attempts.ts";
import type { Caller } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { isDeviceOf } from "../sessions/devices.ts";
import { createFailureAllowance } from "../attempts/failure-allowance.ts";
import { createFailureThrottle } from "../attempts/failure-throttle.ts";
import { writeEvent } from "../accounts/events.ts";
import { isKnownNetwork } from "../attempts/known-callers.ts";
import { toPasswordForm } from "./password-policy.ts";
import { registrations } from "../accounts/records.ts";
import type { RegistrationRecord, UserRecord } from "../accounts/schema.ts";

/** Guesses at one account that wait for their turn; what is more is refused. */
const MAX_QUEUED = 64;
/** Wrong guesses at an account after which an address has to wait for the account's lock; a fresh one has not. */
const FRESH_TRIES = 2;
const DAY_MS = 86_400_000;

export interface PasswordAttempt {
  readonly identifier: string;
  readonly password: string;
  readonly caller: Caller;
}

/** The owner of a password: an account, or a registration with an unverified mailbox. */
export type PasswordOwner =
  | { readonly kind: "user"; readonly user: UserRecord; readonly hash: string; readonly throttleKey: string }
  | { readonly kind: "registration" };

/** One text for whatever was wrong. */
export function invalidCredentials(): AuthError {
  return new AuthError(
    "invalid_credentials",
    "The username or password is wrong, or the account is not active. After several failed attempts, wait before you try again",
  );
}

/** Guesses of who is signed in count apart: strangers must not lock the owner out of changing the password. */
function reauthKey(userId: string): string {
  return `reauth:${userId}`;
}

/** The key of an account's throttle. */
export function signInKey(userId: string): string {
  return `signin:${userId}`;
}

/** The keys of all throttles that name an account; a device's throttle names none. */
export function throttleKeys(userId: string): readonly string[] {
  return [signInKey(userId), reauthKey(userId)];
}

interface Candidates {
  readonly user: UserRecord | undefined;
  readonly waiting: RegistrationRecord | undefined;
}

/** A registration that waits counts by its name, and by its mailbox too: whether the mailbox has an account must not show. */
async function findCandidates(tx: ReadTx, identifier: string): Promise<Candidates> {
  const user = await findByIdentifier(tx, identifier);
  if (!identifier.includes("@")) {
    const waiting = await tx.by(registrations, "byUsername", [toUsernameKey(identifier.trim())]);
    return { user, waiting };
  }
  const { items } = await tx.list(registrations, "byEmail", {
    prefix: [toEmailKey(identifier)],
    limit: 1,
    reverse: true,
  });
  return { user, waiting: items[0] };
}

type CheckDeps = Pick<AuthDeps, "store" | "expiry" | "clock" | "box" | "hasher" | "limits">;

/** Compares, with the same work for a name that has no password. */
function createComparison({ hasher, box }: CheckDeps): {
  verify(typed: string, hash: string | undefined): Promise<boolean>;
} {
  let decoy: Promise<string> | undefined;

  /** Costs as much as a true check, and is false. */
  async function verifyDecoy(password: string): Promise<false> {
    decoy ??= hasher.hash(box.mac("decoy", "password"));
    decoy.catch(() => {
      decoy = undefined; // a full queue is no lasting state
    });
    await hasher.verify(password, await decoy);
    return false;
  }

  return {
    verify: async (typed, hash) => {
      const form = toPasswordForm(typed);
      if (hash === undefined) return verifyDecoy(form);
      if (await hasher.verify(form, hash)) return true;
      // Hashes of other programs were made of the password as it was typed.
      return form !== typed && hasher.isOutdated(hash) && hasher.verify(typed, hash);
    },
  };
}

interface Guess {
  readonly throttleKey: string;
  readonly user: UserRecord | undefined;
  readonly caller: Caller;
}

/**
 * Strangers who locked an account have locked neither the networks that it was signed in from, nor addresses
 * that did not guess at it: these have a few tries within the account's guesses of a day.
 */
function createAccountThrottles({ limits, box, expiry }: CheckDeps) {
  const fresh = limits.create("sign-in-fresh", { limit: FRESH_TRIES, windowMs: DAY_MS });
  const freshKey = (throttleKey: string, caller: Caller): string =>
    `${throttleKey} ${addressKey(caller.clientAddress)}`;
  return {
    /** Remembers that the address guessed wrong at the account. */
    noteFailure: (throttleKey: string, caller: Caller): void => {
      fresh.hit(freshKey(throttleKey, caller));
    },
    /** The count that a guess goes to; undefined when it is not looked at. */
    findThrottle: async (tx: ReadTx, { throttleKey, user, caller }: Guess): Promise<string | undefined> => {
      const nowMs = expiry.now();
      const { rowMs, dayMs } = await findSignInLock(tx, throttleKey, nowMs);
      if (rowMs === 0 && dayMs === 0) return throttleKey;
      if (!throttleKey.startsWith(signInKey(""))) return undefined;
      const userId = user?.id ?? "";
      const networkKey = `network:${box.mac(`${userId} ${caller.ipPrefix}`, "network-key")}`;
      const network = await findSignInLock(tx, networkKey, nowMs);
      const isNetworkOpen = network.rowMs === 0 && network.dayMs === 0;
      if ((await isKnownNetwork(tx, userId, caller)) && isNetworkOpen) return networkKey;
      return dayMs === 0 && fresh.check(freshKey(throttleKey, caller)).allowed ? throttleKey : undefined;
    },
  };
}

export type PasswordCheck = ReturnType<typeof createPasswordCheck>;

/** Creates the check. The first hash is made here, to have one to compare unknown names with. */
export function createPasswordCheck(deps: CheckDeps) {
  const { store, expiry, box } = deps;
  const comparison = createComparison(deps);
  const inTurn = createKeyedQueue({ maxQueued: MAX_QUEUED });
  const address = createFailureThrottle(deps.limits, "sign-in", createFailureAllowance(deps));
  const { findThrottle, noteFailure } = createAccountThrottles(deps);

  async function fail({ throttleKey, caller, user }: Guess): Promise<never> {
    address.fail(addressKey(caller.clientAddress));
    noteFailure(throttleKey, caller);
    await store.transact(async (tx) => {
      await countWrongPassword(tx, throttleKey, expiry.now());
      // Bounded by the throttle: at most 100 a day, and as many for each device and network that is known.
      if (user !== undefined)
        await writeEvent(tx, { userId: user.id, kind: "sign-in-failed", caller, atMs: deps.clock.now() });
    });
    throw invalidCredentials();
  }

  async function guess(
    { password, caller }: Pick<PasswordAttempt, "password" | "caller">,
    candidates: Candidates,
    queueKey: string,
  ): Promise<PasswordOwner> {
    const { user, waiting } = candidates;
    const throttleKey = await store.read((tx) => findThrottle(tx, { throttleKey: queueKey, user, caller }));
    if (throttleKey === undefined) {
      address.fail(addressKey(caller.clientAddress));
      throw invalidCredentials();
    }
    const hash = user?.passwordHash;
    const isUser = await comparison.verify(password, hash);
    if (isUser && user !== undefined && hash !== undefined) return { kind: "user", user, hash, throttleKey };
    // Every failure costs two comparisons, or the time would tell which mailboxes have a registration that waits.
    if (await comparison.verify(password, waiting?.passwordHash)) return { kind: "registration" };
    return fail({ throttleKey, caller, user });
  }

  return {
    /** Throws `invalid_credentials` (wrong, unknown, or locked for now), `too_many_attempts` by address, `unavailable` when too many wait. */
    check: async (attempt: PasswordAttempt): Promise<PasswordOwner> => {
      const { identifier, caller } = attempt;
      const { device } = caller;
      const client = addressKey(caller.clientAddress);
      await address.assert(client);
      const candidates = await store.read((tx) => findCandidates(tx, identifier));
      const { user } = candidates;
      const accountKey =
        user === undefined
          ? `signin:${box.mac(identifier.trim().toLowerCase(), "sign-in")}`
          : signInKey(user.id);
      const isKnown = user !== undefined && isDeviceOf(box, device, { userId: user.id, nowMs: expiry.now() });
      const throttleKey = isKnown ? `device:${box.mac(device ?? "", "device-key")}` : accountKey;
      return inTurn(throttleKey, () => address.run(client, () => guess(attempt, candidates, throttleKey)));
    },
    /** Works, counts and throws as for a wrong password: it was right, but the account cannot be used. */
    refuse: async (
      owner: PasswordOwner & { kind: "user" },
      { password, caller }: Omit<PasswordAttempt, "identifier">,
    ): Promise<never> => {
      await comparison.verify(password, undefined);
      return fail({ ...owner, caller });
    },
    /** The same as `check` for a signed-in user, such as for `reauth`. */
    checkUser: async (user: UserRecord, attempt: Omit<PasswordAttempt, "identifier">): Promise<void> => {
      const throttleKey = reauthKey(user.id);
      const candidates = { user, waiting: undefined };
      await inTurn(throttleKey, () =>
        address.run(addressKey(attempt.caller.clientAddress), () => guess(attempt, candidates, throttleKey)),
      );
      await store.transact((tx) => clearFailures(tx, throttleKey, expiry.now()));
    },
  };
}
