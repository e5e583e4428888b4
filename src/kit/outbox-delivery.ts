/**
 * Sends what waits in the outbox: at most two mails at once, one run after the other. Hidden here: how runs
 * are started and ended, and what the log says of mails that nobody can send.
 */
import { coalesce } from "./coalesce.ts";
import type { Log } from "./log.ts";
import type { MailMessage, MailOutcome, MailSender } from "./mail.ts";

const MAILS_A_RUN = 20;
const AT_ONCE = 2;
/** Waiting mails that are looked at in one run, and remembered as told, while no SMTP server is set. */
const TOLD_A_RUN = 200;
const TOLD_MEMORY = 2_000;

interface QueuedMail {
  readonly id: string;
  readonly kind: string;
}

/** A mail that this process may send now; without `message` its text cannot be opened. */
export interface ClaimedMail extends QueuedMail {
  readonly attempts: number;
  readonly message: MailMessage | undefined;
}

/** Why there is no claim: another process has the mail, its time is over, or it is not wanted any more. */
export type NoClaim = "taken" | "expired" | "dropped" | "held";
export type Claim = ClaimedMail | NoClaim;

/** Where mails wait. */
export interface MailQueue {
  listDue(options: {
    readonly limit: number;
    readonly newestFirst?: boolean;
  }): Promise<readonly QueuedMail[]>;
  claim(id: string): Promise<Claim>;
  settle(claimed: ClaimedMail, outcome: MailOutcome): Promise<void>;
}

/** Mails of one run: sent, refused for good, and those that wait on. */
export interface DeliveryCounts {
  readonly sent: number;
  readonly failed: number;
  readonly waiting: number;
}

export interface Delivery {
  /** Starts sending in the background, until nothing more is due; to be called after the commit. Never throws. */
  wake(): void;
  /** Sends up to 20 mails that are due. Runs never overlap; a call joins the run that has not begun. */
  deliver(): Promise<DeliveryCounts>;
  /** Begins no further sending, and resolves when none is on its way. */
  close(): Promise<void>;
}

export interface DeliveryDeps {
  readonly queue: MailQueue;
  readonly log: Log;
  /** Asked before each mail; undefined while no SMTP server is set. */
  readonly sender: () => MailSender | undefined;
}

interface Run {
  readonly counts: DeliveryCounts;
  /** More mails may be due. */
  readonly hasMore: boolean;
}

async function send({ log }: DeliveryDeps, mail: ClaimedMail, sender: MailSender): Promise<MailOutcome> {
  if (mail.message === undefined) {
    return { status: "permanent", reason: "The text was sealed with another secret key and cannot be read" };
  }
  try {
    return await sender.send(mail.message);
  } catch (error) {
    // Against the promise of the port. Its words might quote the mail, so the log gets its name alone.
    log.error("A mail sender threw", { mailId: mail.id, error: error instanceof Error ? error.name : "" });
    return { status: "temporary", reason: "The mail could not be sent" };
  }
}

const noClaimWords: Readonly<Record<NoClaim, string | undefined>> = {
  taken: undefined,
  expired: "A mail went unsent: its time was over",
  dropped: "A mail was dropped: its kind is switched off",
  held: "A mail was held back; an administrator can send it by a retry",
};

/** What became of one mail. */
async function deliverOne(
  deps: DeliveryDeps,
  id: string,
  sender: MailSender,
): Promise<keyof DeliveryCounts | NoClaim> {
  const claimed = await deps.queue.claim(id);
  if (typeof claimed === "string") {
    const words = noClaimWords[claimed];
    if (words !== undefined) deps.log.warn(words, { mailId: id });
    return claimed;
  }
  const outcome = await send(deps, claimed, sender);
  await deps.queue.settle(claimed, outcome);
  if (outcome.status === "sent") return "sent";
  const { kind, attempts } = claimed;
  deps.log.warn("A mail was not sent", { mailId: id, kind, attempts, status: outcome.status });
  return outcome.status === "permanent" ? "failed" : "waiting";
}

/** Says once for each mail that it waits for settings. */
function createTeller(log: Log): (waiting: readonly QueuedMail[]) => void {
  const told = new Set<string>();
  return (waiting) => {
    for (const { id, kind } of waiting) {
      if (told.has(id)) continue;
      log.info("A mail waits in the outbox; no SMTP server is set", { mailId: id, kind });
      told.add(id);
      if (told.size > TOLD_MEMORY) told.delete(told.values().next().value ?? "");
    }
  };
}

/** One pass over what is due. Rejects with what the store throws, when both workers have ended. */
async function runOnce(deps: DeliveryDeps, isClosed: () => boolean): Promise<Run> {
  const counts = { sent: 0, failed: 0, waiting: 0 };
  let moved = 0;
  const due = await deps.queue.listDue({ limit: MAILS_A_RUN });
  const ids = due.map(({ id }) => id);
  async function work(): Promise<void> {
    for (let id = ids.shift(); id !== undefined && !isClosed(); id = ids.shift()) {
      // Asked anew: a sender that was replaced meanwhile is closed.
      const sender = deps.sender();
      if (sender === undefined) return;
      const result = await deliverOne(deps, id, sender);
      if (result !== "taken") moved += 1;
      if (result === "sent" || result === "failed" || result === "waiting") counts[result] += 1;
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return { counts, hasMore: due.length === MAILS_A_RUN && moved > 0 };
}

/** Makes a delivery that has nothing under way. */
export function createDelivery(deps: DeliveryDeps): Delivery {
  const { queue, log } = deps;
  const tell = createTeller(log);
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
      (error: unknown) => log.warn("Mails could not be delivered; they are tried again", { error }),
    );
  }

  return {
    wake,
    deliver: async () => (await run()).counts,
    close: async () => {
      closed = true;
      await run().catch(() => undefined);
    },
  };
}
