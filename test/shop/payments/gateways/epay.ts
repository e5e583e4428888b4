/**
 * A stand-in of Epay (易支付), written from https://epay.la/doc/v1 and https://docs.kyren.top/epay-migration/api-php;
 * not tried against a real service.
 */
import type { Gateway, GatewayNotice, GatewayOptions, GatewayPayment, NoticeChange } from "./gateway.ts";
import { md5Sign, spoil, toMinor } from "./md5-signed.ts";

const PID = "1001";
const KEY = "epay-key-of-tests-89unJUB8HZ54";
const CURRENCY = "CNY";

/** An order of the service; `told` is what api.php says where a test changed it. */
interface Held extends GatewayPayment {
  readonly name: string;
  told?: { readonly orderId: string; readonly amount: number };
}

type Fields = Record<string, string>;

const sign = (fields: Fields): string => md5Sign(fields, KEY, ["sign", "sign_type"]);

/** The query of the notice and of the browser's return: both have the same fields and signature. */
export function toEpayQuery(fields: Fields): string {
  return `?${new URLSearchParams({ ...fields, sign: sign(fields), sign_type: "MD5" }).toString()}`;
}

/** The stand-in; payments begin by mapi.php unless the options say "submit". */
export function createEpayGateway({ origin, now }: GatewayOptions): Gateway {
  const payments: Held[] = [];
  const find = (orderId: string | undefined): Held | undefined =>
    payments.find((payment) => (payment.told?.orderId ?? payment.orderId) === orderId);

  function place(fields: Fields): Held | string {
    if (fields["pid"] !== PID) return "商户不存在";
    if (fields["sign"] !== sign(fields)) return "签名校验失败";
    const orderId = fields["out_trade_no"] ?? "";
    const known = find(orderId);
    if (known !== undefined) return known;
    const held: Held = {
      reference: `2026${String(now())}${payments.length}`,
      orderId,
      amount: toMinor(fields["money"], CURRENCY),
      currency: CURRENCY,
      name: fields["name"] ?? "",
      isPaid: false,
      isCanceled: false,
      refunded: 0,
    };
    payments.push(held);
    return held;
  }

  function describe(fields: Fields): object {
    const held = find(fields["out_trade_no"]);
    if (held === undefined) return { code: -1, msg: "订单号不存在" };
    return {
      code: 1,
      msg: "查询订单号成功！",
      trade_no: held.reference,
      out_trade_no: fields["out_trade_no"],
      pid: Number(PID),
      money: String((held.told?.amount ?? held.amount) / 100),
      status: held.refunded > 0 ? 2 : held.isPaid ? 1 : 0,
    };
  }

  function giveBack(fields: Fields): object {
    const held = find(fields["out_trade_no"]);
    const amount = toMinor(fields["money"], CURRENCY);
    if (!held?.isPaid) return { code: -1, msg: "当前订单未支付" };
    if (held.refunded + amount > held.amount) return { code: -1, msg: "退款金额不能大于订单金额" };
    held.refunded += amount;
    return { code: 1, msg: "退款成功！" };
  }

  function act(fields: Fields): object {
    if (fields["pid"] !== PID) return { code: -3, msg: "商户ID不存在" };
    if (fields["key"] !== KEY) return { code: -3, msg: "商户密钥错误" };
    return fields["act"] === "refund" ? giveBack(fields) : describe(fields);
  }

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const form = request.method === "POST" ? new URLSearchParams(await request.text()) : [];
    const fields: Fields = { ...Object.fromEntries(searchParams), ...Object.fromEntries(form) };
    if (pathname.endsWith("/api.php")) return Response.json(act(fields));
    const held = place(fields);
    if (pathname.endsWith("/submit.php"))
      return new Response(typeof held === "string" ? `<p>${held}</p>` : "<p>收银台</p>");
    if (typeof held === "string") return Response.json({ code: -1, msg: held });
    return Response.json({ code: 1, trade_no: held.reference, payurl: `${origin}/pay/${held.reference}` });
  }

  function pay(payment: GatewayPayment, change?: NoticeChange): Promise<GatewayNotice> {
    const held = find(payment.orderId);
    payment.isPaid = true;
    const told = { orderId: change?.orderId ?? payment.orderId, amount: change?.amount ?? payment.amount };
    // A notification only counts after a query of the provider, so the provider reports the same.
    if (held !== undefined && change !== undefined) held.told = told;
    const fields = {
      pid: PID,
      trade_no: payment.reference,
      out_trade_no: told.orderId,
      type: "alipay",
      name: held?.name ?? "",
      money: String(told.amount / 100),
      trade_status: "TRADE_SUCCESS",
    };
    return Promise.resolve({ method: "GET", query: toEpayQuery(fields), headers: {}, body: "" });
  }

  return {
    kind: "epay",
    options: { url: origin, pid: PID, type: "alipay", begin: "mapi", refunds: true },
    credentials: { key: KEY },
    currency: CURRENCY,
    payments,
    answer,
    pay,
    forge: (notice) => ({
      ...notice,
      query: notice.query.replace(/sign=(\w+)/u, (_, sent: string) => `sign=${spoil(sent)}`),
    }),
    expects: "success",
  };
}
