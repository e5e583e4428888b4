/** A demo that starts over again and again: the next one is filled beside the present one, which stays when that fails. */
import { textOf } from "../../../src/kit/thrown.ts";

export interface Running {
  stop(): Promise<void>;
}

export interface Rounds<Filled, Demo extends Running> {
  /** Creates the data of the next demo. */
  readonly fill: () => Promise<Filled>;
  /** Starts a filled demo, so that visitors get it from now on. Cleans up after itself when it fails. */
  readonly start: (filled: Filled) => Promise<Demo>;
  /** Waits for the next round. */
  readonly wait: () => Promise<void>;
  /** Resolves when everything is to end. */
  readonly stopped: Promise<unknown>;
  readonly say: (text: string) => void;
}

/** Runs until `stopped`; resolves at once then, also in the middle of a round. */
export async function runRounds<Filled, Demo extends Running>(
  first: Demo,
  { fill, start, wait, stopped, say }: Rounds<Filled, Demo>,
): Promise<void> {
  let running = first;
  let isEnded = false;
  const end = stopped.then(() => {
    isEnded = true;
  });
  while (!isEnded) {
    await Promise.race([end, wait()]);
    if (isEnded) break;
    const replace = async (): Promise<void> => {
      const filled = await fill();
      if (isEnded) return;
      const next = await start(filled);
      const last = running;
      running = next;
      await last.stop();
      say("The demo has started over");
    };
    const round = replace().catch((error: unknown) =>
      say(`The demo could not start over, and goes on as it is: ${textOf(error)}`),
    );
    await Promise.race([end, round]);
  }
  await running.stop();
}
