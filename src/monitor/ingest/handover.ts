/**
 * A node's question to the others about a new agent: which reports are stored already, so that one whose Ack was lost
 * on the way is not stored again.
 */
import { z } from "zod";
import type { Bus } from "../../bus/bus.ts";

const TOPIC = "arrivals";
/** A node that is well answers within milliseconds, or when its disk has what is on its way. */
const TIMEOUT_MS = 300;

const questionSchema = z.object({
  serverId: z.string(),
  createdAt: z.number(),
  /** Of the stream that begins: earlier ones have to end. */
  n: z.number(),
});
/** Times of reports, each as the difference to the one before it: they are hundreds, and alike. */
const answerSchema = z.array(z.number().int());

/** A server; `createdAt` distinguishes it from a later one with its id. */
export type AskedServer = z.infer<typeof questionSchema>;

/** Creates the handover of a bus; `peers` names the other nodes that answer. */
export function createHandover(deps: {
  readonly bus: Bus;
  readonly peers: () => readonly string[];
  /** How long an agent waits for answers. Default 300 ms. */
  readonly timeoutMs?: number | undefined;
}) {
  const { bus, peers, timeoutMs = TIMEOUT_MS } = deps;
  return {
    /** Times of the reports that others stored last; they take no more until the agent comes back. Never rejects. */
    async ask(server: AskedServer): Promise<readonly number[]> {
      const answers = await bus.ask(TOPIC, server, { timeoutMs, nodes: peers() });
      return answers.flatMap(({ answer }) => {
        let at = 0;
        return (answerSchema.safeParse(answer).data ?? []).map((difference) => (at += difference));
      });
    },
    /** Answers what others ask. */
    answer(give: (server: AskedServer) => Promise<readonly number[]>): void {
      bus.answer(TOPIC, async (message) => {
        const times = await give(questionSchema.parse(message));
        return times.length === 0 ? undefined : times.map((at, index) => at - (times[index - 1] ?? 0));
      });
    },
  };
}

/** The other nodes, as far as agents move between them. */
export type Handover = ReturnType<typeof createHandover>;
