/** Whether something that a service sends is waiting, sent or failed: the same for emails, webhooks and notifications. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Badge } from "./pieces.tsx";

const kinds = { waiting: "warn", failed: "bad", sent: "good" } as const;

export type QueueState = keyof typeof kinds;

/** The word in its color. */
export function QueueBadge({ state }: { state: QueueState }): JSX.Element {
  return <Badge kind={kinds[state]}>{text(`admin.queue.${state}`)}</Badge>;
}

/** The filter of a list by it. */
export const queueFilter = {
  name: "state",
  label: "admin.column.state",
  as: "segments",
  values: ["waiting", "failed", "sent"],
  words: "admin.queue",
  any: "admin.outbox.all",
} as const;
