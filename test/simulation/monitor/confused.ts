/** A machine whose program sends reports that can't be read. */
import { z } from "zod";
import { START_MS } from "../kernel/kernel.ts";
import { Client, type ClientParts, Violation } from "../world/client.ts";
import { type AgentKey, MONITOR_PORT, type Operator } from "./operator.ts";

const EVERY_MS = 20_000;

const shownSchema = z.object({ state: z.string(), agent: z.object({ reports: z.string().optional() }) });

export class Confused {
  readonly #parts: ClientParts;
  readonly #client: Client;
  readonly #place: AgentKey;

  constructor(parts: ClientParts, place: AgentKey) {
    this.#parts = parts;
    this.#client = new Client(parts, { name: "confused", port: MONITOR_PORT, from: "10.4.1.1" });
    this.#place = place;
  }

  async run(isOver: () => boolean): Promise<void> {
    const { kernel } = this.#parts;
    while (!isOver()) {
      const report = {
        collectedAt: new Date(START_MS + Math.floor(kernel.nowMs)).toISOString(),
        payload: { v: 1, cpu: "hot" },
      };
      const headers = { authorization: `Bearer ${this.#place.key}` };
      const path = `/api/agent/report?server=${this.#place.id}`;
      await this.#client.insist(path, { method: "POST", headers, body: { reports: [report] } }, 1);
      await kernel.sleep(EVERY_MS);
    }
  }

  /** The administrator sees that its reports are rejected. @throws Violation */
  async check(operator: Operator): Promise<void> {
    const { id } = this.#place;
    const json = await operator.must(`/api/admin/servers/${id}`, { method: "GET" }, 200);
    const { state, agent } = shownSchema.parse(json);
    const { reports } = agent;
    if (state !== "online" || reports !== "rejected")
      throw new Violation(`${id} sends what is rejected, and is shown as ${state}, with ${reports} reports`);
  }
}
