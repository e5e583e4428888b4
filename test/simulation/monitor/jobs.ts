/** Jobs that say that they live, by a request each minute. */
import { z } from "zod";
import { Client, type ClientParts, Violation } from "../world/client.ts";
import { MONITOR_PORT, type Operator } from "./operator.ts";

const checkSchema = z.object({ heartbeat: z.object({ pings: z.number() }).optional() });

export class Job {
  readonly #parts: ClientParts;
  readonly #client: Client;
  readonly #heartbeat: { readonly id: string; readonly pingKey: string };
  sent = 0;
  acknowledged = 0;

  constructor(parts: ClientParts, heartbeat: { readonly id: string; readonly pingKey: string }) {
    this.#parts = parts;
    this.#heartbeat = heartbeat;
    this.#client = new Client(parts, { name: "job", port: MONITOR_PORT, from: "10.4.0.1" });
  }

  async run(isOver: () => boolean): Promise<void> {
    const { kernel, random } = this.#parts;
    while (!isOver()) {
      await kernel.sleep(55_000 + random.below(10_000));
      if (isOver()) return;
      this.sent += 1;
      // Not repeated, as each is counted.
      const answer = await this.#client.insist(`/ping/${this.#heartbeat.pingKey}`, {}, 1);
      if (answer?.status === 200) this.acknowledged += 1;
    }
  }

  /** Each ping that was acknowledged is counted. @throws Violation */
  async check(operator: Operator): Promise<void> {
    const json = await operator.must(`/api/admin/checks/${this.#heartbeat.id}`, { method: "GET" }, 200);
    const { pings = 0 } = checkSchema.parse(json).heartbeat ?? {};
    if (pings < this.acknowledged || pings > this.sent)
      throw new Violation(`${pings} pings are stored; ${this.acknowledged} to ${this.sent} were sent`);
  }
}
