/** The past of sparklines, asked of the history. */
import type { z } from "zod";
import type { historySchema } from "../../monitor/history/schema.ts";
import { request } from "./api.ts";
import { sparks } from "./fleet.ts";
import { SPARK_SPAN_MS, SPARK_SPANS } from "./sparks.ts";

const AT_ONCE = 4;
/** Finer than the spans, so that each of them gets one. */
const POINTS = 3 * SPARK_SPANS;
/** A server that is scrolled past is not asked for. */
const REST_MS = 150;

interface Wanted {
  readonly id: string;
  readonly done: () => void;
}

const seeded = new Set<string>();
const waiting = new Set<Wanted>();
let running = 0;

async function load({ id, done }: Wanted): Promise<void> {
  running += 1;
  seeded.add(id);
  try {
    const path = `/api/servers/${encodeURIComponent(id)}/history?metric=cpu.usagePercent&points=${POINTS}`;
    const { items } = await request<z.infer<typeof historySchema>>(path);
    sparks.seed(id, items[0]?.points ?? []);
    done();
  } catch {
    // A line without a past grows by itself; the next look at the server asks again.
    setTimeout(() => seeded.delete(id), SPARK_SPAN_MS);
  } finally {
    running -= 1;
    pump();
  }
}

function pump(): void {
  for (const wanted of waiting) {
    if (running >= AT_ONCE) return;
    waiting.delete(wanted);
    void load(wanted);
  }
}

/** Requests the history of a server that came into view; returns how to cancel that. */
export function seedSpark(id: string, done: () => void): () => void {
  if (seeded.has(id)) return () => undefined;
  const wanted = { id, done };
  const timer = setTimeout(() => {
    waiting.add(wanted);
    pump();
  }, REST_MS);
  return () => {
    clearTimeout(timer);
    waiting.delete(wanted);
  };
}
