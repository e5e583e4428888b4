/**
 * Buyers who pay at providers with an API: at once, late, twice, or not at all. Staff and the providers give money back.
 * In the end shop and providers agree about every cent.
 */
import { z } from "zod";
import type { GatewayPayment } from "../../shop/payments/gateways/gateway.ts";
import { Client, type ClientParts, Violation } from "../world/client.ts";
import { waitUntil } from "../world/scene.ts";
import type { WorkingDay } from "../world/working-day.ts";
import type { Workload } from "../world/workload.ts";
import { PaymentProvider } from "./payment-provider.ts";
import { SHOP_PORT, type Staff } from "./staff.ts";

const BUYERS = 2;
const PRICE = 1_999;
/** How long an order waits for its payment. */
const EXPIRY_MINUTES = 10;
const MINUTE = 60_000;
/** Mean time between two orders, as a multiple of that of a buyer. */
const PAUSES = 2;
/** So long that all faults have ended. */
const UNTIL_KNOWN = 60;
/** How soon after the faults the shop knows what became of each payment and refund. */
const SETTLED_MS = 4 * 60 * MINUTE;

const idSchema = z.object({ id: z.string() });
/** Where the buyer pays, once the shop knows. */
const paymentSchema = z.object({ url: z.string().optional() });
const boughtSchema = z.object({
  accessToken: z.string(),
  order: z.object({ id: z.string(), total: z.number() }),
  payment: paymentSchema,
});
const begunSchema = z.object({ payment: paymentSchema.optional() });
const orderSchema = z.object({ status: z.string(), amountPaid: z.int(), amountRefunded: z.int() });
const refundsSchema = z.object({ items: z.array(z.object({ status: z.string(), amount: z.int() })) });
const noticesSchema = z.object({
  items: z.array(z.object({ type: z.string(), amount: z.int(), reason: z.string() })),
});

interface Sale {
  readonly orderId: string;
  readonly accessToken: string;
  readonly total: number;
  /** Where its buyer can pay first. */
  readonly url: string | undefined;
  /** Whether its buyer asked for a payment again. */
  isAgain: boolean;
}

export class Payers implements Workload {
  readonly #parts: ClientParts & { readonly pauseMs: number };
  readonly #staff: Staff;
  readonly #providers: readonly [PaymentProvider, PaymentProvider];
  readonly #sales: Sale[] = [];
  #product = "";
  #count = 0;
  acknowledged = 0;

  constructor(parts: ClientParts & { readonly pauseMs: number }, staff: Staff) {
    this.#parts = parts;
    this.#staff = staff;
    this.#providers = [new PaymentProvider(parts, "stripe"), new PaymentProvider(parts, "paypal")];
  }

  async prepare(): Promise<void> {
    for (const { name, gateway } of this.#providers) {
      const { kind, credentials, options } = gateway;
      const body = { title: name, kind, credentials, options, expiryMinutes: EXPIRY_MINUTES };
      await this.#staff.must(`/api/admin/site/providers/${name}`, { method: "PUT", body }, 200, 201);
    }
    const product = {
      title: "Course",
      price: PRICE,
      status: "published",
      deliveryType: "manual",
      stockMode: "unlimited",
    };
    const made = await this.#staff.must("/api/admin/products", { method: "POST", body: product }, 201);
    this.#product = idSchema.parse(made).id;
  }

