/** Jobs that note which of their pings were acknowledged, against a monitor that may be killed at any moment. */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";

/** All that is kept of one heartbeat, with some to spare. */
const MOST_EACH = 95;
const JOBS_AT_ONCE = 6;

const madeSchema = z.object({ id: z.string(), pingKey: z.string() });
const logSchema = z.object({ items: z.array(z.object({ text: z.string(), number: z.number() })) });
const checkSchema = z.object({ heartbeat: z.object({ pings: z.number() }).optional() });

interface Job {
  readonly id: string;
  readonly key: string;
  sent: number;
  readonly acknowledged: Set<string>;
}

export interface PingLoad {
  /** Creates the heartbeats; once, in the first life. */
  prepare(url: string): Promise<void>;
  /** Pings until `isOver`, or until `pings` more are acknowledged; what gets no answer or a refusal is let be. Gives how often that was. */
  go(url: string, isOver: () => boolean): Promise<number>;
  /** Throws unless each acknowledged ping is in the log once, and no other one twice. */
  verify(url: string): Promise<void>;
  /** Pings that were answered with OK. */
  acknowledged(): number;
}

/** `stepMs`: from one answer to the next ping of the same sender. */
export function createPingLoad({
  heartbeats,
  token,
  stepMs = 0,
}: {
  heartbeats: number;
  token: string;
  stepMs?: number;
}): PingLoad {
  const jobs: Job[] = [];
  let turn = 0;
  const headers = { "x-admin-token": token };
  const read = async (url: string): Promise<unknown> => (await fetch(url, { headers })).json();

  async function pingOnce(url: string, job: Job): Promise<void> {
    job.sent += 1;
    const text = `${job.id} ${job.sent}`;
    const answer = await fetch(`${url}/ping/${job.key}`, { method: "POST", body: text });
    // The status may come, and the connection end, before the word that counts.
    if (answer.status === 200 && (await answer.text()) === "OK") job.acknowledged.add(text);
  }

  async function keepPinging(url: string, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      turn += 1;
      const job = jobs[turn % jobs.length];
      if (job === undefined || jobs.every(({ sent }) => sent >= MOST_EACH)) return;
      if (job.sent >= MOST_EACH) continue;
      const isGone = await pingOnce(url, job).then(
        () => false,
        () => true,
      );
      // The program is away: the next life is waited for.
      if (isGone || stepMs > 0) await pause(isGone ? 50 : stepMs);
    }
  }

  return {
    prepare: async (url) => {
      for (let n = 0; n < heartbeats; n += 1) {
        const answer = await fetch(`${url}/api/admin/checks`, {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify({ name: `Job ${n}`, target: { kind: "heartbeat" } }),
        });
        assert.equal(answer.status, 201);
        const { id, pingKey } = madeSchema.parse(await answer.json());
        jobs.push({ id, key: pingKey, sent: 0, acknowledged: new Set() });
      }
    },
    go: async (url, isOver) => {
      const count = (): number =>
        jobs.reduce((sum, { sent, acknowledged }) => sum + sent - acknowledged.size, 0);
      const before = count();
      await Promise.all(Array.from({ length: JOBS_AT_ONCE }, () => keepPinging(url, isOver)));
      return count() - before;
    },
    verify: async (url) => {
      for (const { id, sent, acknowledged } of jobs) {
        const { items } = logSchema.parse(await read(`${url}/api/admin/checks/${id}/pings?limit=200`));
        const texts = items.map(({ text }) => text);
        assert.equal(new Set(texts).size, texts.length, "a ping counted twice");
        const missing = [...acknowledged].filter((text) => !texts.includes(text));
        assert.deepEqual(missing, [], "acknowledged pings are missing");
        assert.ok(texts.length <= sent);
        const { heartbeat } = checkSchema.parse(await read(`${url}/api/admin/checks/${id}`));
        assert.equal(heartbeat?.pings ?? 0, texts.length, "state and log differ");
        // Numbered without a hole: the state and its log are one change.
        assert.deepEqual(
          items.map(({ number }) => number),
          texts.map((_, index) => texts.length - index),
        );
      }
    },
    acknowledged: () => jobs.reduce((sum, job) => sum + job.acknowledged.size, 0),
  };
}
