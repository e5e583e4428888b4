/** The collections of heartbeats. */
import { defineCollection } from "../../store/store.ts";
import { heartbeatStateSchema, pingRecordSchema, watchRecordSchema } from "./schema.ts";

export const heartbeatStates = defineCollection({
  name: "heartbeatStates",
  revision: 1,
  schema: heartbeatStateSchema,
});

/** The newest pings of each heartbeat. */
export const heartbeatPings = defineCollection({
  name: "heartbeatPings",
  revision: 1,
  schema: pingRecordSchema,
});

export const WATCH_ID = "watch";

export const heartbeatWatch = defineCollection({
  name: "heartbeatWatch",
  revision: 1,
  schema: watchRecordSchema,
});

/** The id of a ping: ids of one check sort as its pings came. */
export function toPingId(checkId: string, number: number): string {
  return `${checkId}:${String(number).padStart(12, "0")}`;
}
