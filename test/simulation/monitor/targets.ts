/** What checks look at: websites that are well, slow, wrong, away, or come and go. */
import type { Kernel } from "../kernel/kernel.ts";
import { type Random, createRandom } from "../kernel/random.ts";
import type { Outside } from "../world/outside.ts";

const MINUTE = 60_000;
export const FAILURES = 2;

export const targets = ["steady", "slow", "wrong", "away", "flapping", "long", "lacking"] as const;
export type TargetName = (typeof targets)[number];

/** What the answers of some must have, or must not have: these never do as they should. */
export const rules: Readonly<Partial<Record<TargetName, object>>> = {
  long: { excludes: "Out of order" },
  lacking: { json: { path: "$.state", operator: "!=", value: "down" } },
};

/** Longer than what is read of answers that say nothing. */
const LONG = `${"All is well. ".repeat(10_000)}Out of order`;

export const hostOf = (name: TargetName): string => `${name}.example`;

/** Attempts at one target, as the network saw them. */
interface Attempts {
  /** Failures in a row. */
  failures: number;
  /** How often as many failed in a row as make a check "down". */
  falls: number;
}

export class Targets {
  readonly attempts = new Map<string, Attempts>();
  readonly #kernel: Kernel;
  readonly #random: Random;

  constructor(kernel: Kernel, outside: Outside) {
    this.#kernel = kernel;
    this.#random = createRandom(kernel.seed, "targets");
    for (const name of targets) if (name !== "away") outside.serve(hostOf(name), () => this.#answer(name));
    const broken = new Set(targets.filter((name) => name in rules).map(hostOf));
    outside.onEnd = (url, status) => this.#note(url.host, status === 200 && !broken.has(url.host));
  }

  async #answer(name: TargetName): Promise<Response> {
    const { nowMs } = this.#kernel;
    await this.#kernel.sleep(this.#random.wait(name === "slow" ? 1_500 : 40));
    if (name === "wrong") return new Response("broken", { status: 500 });
    // Up for seven minutes, down for three.
    if (name === "flapping" && nowMs % (10 * MINUTE) > 7 * MINUTE)
      return new Response("busy", { status: 503 });
    if (name === "long") return new Response(LONG);
    return new Response(name === "lacking" ? "{}" : "fine");
  }

  #note(host: string, isGood: boolean): void {
    const attempts = this.attempts.get(host) ?? { failures: 0, falls: 0 };
    this.attempts.set(host, attempts);
    attempts.failures = isGood ? 0 : attempts.failures + 1;
    if (attempts.failures === FAILURES) attempts.falls += 1;
  }
}
