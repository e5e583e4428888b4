/** Reports of the last minutes at other nodes, which the rollups still lack. */
import { z } from "zod";
import type { Bus } from "../../bus/bus.ts";
import { fromBase64, toBase64 } from "../../kit/text/base64.ts";
import { ByteReader, createByteWriter } from "../../kit/text/varint.ts";
import { STATS } from "../../store/series/rollups/bucket.ts";
import { readBuckets, writeBuckets } from "../../store/series/rollups/bucket-codec.ts";
import type { RollupBucket } from "../../store/series/rollups/rollups.ts";

const TOPIC = "history";
/** A chart waits so long; a node that is well answers within some milliseconds. */
const TIMEOUT_MS = 300;
/** Bytes of spans in an answer. Beyond them the oldest are left out. */
const MAX_BYTES = 500_000;

const questionSchema = z.object({
  serverId: z.string(),
  /** Of the rollups: distinguishes a server from a later one with its id. */
  key: z.string(),
  /** Width of the spans in ms; 0 asks for single reports. */
  stepMs: z.number().int().min(0),
  /** Epoch ms, inclusive. */
  from: z.number(),
  /** Epoch ms, exclusive. */
  to: z.number(),
  /** Numbers of the metrics. */
  columns: z.array(z.number().int().min(0)),
});

/** A query to other nodes. */
export type HistoryQuestion = z.infer<typeof questionSchema>;

const answerSchema = z.object({
  origin: z.string(),
  parts: z.array(z.object({ seq: z.number(), data: z.base64() })),
});

/** Spans of one segment of a node's sample log; a single report is a span of itself. */
export interface TimedPart {
  readonly seq: number;
  /** Sorted by time. */
  readonly buckets: readonly RollupBucket[];
}

/** The same, and whose they are. */
export interface OriginPart extends TimedPart {
  readonly origin: string;
}

/** The others of a process that is alone. */
export const nobodyElse: Others = { ask: async () => [], answer: () => undefined };

/** Only send what was requested. */
function pick({ at, stats }: RollupBucket, columns: readonly number[]): RollupBucket {
  const picked = new Float64Array(stats.length);
  for (const column of columns) {
    const base = column * STATS;
    picked.set(stats.subarray(base, base + STATS), Math.min(base, stats.length));
  }
  return { at, stats: picked };
}

function encode(buckets: readonly RollupBucket[], maxBytes: number): Uint8Array {
  const writer = createByteWriter(1_024);
  for (let kept = buckets; ; kept = kept.slice(Math.ceil(kept.length / 2))) {
    writer.clear();
    writeBuckets(writer, kept);
    const bytes = writer.take();
    if (bytes.byteLength <= maxBytes || kept.length === 0) return bytes;
  }
}

/** Creates the others of a bus; `peers` names those that are alive. */
export function createOthers(deps: {
  readonly bus: Bus;
  readonly origin: string;
  readonly peers: () => readonly string[];
  /** How long a chart waits for answers. Default 300 ms. */
  readonly timeoutMs?: number | undefined;
  /** Topic of the requests. Default "history". */
  readonly topic?: string;
  /** For tests. Default 500,000. */
  readonly maxBytes?: number;
}) {
  const { bus, origin, peers, timeoutMs = TIMEOUT_MS, topic = TOPIC, maxBytes = MAX_BYTES } = deps;

  function read(answer: unknown): OriginPart[] {
    const parsed = answerSchema.safeParse(answer);
    if (!parsed.success) return [];
    try {
      return parsed.data.parts.map(({ seq, data }) => ({
        origin: parsed.data.origin,
        seq,
        buckets: readBuckets(new ByteReader(fromBase64(data))),
      }));
    } catch {
      return []; // bytes of another version, as good as no answer
    }
  }

  return {
    /** The data of all others; never rejects. */
    async ask(question: HistoryQuestion): Promise<readonly OriginPart[]> {
      const answers = await bus.ask(topic, question, { timeoutMs, nodes: peers() });
      return answers.flatMap(({ answer }) => read(answer));
    },
    /** Answers what others ask; `find` gives undefined for what is not known here. */
    answer(find: (question: HistoryQuestion) => readonly TimedPart[] | undefined): void {
      bus.answer(topic, (message) => {
        const question = questionSchema.parse(message);
        const parts = find(question);
        if (parts === undefined || parts.length === 0) return undefined;
        const encoded = parts.map(({ seq, buckets }) => {
          const picked = buckets.map((bucket) => pick(bucket, question.columns));
          return { seq, data: toBase64(encode(picked, maxBytes / parts.length)) };
        });
        return { origin, parts: encoded };
      });
    },
  };
}

/** The other nodes, as far as the history asks them. */
export type Others = ReturnType<typeof createOthers>;
