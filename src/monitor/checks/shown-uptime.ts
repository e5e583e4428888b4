/** Uptime of checks for the dashboard. Kept for a while, so that visitors cause few reads however many they are. */
import type { Clock } from "../../kit/time/clock.ts";
import type { CheckHistory, CheckSpan } from "./check-history.ts";
import type { UptimeSpan } from "./shown-schema.ts";

/** How long an answer is kept. */
const KEPT_MS: Readonly<Record<UptimeSpan, number>> = { "24h": 60_000, "90d": 300_000 };
/** The same of a check without results: the first one comes soon. */
const EMPTY_KEPT_MS = 5_000;

interface Kept {
  readonly atMs: number;
  readonly answer: CheckSpan;
}

export class ShownUptime {
  readonly #history: Pick<CheckHistory, "spans">;
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #kept: Readonly<Record<UptimeSpan, Map<string, Kept>>> = { "24h": new Map(), "90d": new Map() };

  constructor(deps: {
    readonly history: Pick<CheckHistory, "spans">;
    readonly clock: Pick<Clock, "monotonic">;
  }) {
    this.#history = deps.history;
    this.#clock = deps.clock;
  }

  /** The uptime of these checks, which all exist. @throws AppError `store_unavailable` */
  async read(ids: readonly string[], span: UptimeSpan): Promise<readonly CheckSpan[]> {
    const kept = this.#kept[span];
    const atMs = this.#clock.monotonic();
    const isFresh = (id: string): boolean => {
      const found = kept.get(id);
      if (found === undefined) return false;
      return atMs - found.atMs < (found.answer.upPercent === null ? EMPTY_KEPT_MS : KEPT_MS[span]);
    };
    for (const answer of await this.#history.spans(
      ids.filter((id) => !isFresh(id)),
      span,
    ))
      kept.set(answer.id, { atMs, answer });
    return ids.flatMap((id) => kept.get(id)?.answer ?? []);
  }

  /** Forgets checks that are gone. */
  drop(ids: readonly string[]): void {
    for (const kept of Object.values(this.#kept)) for (const id of ids) kept.delete(id);
  }
}
