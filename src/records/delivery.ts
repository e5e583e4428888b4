/** Sends what waits in a queue: a few messages at once, one run after the other. */
import { coalesce } from "../kit/limits/coalesce.ts";
import type { Log } from "../kit/observe/log.ts";

const MESSAGES_A_RUN = 20;
/** Waiting messages that are looked at in one run, and remembered as told, while there is no sender. */
const TOLD_A_RUN = 200;
const TOLD_MEMORY = 2_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Waits after the first, second, … failed try; the last one goes on. */
const BACK_OFF_MS = [30_000, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR] as const;

/** How a sending ended. `reason` is one line of at most 200 characters without secrets and without the text. */
export type DeliveryOutcome =
  | { readonly status: "sent" }
  /** The same message may go through later; not before `retryAfterMs`, when the receiver asked for that. */
  | { readonly status: "temporary"; readonly reason: string; readonly retryAfterMs?: number }
  /** This message to this receiver will never go through. */
  | { readonly status: "permanent"; readonly reason: string };

interface Queued {
  readonly id: string;
  readonly kind: string;
}

/** One of a queue; those for one receiver leave one after the other, in the order in which they wait. */
interface Due extends Queued {
  readonly to?: string;
}

/** A message that this process may send now; without `message` it cannot be opened. */
export interface Claimed<M> extends Queued {
  readonly attempts: number;
  readonly message: M | undefined;
}

/** Why there is no claim: taken by another process, behind another message, expired or dropped. */
type NoClaim = "taken" | "behind" | "expired" | "dropped" | "held";

export type Claim<M> = Claimed<M> | NoClaim;

/** Where messages wait. */
export interface DeliveryQueue<M> {
  listDue(options: { readonly limit: number; readonly newestFirst?: boolean }): Promise<readonly Due[]>;
  claim(id: string): Promise<Claim<M>>;
  settle(claimed: Claimed<M>, outcome: DeliveryOutcome): Promise<void>;
}

/** Messages of one run: sent, refused for good, and those that wait on. */
export interface DeliveryCounts {
  readonly sent: number;
  readonly failed: number;
  readonly waiting: number;
}

/** Log and error texts for one kind of message. */
export interface DeliveryWords {
  readonly noun: "mail" | "notice" | "logout" | "event";
  /** Why nothing can be sent while there is no sender. */
  readonly waits: string;
  /** Why a message that cannot be opened is given up. */
  readonly unreadable: string;
}

export interface DeliveryDeps<M> {
  readonly queue: DeliveryQueue<M>;
  readonly log: Log;
  readonly words: DeliveryWords;
  /** Messages on their way at once. */
  readonly atOnce: number;
  /** Asked before each message; undefined while nothing can be sent. */
  readonly sender: () => { send(message: M): Promise<DeliveryOutcome> } | undefined;
  /** Lets a sending begin when it is its turn among others; without it, at once. */
  readonly turn?: <R>(work: () => Promise<R>) => Promise<R>;
}

/** How long to wait after so many failed tries, in milliseconds: 30 s at first, an hour at last. */
export function toBackOffMs(tries: number): number {
  return BACK_OFF_MS[Math.min(Math.max(tries, 1), BACK_OFF_MS.length) - 1] ?? HOUR;
}

interface Run {
  readonly counts: DeliveryCounts;
  /** More may be due. */
  readonly hasMore: boolean;
}

/** The field by which the log names a message. */
function toLogId({ words }: { words: DeliveryWords }, id: string): Record<string, string> {
  return { [`${words.noun}Id`]: id };
}

async function send<M>(
  deps: DeliveryDeps<M>,
  claimed: Claimed<M>,
  sender: { send(message: M): Promise<DeliveryOutcome> },
): Promise<DeliveryOutcome> {
  const { log, words } = deps;
  if (claimed.message === undefined) return { status: "permanent", reason: words.unreadable };
  try {
    return await sender.send(claimed.message);
  } catch (error) {
    // Against the promise of the port. Its words might quote the message, so the log gets its name alone.
    const name = error instanceof Error ? error.name : "";
    log.error(`The sender of ${nouns[words.noun]}s threw an error`, {
      ...toLogId(deps, claimed.id),
      error: name,
    });
    return { status: "temporary", reason: `The ${nouns[words.noun]} could not be sent` };
  }
}

/** The words of log lines. */
const nouns = {
  mail: "email",
  notice: "notification",
  logout: "logout notification",
  event: "event",
} as const;

const noClaimWords: Readonly<Record<NoClaim, string | undefined>> = {
  taken: undefined,
  behind: undefined,
  expired: "expired without being sent",
  dropped: "was dropped because it is no longer needed",
  held: "was held back. An administrator can send it with a retry",
};

