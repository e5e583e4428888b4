/** States of heartbeats between nodes: whoever stored a ping says so, and the leader judges. */
import { z } from "zod";
import type { Bus } from "../../bus/bus.ts";
import { type HeartbeatState, heartbeatStateSchema } from "./schema.ts";

const TOPIC = "heartbeats";
/** What comes within this time travels together. */
const SEND_MS = 50;
/** States in one message, some 3 kB each at most. */
const STATES_A_MESSAGE = 200;

const messageSchema = z.object({ states: z.array(heartbeatStateSchema).max(STATES_A_MESSAGE) });

/** Joins the nodes; a message that is lost is made good by the store, which the leader reads now and then. */
export function createStateSharing({
  bus,
  onState,
}: {
  readonly bus: Bus;
  /** Called with the states of other nodes, newer or older than what is known. */
  readonly onState: (state: HeartbeatState) => void;
}) {
  const waiting = new Map<string, HeartbeatState>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const send = (): void => {
    timer = undefined;
    const states = [...waiting.values()];
    waiting.clear();
    for (let at = 0; at < states.length; at += STATES_A_MESSAGE)
      bus.publish(TOPIC, { states: states.slice(at, at + STATES_A_MESSAGE) });
  };
  const unsubscribe = bus.subscribe(TOPIC, (message) => {
    for (const state of messageSchema.parse(message).states) onState(state);
  });

  return {
    publish: (state: HeartbeatState): void => {
      if (!bus.isShared) return;
      waiting.set(state.id, state);
      timer ??= setTimeout(send, SEND_MS);
    },
    close: (): void => {
      clearTimeout(timer);
      if (timer !== undefined) send();
      unsubscribe();
    },
  };
}
