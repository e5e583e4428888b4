/** The service's clock, which a reader's own may be far from. */

let offsetMs = 0;

/** The service's time now, epoch ms. */
export function serviceNow(): number {
  return Date.now() + offsetMs;
}

/** Sets the service's clock to `nowMs`. */
export function setServiceNow(nowMs: number): void {
  offsetMs = nowMs - Date.now();
}
