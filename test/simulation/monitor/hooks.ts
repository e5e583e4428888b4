/** A receiver of notifications: now and then it fails, is slow, or takes one without saying so. */
import { z } from "zod";
import type { Kernel } from "../kernel/kernel.ts";
import { type Random, createRandom } from "../kernel/random.ts";
import type { Outside } from "../world/outside.ts";

export const HOOKS = "hooks.example";

const noticeSchema = z.object({
  kind: z.string(),
  /** The incident. */
  key: z.string(),
  title: z.string(),
});

/** What the channel is told to send. */
export const HOOK_BODY = `{${Object.keys(noticeSchema.shape)
  .map((name) => `"${name}":{{json ${name}}}`)
  .join(",")}}`;

export interface TakenNotice extends z.infer<typeof noticeSchema> {
  /** When it was sent and taken, in virtual milliseconds: a slow one may be taken after one that was sent later. */
  readonly sentMs: number;
  readonly atMs: number;
  /** Whether the receiver said in time that it has it. */
  readonly isAnswered: boolean;
}

export class Hooks {
  readonly taken: TakenNotice[] = [];
  /** While it is set, it answers at once and well. */
  isCalm = false;
  readonly #kernel: Kernel;
  readonly #random: Random;

  constructor(kernel: Kernel, outside: Outside) {
    this.#kernel = kernel;
    this.#random = createRandom(kernel.seed, "hooks");
    outside.serve(HOOKS, (request) => this.#receive(request));
  }

  async #receive(request: Request): Promise<Response> {
    const random = this.#random;
    const sentMs = this.#kernel.nowMs;
    const happens = (chance: number): boolean => random.chance(chance) && !this.isCalm;
    const isSlow = happens(0.05);
    if (isSlow) await this.#kernel.sleep(random.wait(20_000));
    if (happens(0.1)) return new Response("busy", { status: random.pick([429, 500, 503]) });
    const notice = noticeSchema.parse(await request.json());
    const isTaken = !happens(0.05);
    // The sender may have given up on a slow one, and sends it again.
    this.taken.push({ ...notice, sentMs, atMs: this.#kernel.nowMs, isAnswered: isTaken && !isSlow });
    this.#kernel.trace(`hooks take ${notice.kind} of ${notice.key}`);
    return new Response("", { status: isTaken ? 200 : 504 });
  }

  has(kind: string, key: string): boolean {
    return this.taken.some((notice) => notice.kind === kind && notice.key === key);
  }
}
