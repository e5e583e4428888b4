/** The service's time for words such as "5 minutes ago". */
import { serviceNow } from "./fleet.ts";
import { createObservable, useSelected } from "./observable.ts";

const TICK_MS = 1_000;
const now = createObservable(serviceNow());
setInterval(() => now.set(serviceNow()), TICK_MS);

/** The service's time, epoch ms; the component is drawn again every `stepMs`. */
export function useNow(stepMs: number): number {
  return useSelected(now, (ms) => Math.floor(ms / stepMs), [stepMs]) * stepMs;
}
