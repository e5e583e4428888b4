/** The search by halves, for whatever is sorted and counted. */

/**
 * The first place, from 0 to `length`, of what does not come before what is looked for.
 * @param comesBefore true for a beginning of the places and false for the rest
 */
export function findFirst(length: number, comesBefore: (place: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comesBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
