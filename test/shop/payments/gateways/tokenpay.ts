/**
 * A stand-in of TokenPay, written from https://github.com/LightCountry/TokenPay/blob/master/Wiki/docs.md; not tried
 * against a real one.
 */
import type { Gateway, GatewayNotice, GatewayOptions, GatewayPayment, NoticeChange } from "./gateway.ts";
import { md5Sign, spoil, toMinor, toUnits } from "./md5-signed.ts";

const TOKEN = "tokenpay-token-of-tests";
const CURRENCY = "EUR";

type Json = Record<string, unknown>;

const sign = (fields: Json): string => md5Sign(fields, TOKEN, ["Signature"]);

export function createTokenpayGateway({ origin, now }: GatewayOptions): Gateway {
  const payments: GatewayPayment[] = [];
  const refuse = (message: string): Response => Response.json({ success: false, message });

  function place(json: Json): Response {
    if (json["Signature"] !== sign(json)) return refuse("签名验证失败！");
    const orderId = String(json["OutOrderId"]);
    let payment = payments.find((one) => one.orderId === orderId);
    const isKnown = payment !== undefined;
    if (payment === undefined) {
      const reference = `6324ddd2-${String(now())}-${payments.length}`;
      const amount = toMinor(json["ActualAmount"], CURRENCY);
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
    return Response.json({
      success: true,
      message: isKnown ? "订单已存在，查询旧订单！" : "创建订单成功！",
      data: `${origin}/Pay?Id=${payment.reference}`,
      info: { Id: payment.reference, OutOrderId: orderId, BaseCurrency: CURRENCY },
    });
  }

  function query(search: URLSearchParams): Response {
    const id = search.get("Id") ?? "";
    if (search.get("Signature") !== sign({ Id: id })) return refuse("签名验证失败！");
    const payment = payments.find(({ reference }) => reference === id);
    if (payment === undefined) return refuse("订单不存在！");
    const { orderId, amount, isPaid } = payment;
    const data = {
      id,
      outOrderId: orderId,
      actualAmount: toUnits(amount, CURRENCY),
      currency: "USDT_TRC20",
      status: isPaid ? "Paid" : "Pending",
    };
    return Response.json({ success: true, message: "订单信息获取成功！", data });
  }

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    return pathname.endsWith("/Query") ? query(searchParams) : place((await request.json()) as Json);
  }

  function pay(payment: GatewayPayment, change?: NoticeChange): Promise<GatewayNotice> {
    payment.isPaid = true;
    const fields = {
      ActualAmount: String(toUnits(change?.amount ?? payment.amount, CURRENCY)),
      Amount: "34.91",
      BaseCurrency: change?.currency ?? CURRENCY,
      BlockChainName: "TRON",
      BlockTransactionId: "375859c36dc5f5d227b10912b5ec70d36dd34446028064956cb60cdbb74432f5",
      Currency: "USDT_TRC20",
      CurrencyName: "USDT",
      FromAddress: "TYYjzt6AWhe9hAg9DrhiYXEWKDksyohgQa",
      Id: payment.reference,
      IsDynamicAmount: 0,
      OutOrderId: change?.orderId ?? payment.orderId,
      PayTime: "2022-09-15 16:08:39",
      Status: 1,
      ToAddress: "TKGTx4pCKiKQbk8evXHTborfZn754TGViP",
    };
    return Promise.resolve({
      method: "POST",
      query: "",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...fields, Signature: sign(fields) }),
    });
  }

  return {
    kind: "tokenpay",
    options: { url: origin, coin: "USDT_TRC20", baseCurrency: CURRENCY },
    credentials: { token: TOKEN },
    currency: CURRENCY,
    payments,
    answer,
    pay,
    forge: (notice) => ({
      ...notice,
      body: notice.body.replace(/"Signature":"(\w+)"/u, (_, sent: string) => `"Signature":"${spoil(sent)}"`),
    }),
    expects: "ok",
  };
}
