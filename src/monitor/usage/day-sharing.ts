/**
 * What a flush made of servers' days, told to the other processes. One that is lost is noticed by the next, whose
 * version does not follow.
 */
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
export interface ToldDays {
  readonly serverId: string;
  /** Tells a server from one that was made again under its id. */
  readonly createdAt: number;
  readonly stored: StoredDays;
}

/** Tells the others. */
export function tellDays(bus: Bus, told: readonly ToldDays[]): void {
  if (!bus.isShared || told.length === 0) return;
  const message: z.infer<typeof messageSchema> = told.map(({ serverId, createdAt, stored }) => ({
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

/** Calls `listener` with what others tell; returns what ends it. */
export function hearDays(bus: Bus, listener: (told: readonly ToldDays[]) => void): () => void {
  return bus.subscribe(TOPIC, (message) => {
    const told = messageSchema
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
    listener(told);
  });
}
