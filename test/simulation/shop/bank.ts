/** A payment service: it tells the shop of each payment until it is answered with 2xx, some of them twice or late. */
import { z } from "zod";
import { Client, type ClientParts, Violation } from "../world/client.ts";
import type { History, Payment } from "./history.ts";
import { BANK_SECRET, SHOP_PORT } from "./staff.ts";

const outcomeSchema = z.object({ result: z.string() });

export class Bank {
  readonly #parts: ClientParts;
  readonly #history: History;
  readonly #client: Client;
  /** Notifications that are not acknowledged yet. */
  open = 0;

  constructor(parts: ClientParts, history: History) {
    this.#parts = parts;
    this.#history = history;
    this.#client = new Client(parts, { name: "bank", port: SHOP_PORT, from: "10.8.8.8" });
  }

  /** A buyer pays, at once or later; the shop learns of it after that. */
  pay(orderId: string, amount: number, { afterMs = 0, isPrompt = false } = {}): void {
    const { random, kernel } = this.#parts;
    const payment = { reference: `ref-${this.#history.payments.length}`, orderId, amount };
    this.#history.payments.push(payment);
    kernel.trace(`buyer pays ${amount} for ${orderId} as ${payment.reference}`);
    const tell = (): void => void this.#tell(payment).catch((error: unknown) => kernel.fail(error));
    this.open += 1;
    kernel.after(afterMs + (isPrompt ? 0 : random.wait(random.chance(0.1) ? 600_000 : 5_000)), tell);
    if (!random.chance(0.25)) return;
    this.open += 1;
    kernel.after(afterMs + random.wait(60_000), tell);
  }

  async #tell(payment: Payment): Promise<void> {
    const { kernel, random } = this.#parts;
    const { reference: id, orderId, amount } = payment;
    const body = {
      type: "payment.arrived",
      data: { id, orderId, amount, currency: "EUR", status: "succeeded" },
    };
    for (let tries = 0; ; tries += 1) {
      const answer = await this.#client.insist(
        "/api/webhooks/bank-pay",
        { method: "POST", headers: { "x-webhook-secret": BANK_SECRET }, body },
        1,
      );
      if (answer !== undefined && answer.status < 300) {
        this.#note(payment, outcomeSchema.parse(answer.json).result);
        break;
      }
      if (answer !== undefined && answer.status !== 409)
        throw new Violation(`The notification ${id} was refused: ${JSON.stringify(answer)}`);
      await kernel.sleep(random.wait(Math.min(300_000, 2_000 * 2 ** tries)));
    }
    this.open -= 1;
  }

  #note(payment: Payment, result: string): void {
    this.#history.acknowledged += 1;
    const { result: before, reference } = payment;
    if (before === "applied" && result !== "duplicate")
      throw new Violation(`The payment ${reference} was applied, and later its notification was "${result}"`);
    if (before === undefined) payment.result = result;
  }
}
