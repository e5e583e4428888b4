/** People of a load: they go on until it is over, and do again what a program that was away did not answer. */
import { NotNow } from "../../../shop/kill-load.ts";
import { pause } from "../case.ts";

/** The program says that it cannot now. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/** Throws for an answer that means "not now". */
export function assertNow(status: number | undefined): void {
  if (status === 503 || status === 429) throw new Refused(String(status));
}

/** Whether a request had no answer, or "not now": what fetch and node:http throw for a connection that broke. */
export function isNotNow(error: unknown): boolean {
  if ([Refused, NotNow, TypeError, DOMException].some((kind) => error instanceof kind)) return true;
  const code: unknown = Reflect.get(Object(error), "code");
  return typeof code === "string" && /^E(?:CONN|PIPE|TIMEDOUT)/u.test(code);
}

export interface Persons {
  /** How many go on at once. */
  readonly count: number;
  /** From one step to the next, milliseconds. */
  readonly stepMs: number;
}

/**
 * Each person takes one step after another until `isOver`; gives how often it was "not now".
 * @throws what a step throws besides
 */
export async function keepOn(
  { count, stepMs }: Persons,
  { isOver, step }: { isOver: () => boolean; step: (person: number) => Promise<void> },
): Promise<number> {
  let refused = 0;
  async function live(person: number): Promise<void> {
    while (!isOver()) {
      await step(person).catch((error: unknown) => {
        if (!isNotNow(error)) throw error;
        refused += 1;
      });
      await pause(stepMs);
    }
  }
  await Promise.all(Array.from({ length: count }, (_, person) => live(person)));
  return refused;
}