  work(day: WorkingDay): Promise<void>[] {
    return Array.from({ length: BUYERS }, (_, number) => {
      const client = new Client(this.#parts, {
        name: `payer${number}`,
        port: SHOP_PORT,
        from: `10.3.0.${number}`,
      });
      return this.#shop(client, day);
    });
  }

  async #shop(client: Client, day: WorkingDay): Promise<void> {
    const { random, pauseMs } = this.#parts;
    while (await day.rest(random.wait(PAUSES * pauseMs))) await this.#buy(client);
  }

  async #buy(client: Client): Promise<void> {
    const { random, kernel } = this.#parts;
    const provider = random.pick(this.#providers);
    const sale = await this.#order(client, provider);
    await kernel.sleep(random.wait(20_000));
    const mind = random.next();
    if (mind < 0.1) return;
    if (mind < 0.2) {
      await client.insist(`/api/orders/${sale.orderId}/cancel`, this.#asBuyer(sale), 2);
      return;
    }
    const payment = await this.#begin(client, provider, sale);
    if (payment === undefined) return;
    if (mind < 0.35) await kernel.sleep(EXPIRY_MINUTES * MINUTE + random.wait(MINUTE) - MINUTE / 2);
    const other = mind > 0.85 ? await this.#change(client, provider, sale) : undefined;
    // Who has changed may pay at the first provider all the same, or at both.
    if (other === undefined || mind > 0.93) await this.#pay(provider, payment);
    if (other !== undefined) await this.#pay(...other);
    if (random.chance(0.5)) await this.#giveBack(provider, sale, payment);
  }

  async #order(client: Client, { name }: PaymentProvider): Promise<Sale> {
    this.#count += 1;
    const key = `a-long-key-of-a-payer-${this.#count}`;
    const body = {
      items: [{ productId: this.#product, quantity: 1 }],
      contact: { email: `payer-${this.#count}@example.org` },
      paymentMethod: name,
    };
    const call = { method: "POST", headers: { "idempotency-key": key }, body } as const;
    const answer = await client.insist("/api/checkout", call, UNTIL_KNOWN);
    const bought = boughtSchema.safeParse(answer?.json).data;
    if (bought === undefined) throw new Violation(`payer: checkout → ${JSON.stringify(answer)}`);
    this.acknowledged += 1;
    const { order, accessToken, payment } = bought;
    const { id: orderId, total } = order;
    const sale = { orderId, total, accessToken, url: payment.url, isAgain: false };
    this.#sales.push(sale);
    return sale;
  }

  #asBuyer({ accessToken }: Sale, body: object = {}) {
    return { method: "POST", headers: { "x-order-token": accessToken }, body } as const;
  }

  /** The payment to which the shop sends the buyer; undefined when the buyer gives up, or the order has ended. */
  async #begin(client: Client, provider: PaymentProvider, sale: Sale): Promise<GatewayPayment | undefined> {
    const path = `/api/orders/${sale.orderId}/payment`;
    let { url } = sale;
    for (let tries = 0; tries < 6; tries += 1) {
      const found = provider.paymentsOf(sale.orderId).find(({ reference }) => url?.includes(reference));
      if (found !== undefined && !found.isCanceled) return found;
      sale.isAgain = true;
      const answer = await client.insist(path, this.#asBuyer(sale, { method: provider.name }));
      if (answer?.status === 409) return undefined;
      if (answer?.status === 200) ({ url } = begunSchema.parse(answer.json).payment ?? {});
      await this.#parts.kernel.sleep(this.#parts.random.wait(30_000));
    }
    return undefined;
  }

  async #change(
    client: Client,
    provider: PaymentProvider,
    sale: Sale,
  ): Promise<readonly [PaymentProvider, GatewayPayment] | undefined> {
    const [first, second] = this.#providers;
    const other = provider === first ? second : first;
    const payment = await this.#begin(client, other, sale);
    return payment === undefined ? undefined : [other, payment];
  }

  /** The page of the provider says when a payment has ended. */
  async #pay(provider: PaymentProvider, payment: GatewayPayment): Promise<void> {
    if (!payment.isCanceled && !payment.isPaid) await provider.pay(payment);
  }

  /** Staff give back through the shop, sometimes two of them at once, or at the provider itself. */
  async #giveBack(
    provider: PaymentProvider,
    { orderId, total }: Sale,
    payment: GatewayPayment,
  ): Promise<void> {
    const { random, kernel } = this.#parts;
    await kernel.sleep(random.wait(3 * MINUTE));
    const amount = (): number => 100 + random.below(total);
    if (random.chance(0.2)) await provider.giveBack(payment, amount());
    const times = random.chance(0.3) ? 2 : 1;
    await Promise.all(Array.from({ length: times }, () => this.#refund(orderId, amount())));
  }

  /** Not repeated: a second one would give the money back twice. */
  async #refund(orderId: string, amount: number): Promise<void> {
    const call = { method: "POST", body: { amount, note: "Broken" } } as const;
    const answer = await this.#staff.call(`/api/admin/orders/${orderId}/refund`, call, 1);
    if (answer?.status === 200) this.acknowledged += 1;
  }

  async check(): Promise<void> {
    for (const provider of this.#providers) provider.isCalm = true;
    const { kernel } = this.#parts;
    await waitUntil(kernel, "the shop knows what became of payments and refunds", {
      forMs: SETTLED_MS,
      isTrue: () => this.#isSettled(),
    });
    for (const sale of this.#sales) await this.#compare(sale);
  }

  async #isSettled(): Promise<boolean> {
    if (this.#providers.some(({ open }) => open > 0)) return false;
    for (const { orderId } of this.#sales) {
      const { items } = await this.#readRefunds(orderId);
      if (items.some(({ status }) => status === "pending")) return false;
      const { books, money } = await this.#read(orderId);
      if (books.status === "pending_payment" || money.paid > books.paid) return false;
    }
    return true;
  }

  async #readRefunds(orderId: string): Promise<z.infer<typeof refundsSchema>> {
    const path = `/api/admin/orders/${orderId}/refunds`;
    return refundsSchema.parse(await this.#staff.must(path, { method: "GET" }, 200));
  }

  /** What the shop has in its books, notices that wait for a person among them, and what the providers have. */
  async #read(orderId: string) {
    const shown = await this.#staff.must(`/api/admin/orders/${orderId}`, { method: "GET" }, 200);
    const { amountPaid, amountRefunded, status } = orderSchema.parse(shown);
    const path = `/api/admin/orders/payments?orderId=${orderId}&open=true`;
    const waiting = noticesSchema.parse(await this.#staff.must(path, { method: "GET" }, 200)).items;
    const open = (type: string): number =>
      waiting.filter((one) => one.type === type).reduce((sum, { amount }) => sum + amount, 0);
    const payments = this.#providers.flatMap((provider) => provider.paymentsOf(orderId));
    const paid = payments.reduce((sum, { isPaid, amount }) => sum + (isPaid ? amount : 0), 0);
    const refunded = payments.reduce((sum, payment) => sum + payment.refunded, 0);
    return {
      books: {
        status,
        paid: amountPaid + amountRefunded + open("payment"),
        refunded: amountRefunded + open("refund"),
      },
      money: { paid, refunded },
      payments: payments.length,
    };
  }

  async #compare({ orderId, isAgain }: Sale): Promise<void> {
    const { books, money, payments } = await this.#read(orderId);
    const { items } = await this.#readRefunds(orderId);
    const unclear = items
      .filter(({ status }) => status === "unclear")
      .reduce((sum, { amount }) => sum + amount, 0);
    const what = `${orderId}: the shop has ${JSON.stringify(books)}, the providers ${JSON.stringify(money)}`;
    if (books.paid !== money.paid) throw new Violation(what);
    if (books.refunded > money.refunded || books.refunded + unclear < money.refunded)
      throw new Violation(`${what}; refunds: ${JSON.stringify(items)}`);
    if (!isAgain && payments > 1) throw new Violation(`${orderId}: ${payments} payments were begun`);
  }
}
