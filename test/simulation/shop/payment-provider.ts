/**
 * A payment provider with an API of its own, as the stand-ins of the tests have it: it is slow now and then, fails before
 * or after it has done its work, and notifies the shop of payments and refunds late, twice, or never.
 */
import { findKind } from "../../../src/shop/payments/providers/kinds.ts";
import { toOrderId } from "../../../src/shop/payments/signing/trade-number.ts";
import type { Gateway, GatewayNotice, GatewayPayment } from "../../shop/payments/gateways/gateway.ts";
import { createPaypalGateway } from "../../shop/payments/gateways/paypal.ts";
import { createStripeGateway } from "../../shop/payments/gateways/stripe.ts";
import { Client, type ClientParts, Violation } from "../world/client.ts";
import { SHOP_PORT } from "./staff.ts";

/** A notice that cannot be taken now; it is sent again. */
const LATER = new Set([409, 502, 503]);

export class PaymentProvider {
  /** It responds at once, and notifies of everything. */
  isCalm = false;
  /** Notices that the shop has not taken yet. */
  open = 0;
  readonly name: string;
  readonly gateway: Gateway;
  readonly #parts: ClientParts;
  readonly #client: Client;
  readonly #approve: ((payment: GatewayPayment) => GatewayNotice) | undefined;

  constructor(parts: ClientParts, name: "stripe" | "paypal") {
    const { kernel, outside } = parts;
    this.#parts = parts;
    this.name = name;
    const host = `${name}.example`;
    const options = { origin: `https://${host}`, now: () => kernel.startMs + kernel.nowMs };
    if (name === "paypal") {
      const paypal = createPaypalGateway(options);
      this.gateway = paypal;
      this.#approve = paypal.approve;
    } else this.gateway = createStripeGateway(options);
    this.#client = new Client(parts, { name, port: SHOP_PORT, from: "10.8.8.9" });
    outside.serve(host, (request) => this.#answer(request));
  }

  /** Payments that were begun for an order, the newest last. */
  paymentsOf(orderId: string): readonly GatewayPayment[] {
    return this.gateway.payments.filter((payment) => toOrderId(payment.orderId) === orderId);
  }

  async #answer(request: Request): Promise<Response> {
    const { random, kernel } = this.#parts;
    const fails = (): boolean => !this.isCalm && random.chance(0.04);
    if (fails()) await kernel.sleep(random.wait(20_000));
    if (fails()) return new Response("busy", { status: random.pick([429, 500, 503]) });
    const answer = await this.gateway.answer(request);
    return fails() ? new Response("Bad gateway", { status: 502 }) : answer;
  }

  /** A buyer pays on the page of the provider, or allows the shop to collect the money. */
  async pay(payment: GatewayPayment): Promise<void> {
    const { kernel } = this.#parts;
    kernel.trace(`buyer pays ${payment.amount} at ${this.name} for ${payment.orderId}`);
    this.tell(this.#approve?.(payment) ?? (await this.gateway.pay(payment)));
  }

  /** The seller gives money back at the provider itself, as far as there is any. */
  async giveBack(payment: GatewayPayment, amount: number): Promise<void> {
    if (!payment.isPaid || payment.refunded + amount > payment.amount) return;
    this.#parts.kernel.trace(`${this.name} gives ${amount} back for ${payment.orderId}`);
    const notice = await this.gateway.refund?.(payment, amount);
    if (notice !== undefined) this.tell(notice, { isSure: true });
  }

  /** Notifies the shop at once or later, sometimes twice; in one of ten cases, never, if the shop asks by itself. */
  tell(notice: GatewayNotice, { isSure = false } = {}): void {
    const { random, kernel } = this.#parts;
    if (!isSure && findKind(this.gateway.kind)?.ask !== undefined && random.chance(0.1)) return;
    const waits = [random.wait(random.chance(0.1) ? 600_000 : 5_000)];
    if (random.chance(0.25)) waits.push(random.wait(60_000));
    for (const waitMs of waits) {
      this.open += 1;
      kernel.after(waitMs, () => void this.#tell(notice).catch((error: unknown) => kernel.fail(error)));
    }
  }

  async #tell(notice: GatewayNotice): Promise<void> {
    const { random, kernel } = this.#parts;
    if (random.chance(0.05)) await this.#lie(this.gateway.forge(notice));
    for (let tries = 0; ; tries += 1) {
      const answer = await this.#send(this.gateway.sendAgain?.(notice) ?? notice);
      if (answer !== undefined && answer < 300) break;
      if (answer !== undefined && !LATER.has(answer))
        throw new Violation(`A notice of ${this.name} gets ${answer}: ${notice.body}`);
      await kernel.sleep(random.wait(Math.min(300_000, 2_000 * 2 ** tries)));
    }
    this.open -= 1;
  }

  /** Someone else claims that there was a payment. */
  async #lie(notice: GatewayNotice): Promise<void> {
    const status = await this.#send(notice);
    if (status !== undefined && status < 400)
      throw new Violation(`A notice of ${this.name} with a false signature gets ${status}`);
  }

  async #send({ headers, body, query }: GatewayNotice): Promise<number | undefined> {
    const bytes = new TextEncoder().encode(body);
    const path = `/api/webhooks/${this.name}-pay${query}`;
    return (await this.#client.insist(path, { method: "POST", headers, bytes }, 1))?.status;
  }
}
