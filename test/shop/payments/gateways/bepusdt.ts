/**
 * A stand-in of BEpusdt, written from https://github.com/v03413/BEpusdt/blob/main/docs/api/api.md; not tried against a
 * real one.
 */
import type { Gateway, GatewayNotice, GatewayOptions, GatewayPayment, NoticeChange } from "./gateway.ts";
import { md5Sign, spoil, toMinor, toUnits } from "./md5-signed.ts";

const TOKEN = "bepusdt-token-of-tests";
const CURRENCY = "EUR";

type Json = Record<string, unknown>;

const sign = (fields: Json): string => md5Sign(fields, TOKEN, ["signature"]);

/** A notice of a status: 1 waits, 2 paid, 3 expired. */
export function toBepusdtNotice(
  payment: Pick<GatewayPayment, "reference" | "orderId" | "amount" | "currency">,
  status: number,
): GatewayNotice {
  const fields = {
    trade_id: payment.reference,
    order_id: payment.orderId,
    amount: toUnits(payment.amount, payment.currency),
    actual_amount: "4.25",
    token: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
    block_transaction_id: status === 2 ? "12ef6267b42e43959795cf31808d0cc7" : "",
    status,
  };
  return {
    method: "POST",
    query: "",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...fields, signature: sign(fields) }),
  };
}

/** The stand-in; `isOld` answers as versions before 2026, which tell the status alone. */
export function createBepusdtGateway(
  { origin, now }: GatewayOptions,
  { isOld = false }: { readonly isOld?: boolean } = {},
): Gateway {
  const payments: GatewayPayment[] = [];
  const find = (reference: unknown): GatewayPayment | undefined =>
    payments.find((payment) => payment.reference === reference);
  const refuse = (message: string): Response => Response.json({ status_code: 400, message });
  const succeed = (data: Json): Response =>
    Response.json({ status_code: 200, message: "success", data, request_id: "" });

  function place(json: Json): Response {
    const orderId = String(json["order_id"]);
    const amount = toMinor(json["amount"], CURRENCY);
    let payment = payments.find((one) => one.orderId === orderId && !one.isCanceled);
    if (payment === undefined) {
      const reference = `b3d2477c-${String(now())}-${payments.length}`;
      payment = {
        reference,
        orderId,
        amount,
        currency: CURRENCY,
        isPaid: false,
        isCanceled: false,
        refunded: 0,
      };
      payments.push(payment);
    }
    return succeed({
      fiat: json["fiat"],
      trade_id: payment.reference,
      order_id: orderId,
      amount: String(toUnits(payment.amount, CURRENCY)),
      expiration_time: json["timeout"],
      payment_url: `${origin}/pay/checkout-counter/${payment.reference}`,
    });
  }

  const statusOf = (payment: GatewayPayment): number => (payment.isPaid ? 2 : payment.isCanceled ? 4 : 1);

  function cancel(payment: GatewayPayment | undefined): Response {
    if (payment === undefined) return refuse("订单不存在");
    if (payment.isPaid || payment.isCanceled) return refuse("当前订单状态不允许取消");
    payment.isCanceled = true;
    return succeed({ trade_id: payment.reference });
  }

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (request.method === "GET") {
      const payment = find(decodeURIComponent(pathname.split("/").at(-1) ?? ""));
      if (!isOld || payment === undefined) return new Response("404 page not found", { status: 404 });
      return Response.json({ trade_id: payment.reference, trade_hash: "", status: statusOf(payment) });
    }
    const json = (await request.json()) as Json;
    if (pathname.endsWith("/pay/info")) {
      if (isOld) return new Response("404 page not found", { status: 404 });
      const payment = find(json["trade_id"]);
      if (payment === undefined) return refuse("订单不存在");
      const money = String(toUnits(payment.amount, CURRENCY));
      return succeed({ order_id: payment.orderId, status: statusOf(payment), money, fiat: CURRENCY });
    }
    if (json["signature"] !== sign(json)) return refuse("签名错误");
    return pathname.endsWith("/cancel-transaction") ? cancel(find(json["trade_id"])) : place(json);
  }

  function pay(payment: GatewayPayment, change?: NoticeChange): Promise<GatewayNotice> {
    payment.isPaid = true;
    const { reference, currency } = payment;
    const told = { orderId: change?.orderId ?? payment.orderId, amount: change?.amount ?? payment.amount };
    return Promise.resolve(toBepusdtNotice({ ...told, reference, currency }, 2));
  }

  return {
    kind: "bepusdt",
    options: { url: origin, fiat: CURRENCY, tradeType: "usdt.trc20", answer: "ok" },
    credentials: { token: TOKEN },
    currency: CURRENCY,
    payments,
    answer,
    pay,
    forge: (notice) => ({
      ...notice,
      body: notice.body.replace(/"signature":"(\w+)"/u, (_, sent: string) => `"signature":"${spoil(sent)}"`),
    }),
    expects: "ok",
  };
}
