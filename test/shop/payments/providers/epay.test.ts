/** Epay: how payments begin, what notices are worth, what api.php says. The service is a stand-in. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { epay } from "../../../../src/shop/payments/providers/epay.ts";
import { createEpayGateway, toEpayQuery } from "../gateways/epay.ts";
import type { GatewayNotice } from "../gateways/gateway.ts";
import { need, onlyNotice, ORDER_ID, TRADE_NUMBER, tryAdapter, type TrialOptions } from "./adapter-trial.ts";
import { isAppError, isFault, isWrongProof } from "./refusals.ts";

const trial = (change?: TrialOptions) => tryAdapter(epay, createEpayGateway, change);

const fields = {
  pid: "1001",
  trade_no: "20160806151343349021",
  out_trade_no: TRADE_NUMBER,
  type: "alipay",
  name: "VIP会员",
  money: "28.80",
  trade_status: "TRADE_SUCCESS",
};
const toNotice = (change: Record<string, string> = {}): GatewayNotice => ({
  method: "GET",
  query: toEpayQuery({ ...fields, ...change }),
  headers: {},
  body: "",
});

describe("a payment by Epay", () => {
  it("begins by a form for the buyer's browser, which the service takes", async () => {
    const { begin, gateway, request } = trial({ options: { begin: "submit", type: "" } });
    const start = await begin();
    assert.ok(start.kind === "form");
    assert.equal(start.url, "https://gateway.test/submit.php");
    assert.equal(start.fields["money"], "28.80");
    assert.equal(start.fields["type"], undefined);
    assert.deepEqual(start.state, { tradeNumber: TRADE_NUMBER });
    assert.deepEqual(await begin(), start, "the same request gives the same payment");
    assert.notDeepEqual(await begin(request({ attempt: 2 })), start);
    const body = new URLSearchParams(start.fields);
    await gateway.answer(new Request(start.url, { method: "POST", body }));
    assert.deepEqual(
      gateway.payments.map(({ orderId, amount }) => ({ orderId, amount })),
      [{ orderId: TRADE_NUMBER, amount: 2_880 }],
    );
  });

  it("begins by mapi.php, and a repeat is the same payment", async () => {
    const { begin, gateway } = trial();
    const start = await begin({ clientAddress: "203.0.113.5" });
    assert.deepEqual(await begin(), start);
    assert.equal(gateway.payments.length, 1);
    const { reference } = start;
    assert.ok(start.kind === "redirect" && reference !== "");
    const byCode = trial({ answer: () => Response.json({ code: 1, trade_no: "1", qrcode: "weixin://pay" }) });
    assert.equal((await byCode.begin()).kind, "qr");
  });

  it("cuts a long name between characters", async () => {
    const start = await trial({ options: { begin: "submit" } }).begin({ description: `a${"会".repeat(60)}` });
    assert.ok(start.kind === "form");
    assert.equal(start.fields["name"], `a${"会".repeat(42)}`);
  });

  it("says what the service complains of", async () => {
    const wrongKey = trial({ credentials: { key: "another-key-of-tests" } });
    await assert.rejects(wrongKey.begin(), isFault("refused", "credentials", /签名/u));
    await assert.rejects(wrongKey.ask({ reference: "" }), isFault("refused", "credentials", /密钥/u));
    await assert.rejects(trial({ options: { pid: "1" } }).begin(), isFault("refused", "merchant"));
    await assert.rejects(trial().begin({ currency: "EUR" }), isFault("refused", "currency"));
    const html = trial({ answer: () => new Response("<html>", { status: 200 }) });
    await assert.rejects(html.begin(), isFault("unavailable", "url"));
    const script = trial({ answer: () => Response.json({ code: 1, payurl: "javascript:alert(1)" }) });
    await assert.rejects(script.begin(), isFault("refused"));
    const down = trial({ answer: () => new Response("away", { status: 502 }) });
    await assert.rejects(down.begin(), isFault("unavailable"));
  });

  it("repeats no secret in what it says", async () => {
    const { setup, begin } = trial({
      answer: () => Response.json({ code: -1, msg: `no such key epay-key-of-tests-89unJUB8HZ54` }),
    });
    assert.equal(setup.credentials["key"], "epay-key-of-tests-89unJUB8HZ54");
    await assert.rejects(begin(), (error) => !JSON.stringify(error).includes("89unJUB8HZ54"));
  });
});

describe("a notice of Epay", () => {
  it("is verified, and still only counts after a query of the provider", async () => {
    const reading = await trial().read(toNotice());
    assert.equal(reading.verified, "signature");
    assert.equal(reading.mustAsk, true);
    assert.deepEqual(reading.answer, {
      status: 200,
      contentType: "text/plain; charset=utf-8",
      body: "success",
    });
    assert.deepEqual(onlyNotice(reading), {
      eventId: fields.trade_no,
      reference: fields.trade_no,
      orderId: ORDER_ID,
      type: "payment",
      amount: 2_880,
      currency: "CNY",
      state: { tradeNumber: TRADE_NUMBER },
    });
    assert.deepEqual(await trial().read(toNotice()), reading, "a replay says the same again");
  });

  it("comes by POST, too", async () => {
    const { query } = toNotice();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const reading = await trial().read({ method: "POST", query: "", headers, body: query.slice(1) });
    assert.equal(onlyNotice(reading).amount, 2_880);
  });

  it("counts amounts exactly, however many zeros they have", async () => {
    const amounts = [];
    for (const money of ["1", "1.0", "1.00", "1.0000", "0.01"])
      amounts.push(onlyNotice(await trial().read(toNotice({ money }))).amount);
    assert.deepEqual(amounts, [100, 100, 100, 100, 1]);
    for (const money of ["1.001", "1e2", "-1", "", "1,00", "99999999999999"])
      await assert.rejects(trial().read(toNotice({ money })), isAppError("invalid"), money);
  });

  it("is nothing for the books with any other status", async () => {
    const reading = await trial().read(toNotice({ trade_status: "TRADE_CLOSED" }));
    assert.deepEqual([reading.notices, reading.answer?.body], [[], "success"]);
  });

  it("is refused without the right signature", async () => {
    const { gateway, read } = trial();
    await assert.rejects(read(gateway.forge(toNotice())), isWrongProof);
    for (const name of ["money", "out_trade_no", "trade_no", "trade_status"]) {
      const query = toNotice().query.replace(new RegExp(`${name}=[^&]*`, "u"), `${name}=9`);
      await assert.rejects(read({ ...toNotice(), query }), isWrongProof, name);
    }
    await assert.rejects(
      trial({ credentials: { key: "another-key-of-tests" } }).read(toNotice()),
      isWrongProof,
    );
    const bare = { ...toNotice(), query: toNotice().query.replace(/&sign=\w+/u, "") };
    await assert.rejects(read(bare), isAppError("unauthenticated"));
    await assert.rejects(read({ ...toNotice(), query: "" }), isAppError("unauthenticated"));
    const rsa = { ...toNotice(), query: toNotice().query.replace("sign_type=MD5", "sign_type=RSA") };
    await assert.rejects(read(rsa), isAppError("unauthenticated", /version 1/u));
  });

  it("is refused for another merchant, with fields that are missing, and with fields that come twice", async () => {
    const { read } = trial();
    await assert.rejects(read(toNotice({ pid: "1002" })), isAppError("invalid", /pid/u));
    for (const name of ["out_trade_no", "trade_no", "money"])
      await assert.rejects(read(toNotice({ [name]: "" })), isAppError("invalid"), name);
    await assert.rejects(read(toNotice({ trade_no: "9".repeat(60_000) })), isAppError("invalid"));
    const twice = { ...toNotice(), query: `${toNotice().query}&money=0.01` };
    await assert.rejects(read(twice), isAppError("bad_request"));
  });

  it("is read when its name is in GBK, and when its signature is in capitals", async () => {
    // 会员, signed as PHP would: over the bytes.
    const query =
      "?pid=1001&trade_no=1&out_trade_no=x&type=alipay&name=%BB%E1%D4%B1&money=1.00&trade_status=TRADE_SUCCESS";
    const sign = createHash("md5")
      .update("money=1.00&name=")
      .update(new Uint8Array([0xbb, 0xe1, 0xd4, 0xb1]))
      .update("&out_trade_no=x&pid=1001&trade_no=1&trade_status=TRADE_SUCCESS&type=alipay")
      .update("epay-key-of-tests-89unJUB8HZ54")
      .digest("hex")
      .toUpperCase();
    const reading = await trial().read({ ...toNotice(), query: `${query}&sign=${sign}&sign_type=MD5` });
    assert.deepEqual([onlyNotice(reading).orderId, onlyNotice(reading).amount], ["x", 100]);
  });
});

describe("Epay asked by api.php", () => {
  it("says that an order waits, was paid, or is unknown", async () => {
    const { ask, place, gateway, begin, read } = trial();
    assert.deepEqual(await ask({ reference: "" }), { kind: "unpaid", isOver: false });
    const payment = await place();
    assert.deepEqual(await ask(await begin()), { kind: "unpaid", isOver: false });
    const notice = await gateway.pay(payment);
    const said = onlyNotice(await read(notice));
    assert.deepEqual(await ask(said), { kind: "notices", notices: [said] });
  });

  it("is not taken for an answer about another order", async () => {
    const order = { code: 1, status: 1, trade_no: "1", out_trade_no: "other", money: "28.80" };
    const { ask } = trial({ answer: () => Response.json(order) });
    await assert.rejects(ask({ reference: "" }), isFault("refused", "order"));
    const odd = trial({
      answer: () => Response.json({ ...order, out_trade_no: TRADE_NUMBER, money: "1.001" }),
    });
    await assert.rejects(odd.ask({ reference: "" }), isFault("refused", "amount"));
  });

  it("tries the settings with an order that there is not", async () => {
    const { setup, tools, gateway } = trial();
    assert.deepEqual(await need(epay.test)(setup, tools), { said: "订单号不存在" });
    assert.equal(gateway.payments.length, 0);
  });
});

describe("a refund by Epay", () => {
  const toRefund = (amount: number) => ({
    orderId: ORDER_ID,
    number: "n",
    reference: "1",
    state: { tradeNumber: TRADE_NUMBER },
    paid: 2_880,
    amount,
    currency: "CNY",
    reason: "",
    key: "ref_1",
  });

  it("gives back the whole payment once, also when it is tried again", async () => {
    const { setup, tools, place, gateway } = trial();
    await gateway.pay(await place());
    const refund = need(epay.refund);
    for (let time = 0; time < 2; time += 1)
      assert.deepEqual(await refund(setup, toRefund(2_880), tools), { kind: "moved", reference: "ref_1" });
    assert.equal(gateway.payments[0]?.refunded, 2_880);
    await assert.rejects(refund(setup, toRefund(100), tools), isFault("refused", "amount"));
  });

  it("is unclear when the answer is lost, and refused where the service has none", async () => {
    const lost = trial({
      answer: ({ url }) => (url.endsWith("act=refund") ? new Response("", { status: 504 }) : undefined),
    });
    await lost.gateway.pay(await lost.place());
    await assert.rejects(
      async () => need(epay.refund)(lost.setup, toRefund(2_880), lost.tools),
      isFault("unclear"),
    );
    const none = trial({ options: { refunds: false } });
    await assert.rejects(
      async () => need(epay.refund)(none.setup, toRefund(2_880), none.tools),
      isFault("refused"),
    );
    assert.equal(none.sent.length, 0);
  });
});
