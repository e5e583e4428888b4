/** A receiver of the shop's webhooks: now and then it fails, is slow, or takes an event without saying so. */
import { z } from "zod";
import type { Kernel } from "../kernel/kernel.ts";
import { type Random, createRandom } from "../kernel/random.ts";
import type { Outside } from "../world/outside.ts";

export const RECEIVER = "erp.example";

const eventSchema = z.looseObject({ type: z.string(), data: z.unknown() });

export class Receiver {
  /** "order.paid ord_…" of all events that were taken. */
  readonly taken = new Set<string>();
  /** It takes all at once. */
  isCalm = false;
  readonly #kernel: Kernel;
  readonly #random: Random;

  constructor(kernel: Kernel, outside: Outside) {
    this.#kernel = kernel;
    this.#random = createRandom(kernel.seed, "receiver");
    outside.serve(RECEIVER, (request) => this.#receive(request));
  }

  async #receive(request: Request): Promise<Response> {
    const random = this.#random;
    if (!this.isCalm && random.chance(0.05)) await this.#kernel.sleep(random.wait(20_000));
    if (!this.isCalm && random.chance(0.05)) return new Response("busy", { status: random.pick([500, 503]) });
    const { type, data } = eventSchema.parse(await request.json());
    const id = /"id":"(ord_\w+)"/u.exec(JSON.stringify(data))?.[1];
    this.taken.add(`${type} ${id}`);
    if (!this.isCalm && random.chance(0.05)) return new Response("too late", { status: 504 });
    return new Response("ok");
  }
}
