/** Publishes the result of a flush to the other processes. A lost message shows in the next one by a version gap. */
import { z } from "zod";
import type { Bus } from "../../bus/bus.ts";
import type { StoredDays } from "./bookmarks.ts";
import { dayTupleSchema, trafficCounterSchema } from "./schema.ts";

const TOPIC = "day-book";

const messageSchema = z.array(
  z.object({
    serverId: z.string(),
    createdAt: z.number(),
    version: z.number(),
    counter: trafficCounterSchema.optional(),
    origin: z.string().optional(),
    days: z.array(dayTupleSchema),
  }),
);

/** A server's days after a flush. */
export interface FlushedDays {
  readonly serverId: string;
  /** Distinguishes a server from a later one with its id. */
  readonly createdAt: number;
  readonly stored: StoredDays;
}

/** Publishes flushed days to the other processes. */
export function publishDays(bus: Bus, flushed: readonly FlushedDays[]): void {
  if (!bus.isShared || flushed.length === 0) return;
  const message: z.infer<typeof messageSchema> = flushed.map(({ serverId, createdAt, stored }) => ({
    serverId,
    createdAt,
    version: stored.version,
    ...(stored.counter === undefined ? {} : { counter: stored.counter }),
    ...(stored.origin === undefined ? {} : { origin: stored.origin }),
    days: stored.days.map(([day, sums]) => [
      day,
      sums.rxBytes,
      sums.txBytes,
      sums.upMinutes,
      sums.knownMinutes,
    ]),
  }));
  bus.publish(TOPIC, message);
}

/** Calls `listener` with what other processes flush; returns the function that ends it. */
export function subscribeDays(bus: Bus, listener: (flushed: readonly FlushedDays[]) => void): () => void {
  return bus.subscribe(TOPIC, (message) => {
    const flushed = messageSchema
      .parse(message)
      .map(({ serverId, createdAt, version, counter, origin, days }) => ({
        serverId,
        createdAt,
        stored: {
          version,
          counter,
          origin,
          days: days.map(
            ([day, rxBytes, txBytes, upMinutes, knownMinutes]) =>
              [day, { rxBytes, txBytes, upMinutes, knownMinutes }] as const,
          ),
        },
      }));
    listener(flushed);
  });
}
