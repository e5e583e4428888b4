/** Writes the history of checks: rows of the sample log, and then of the history itself. */
import type { Clock } from "../../../kit/time/clock.ts";
import type { Log } from "../../../kit/observe/log.ts";
import type { SampleLog } from "../../../store/series/samples/samples.ts";
import type { History } from "../../history/history.ts";
import { metricIndex, metricKinds } from "../../base/metrics.ts";
import { toKey } from "../../base/server-key.ts";
import type { CheckSeries } from "../series.ts";

const LATENCY = metricIndex("check.latencyMs");
const UP = metricIndex("check.upPercent");

export interface CheckRow {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Undefined: unknown, or the row only has a latency. */
  readonly isUp?: boolean | undefined;
  readonly latencyMs?: number | undefined;
}

export interface CheckRowsDeps {
  readonly samples: Pick<SampleLog, "append">;
  readonly history: Pick<History, "insert" | "assertRoom">;
  /** Whether the series is still there when its row is durable. */
  readonly findSeries: (id: string) => CheckSeries | undefined;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

/** The rows of this node. */
export class CheckRows {
  readonly #deps: CheckRowsDeps;
  /** Rows that were lost since the last that was stored. */
  #lost = 0;

  constructor(deps: CheckRowsDeps) {
    this.#deps = deps;
  }

  /** Stores a row; resolves when it is durable. Throws `store_unavailable`. */
  async store(series: CheckSeries, { at, isUp, latencyMs }: CheckRow): Promise<void> {
    const { samples, history, findSeries, clock } = this.#deps;
    if (isUp === undefined && latencyMs === undefined) return;
    history.assertRoom();
    const values = Array.from({ length: metricKinds.length }, () => Number.NaN);
    if (latencyMs !== undefined) values[LATENCY] = latencyMs;
    if (isUp !== undefined) values[UP] = isUp ? 100 : 0;
    const key = toKey(series.id, series.createdAt);
    const seq = await samples.append({ key, at, receivedAt: clock.now(), values });
    if (findSeries(series.id)?.createdAt === series.createdAt) history.insert(series.id, { at, values, seq });
  }

  /** The same without waiting: a row that cannot be stored is lost, which is logged once per outage. */
  note(series: CheckSeries | undefined, row: CheckRow): void {
    if (series === undefined) return;
    this.store(series, row).then(
      () => {
        if (this.#lost > 0) this.#deps.log.info("Check results can be stored again", { lost: this.#lost });
        this.#lost = 0;
      },
      (error: unknown) => {
        if (this.#lost === 0) this.#deps.log.warn("Check results cannot be stored", { error });
        this.#lost += 1;
      },
    );
  }
}
