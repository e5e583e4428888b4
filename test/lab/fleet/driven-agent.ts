/** One agent whose every report the caller writes, over the link of the real one. */
import { createCollectionTimes } from "../../../src/agent/collection-times.ts";
import { createLink } from "../../../src/agent/connection/link.ts";
import { createReportQueue } from "../../../src/agent/queue/report-queue.ts";
import { systemTimers } from "../../../src/agent/timers.ts";
import { createChannelStreams, openChannel } from "../../../src/agent/connection/transport.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import type { FleetKey } from "./servers.ts";

export interface DrivenAgentOptions extends FleetKey {
  /** gRPC address, "host:port". */
  readonly address: string;
  readonly hostname?: string;
}

export interface DrivenAgent {
  /** Sends a report of now, or of `atUnixMs`, which grows; resolves when it is stored. @throws Error when it was rejected */
  send(payloadJson: string, atUnixMs?: number): Promise<void>;
  /** Ends the stream. */
  stop(): Promise<void>;
}

/** Reports that wait while the monitor is away: more are of no use to tests and demonstrations. */
const QUEUE_LIMIT = 100;

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Connects, and comes back whenever the connection is lost, until it is stopped. */
export function startDrivenAgent(options: DrivenAgentOptions): DrivenAgent {
  const { id, agentKey, address, hostname = id } = options;
  const channel = openChannel({ address });
  const queue = createReportQueue({ limit: QUEUE_LIMIT });
  const times = createCollectionTimes(undefined);
  const waiting = new Map<number, Waiting>();
  const stopping = new AbortController();

  function settle(at: number, error?: Error): void {
    const one = waiting.get(at);
    waiting.delete(at);
    if (error === undefined) one?.resolve();
    else one?.reject(error);
  }

  const link = createLink({
    identity: { serverId: id, agentKey, hostname },
    reports: queue,
    open: createChannelStreams(channel),
    clock: systemClock,
    timers: systemTimers,
    log: silentLog,
    random: Math.random,
    events: {
      onAcknowledged: (at) => settle(at),
      onRejected: (at) => settle(at, new Error(`The monitor rejected a report of "${id}"`)),
    },
  });
  const running = link.run(stopping.signal);

  return {
    send: (payloadJson, atUnixMs = Date.now()) =>
      new Promise((resolve, reject) => {
        const collectedAtUnixMs = times.next(atUnixMs);
        waiting.set(collectedAtUnixMs, { resolve, reject });
        for (const dropped of queue.add({ collectedAtUnixMs, payloadJson }))
          settle(dropped.collectedAtUnixMs, new Error(`Too many reports of "${id}" wait`));
        link.wake();
      }),
    async stop() {
      stopping.abort();
      await running;
      channel.close();
      for (const at of waiting.keys()) settle(at, new Error(`The agent "${id}" was stopped`));
    },
  };
}