/** The outcome of one message. */
async function deliverOne<M>(
  deps: DeliveryDeps<M>,
  id: string,
  sender: { send(message: M): Promise<DeliveryOutcome> },
): Promise<keyof DeliveryCounts | NoClaim> {
  const { queue, log, words } = deps;
  const claimed = await queue.claim(id);
  if (typeof claimed === "string") {
    const became = noClaimWords[claimed];
    if (became !== undefined) log.warn(`The ${nouns[words.noun]} ${became}`, toLogId(deps, id));
    return claimed === "behind" ? "waiting" : claimed;
  }
  const outcome = await send(deps, claimed, sender);
  await queue.settle(claimed, outcome);
  if (outcome.status === "sent") return "sent";
  const { kind, attempts } = claimed;
  const { status } = outcome;
  log.warn(`The ${nouns[words.noun]} was not sent`, { ...toLogId(deps, id), kind, attempts, status });
  return status === "permanent" ? "failed" : "waiting";
}

/** Logs once per message that it waits for settings. */
function createTeller(deps: { log: Log; words: DeliveryWords }): (waiting: readonly Queued[]) => void {
  const told = new Set<string>();
  const text = `The outbox has a waiting ${nouns[deps.words.noun]}: ${deps.words.waits}`;
  return (waiting) => {
    for (const { id, kind } of waiting) {
      if (told.has(id)) continue;
      deps.log.info(text, { ...toLogId(deps, id), kind });
      told.add(id);
      if (told.size > TOLD_MEMORY) told.delete(told.values().next().value ?? "");
    }
  };
}

/** One pass over what is due. Rejects with what the store throws, when all workers have ended. */
async function runOnce<M>(deps: DeliveryDeps<M>, isClosed: () => boolean): Promise<Run> {
  const counts = { sent: 0, failed: 0, waiting: 0 };
  const { turn = (step) => step() } = deps;
  let moved = 0;
  const due = await deps.queue.listDue({ limit: MESSAGES_A_RUN });
  const rest = [...due];
  const busy = new Set<string>();
  /** The next one whose receiver gets nothing else just now. The worker that has the other one comes back for it. */
  function takeNext(): Due | undefined {
    const at = rest.findIndex(({ to }) => to === undefined || !busy.has(to));
    return at === -1 ? undefined : rest.splice(at, 1)[0];
  }
  async function work(): Promise<void> {
    for (let next = takeNext(); next !== undefined && !isClosed(); next = takeNext()) {
      const { id, to } = next;
      // Read again: a sender that was replaced meanwhile is closed.
      const sender = deps.sender();
      if (sender === undefined) return;
      if (to !== undefined) busy.add(to);
      const result = await turn(() => deliverOne(deps, id, sender)).finally(() => busy.delete(to ?? ""));
      if (result !== "taken") moved += 1;
      if (result === "sent" || result === "failed" || result === "waiting") counts[result] += 1;
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: deps.atOnce }, work));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return { counts, hasMore: due.length === MESSAGES_A_RUN && moved > 0 };
}

export type Delivery = ReturnType<typeof createDelivery>;

/** Creates a delivery that has nothing under way. */
export function createDelivery<M>(deps: DeliveryDeps<M>) {
  const { queue, log, words } = deps;
  const tell = createTeller(deps);
  let closed = false;
  let woken = false;

  const run = coalesce(async (): Promise<Run> => {
    woken = false;
    const none = { sent: 0, failed: 0, waiting: 0 };
    if (closed) return { counts: none, hasMore: false };
    if (deps.sender() !== undefined) return runOnce(deps, () => closed);
    const waiting = await queue.listDue({ limit: TOLD_A_RUN, newestFirst: true });
    tell(waiting.toReversed());
    return { counts: { ...none, waiting: waiting.length }, hasMore: false };
  });

  function wake(): void {
    if (woken || closed) return;
    woken = true;
    run().then(
      ({ hasMore }) => {
        if (hasMore) wake();
      },
      (error: unknown) =>
        log.warn(`Waiting ${nouns[words.noun]}s could not be delivered; retrying`, { error }),
    );
  }

  return {
    /** Starts sending in the background, until nothing more is due; to be called after the commit. Never throws. */
    wake,
    /** Sends up to 20 messages that are due. Runs never overlap; a call joins the run that has not begun. */
    deliver: async (): Promise<DeliveryCounts> => (await run()).counts,
    /** Begins no further sending, and resolves when none is on its way. */
    close: async (): Promise<void> => {
      closed = true;
      await run().catch(() => undefined);
    },
  };
}
