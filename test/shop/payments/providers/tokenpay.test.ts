/** TokenPay: orders, notices and questions. The service is a stand-in. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { tokenpay } from "../../../../src/shop/payments/providers/tokenpay.ts";
import type { GatewayNotice } from "../gateways/gateway.ts";
import { md5Sign } from "../gateways/md5-signed.ts";
import { createTokenpayGateway } from "../gateways/tokenpay.ts";
import { onlyNotice, ORDER_ID, TRADE_NUMBER, tryAdapter, type TrialOptions } from "./adapter-trial.ts";
import { isAppError, isFault, isWrongProof } from "./refusals.ts";

const trial = (change?: TrialOptions) => tryAdapter(tokenpay, createTokenpayGateway, change);

/** A notice that is signed rightly, with some members changed; those that are undefined are left out. */
async function toNotice(change: Record<string, unknown> = {}): Promise<GatewayNotice> {
  const { gateway, place } = trial();
  const notice = await gateway.pay(await place());
  const fields = { ...(JSON.parse(notice.body) as Record<string, unknown>), ...change };
  const Signature = md5Sign(fields, "tokenpay-token-of-tests", ["Signature"]);
  return { ...notice, body: JSON.stringify({ ...fields, Signature }) };
}

describe("a payment by TokenPay", () => {
  it("begins with an order of its own for each attempt", async () => {
    const { begin, gateway, sent } = trial();
    const start = await begin();
    const { reference } = start;
    assert.deepEqual(start, {
      kind: "redirect",
      url: `https://gateway.test/Pay?Id=${reference}`,
      reference,
      state: { tradeNumber: TRADE_NUMBER },
    });
    assert.deepEqual(await begin(), start, "the same request gives the same payment");
    await begin({ attempt: 2 });
    assert.deepEqual(
      gateway.payments.map(({ orderId }) => orderId),
      [TRADE_NUMBER, TRADE_NUMBER.replace(/1$/u, "2")],
    );
    assert.match(sent[0]?.body ?? "", /"ActualAmount":28\.8,/u);
    assert.doesNotMatch(JSON.stringify(sent), /ada@example\.com/u);
  });

  it("says what the service complains of", async () => {
    await assert.rejects(
      trial({ credentials: { token: "another-token-of-tests" } }).begin(),
      isFault("refused", "signature"),
    );
    await assert.rejects(trial().begin({ currency: "CNY" }), isFault("refused", "currency"));
    const coin = trial({ answer: () => Response.json({ success: false, message: "不支持的币种【X】！" }) });
    await assert.rejects(coin.begin(), isFault("refused", "currency"));
    const html = trial({ answer: () => new Response("<html>", { status: 404 }) });
    await assert.rejects(html.begin(), isFault("refused", "url"));
  });
});

describe("a notice of TokenPay", () => {
  it("says what the buyer owed in the shop's money, and is answered with ok", async () => {
    const reading = await trial().read(await toNotice({ IsDynamicAmount: 1, PayAmount: "34.80" }));
    const { reference, ...notice } = onlyNotice(reading);
    assert.deepEqual(notice, {
      eventId: reference,
      orderId: ORDER_ID,
      type: "payment",
      amount: 2_880,
      currency: "EUR",
      state: { tradeNumber: TRADE_NUMBER },
    });
    assert.deepEqual(
      [reading.verified, reading.mustAsk, reading.answer?.body],
      ["signature", undefined, "ok"],
    );
  });

  it("says its own currency, or else that of the settings", async () => {
    const told = onlyNotice(await trial().read(await toNotice({ BaseCurrency: "USD" })));
    const untold = onlyNotice(await trial().read(await toNotice({ BaseCurrency: undefined })));
    assert.deepEqual([told.currency, untold.currency], ["USD", "EUR"]);
  });

  it("is nothing for the books unless it says paid", async () => {
    for (const Status of [0, 2, "x", undefined])
      assert.deepEqual((await trial().read(await toNotice({ Status }))).notices, []);
  });

  it("is refused without the right signature", async () => {
    const { gateway, read } = trial();
    const notice = await toNotice();
    await assert.rejects(read(gateway.forge(notice)), isWrongProof);
    await assert.rejects(read({ ...notice, body: notice.body.replace('"28.8"', '"28.81"') }), isWrongProof);
    await assert.rejects(
      trial({ credentials: { token: "another-token-of-tests" } }).read(notice),
      isWrongProof,
    );
    const bare = { ...notice, body: notice.body.replace(/,"Signature":"\w+"/u, "") };
    await assert.rejects(read(bare), isAppError("unauthenticated"));
  });

  it("is refused when it is no JSON, is nested, lacks members, or has an amount that is none", async () => {
    const { read } = trial();
    const notice = await toNotice();
    for (const body of ["", "{", "[]", '{"a":{}}', "a=1", '"x"', "\u{FFFD}"])
      await assert.rejects(read({ ...notice, body }), isAppError("bad_request"), body);
    for (const name of ["Id", "OutOrderId", "ActualAmount"])
      await assert.rejects(read(await toNotice({ [name]: "" })), isAppError("invalid"), name);
    for (const ActualAmount of ["15.001", "-1", "1e3", 0.001])
      await assert.rejects(read(await toNotice({ ActualAmount })), isAppError("invalid"));
    await assert.rejects(read(await toNotice({ Id: "9".repeat(60_000) })), isAppError("invalid"));
  });
});

describe("TokenPay when it is queried", () => {
  it("says that an order waits or was paid; it is polled every minute", async () => {
    const { ask, begin, gateway, read } = trial();
    const start = await begin();
    assert.deepEqual(await ask(start), { kind: "unpaid", isOver: false });
    const [payment] = gateway.payments;
    assert.ok(payment !== undefined);
    const said = onlyNotice(await read(await gateway.pay(payment)));
    assert.deepEqual(await ask(start), { kind: "notices", notices: [said] });
    assert.deepEqual(tokenpay.askAfterMinutes?.slice(0, 5), [1, 2, 3, 4, 5]);
  });

  it("is over when the order expired there, and silent of one without a reference", async () => {
    const data = { outOrderId: TRADE_NUMBER, status: "Expired", actualAmount: 28.8 };
    const expired = trial({ answer: () => Response.json({ success: true, data }) });
    assert.deepEqual(await expired.ask({ reference: "1" }), { kind: "unpaid", isOver: true });
    assert.deepEqual(await expired.ask({ reference: "" }), { kind: "unpaid", isOver: false });
    assert.equal(expired.sent.length, 1);
  });

  it("is not taken for an answer about another order", async () => {
    const data = { outOrderId: "other", status: "Paid", actualAmount: 28.8 };
    const other = trial({ answer: () => Response.json({ success: true, data }) });
    await assert.rejects(other.ask({ reference: "1" }), isFault("refused", "order"));
    const unknown = trial();
    await assert.rejects(unknown.ask({ reference: "1" }), isFault("refused", "order", /不存在/u));
  });
});
