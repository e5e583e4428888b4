/** Several buyers who want the last unit of a product at the same moment. */
import type { WorkingDay } from "../world/working-day.ts";
import { Buyer, type BuyerParts } from "./buyers.ts";
import type { Staff } from "./staff.ts";

const BUYERS = 5;
/** Mean time between two rushes, as a multiple of that between two orders of a buyer. */
const PAUSES = 3;
/** Beside those of other buyers. */
const FIRST_NUMBER = 200;

export async function rush(parts: BuyerParts, staff: Staff, day: WorkingDay): Promise<void> {
  const { random, goods, pauseMs } = parts;
  const buyers = Array.from({ length: BUYERS }, (_, number) => new Buyer(parts, FIRST_NUMBER + number));
  while (await day.rest(random.wait(PAUSES * pauseMs))) {
    await staff.restock(goods.last, 1);
    await Promise.all(buyers.map((buyer) => buyer.want(goods.last)));
  }
}
