/** One action on many: a few at a time, none stops the others. */
import { toMessage } from "../../ui/forms/fault-words.ts";

/** Requests on the way at once. */
const AT_ONCE = 4;

export interface Failure<T> {
  readonly item: T;
  readonly message: string;
}

/** Does `work` for each; reports how many are done, and returns those that failed. */
export async function runEach<T>(
  items: readonly T[],
  { work, onProgress }: { work: (item: T) => Promise<unknown>; onProgress: (done: number) => void },
): Promise<readonly Failure<T>[]> {
  const failures: Failure<T>[] = [];
  const waiting = [...items];
  let done = 0;
  async function workOn(): Promise<void> {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await work(item);
      } catch (error) {
        failures.push({ item, message: toMessage(error) });
      }
      done += 1;
      onProgress(done);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, workOn));
  return failures;
}
