/** Amounts as PayPal writes them, the faults that name a setting or a field, and the test of the settings. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { fromPaypalMoney, toPaypalMoney } from "../../../../src/shop/payments/providers/paypal-api.ts";
import { paypal } from "../../../../src/shop/payments/providers/paypal.ts";
import {
  type AskResult,
  type PaymentStart,
  ProviderFault,
} from "../../../../src/shop/payments/providers/provider.ts";
import { createPaypalGateway } from "../gateways/paypal.ts";
import { callsOf, createAdapter, ORIGIN, toPayment } from "./adapter.ts";

const { begin, ask, test } = callsOf(paypal);

type Adapter = ReturnType<
  typeof createAdapter<typeof paypal.options, ReturnType<typeof createPaypalGateway>>
>;
let adapter: Adapter;

beforeEach(() => {
  adapter = createAdapter(paypal, createPaypalGateway);
});

function start(change: Parameters<typeof toPayment>[1] = {}): Promise<PaymentStart> {
  return begin(adapter.setup, toPayment(adapter.clock, change), adapter.tools);
}

function look({ reference, state = {} }: PaymentStart): Promise<AskResult> {
  const { orderId, number, attempt, amount, currency } = toPayment(adapter.clock);
  return ask(adapter.setup, { orderId, number, attempt, amount, currency, reference, state }, adapter.tools);
}

async function fault(call: () => Promise<unknown>): Promise<string[]> {
  try {
    await call();
  } catch (error) {
    assert.ok(error instanceof ProviderFault, String(error));
    return [error.kind, error.part ?? "", error.said];
  }
  return assert.fail("nothing was thrown");
}

const paths = (): string[] => adapter.sent.map(({ url }) => url.replace(ORIGIN, ""));
const first = () => adapter.gateway.payments[0] ?? assert.fail("nothing was begun");

describe("amounts at PayPal", () => {
  it("counts in exact decimals, and whole ones where PayPal has no others", () => {
    for (const [amount, currency, value] of [
      [1999, "EUR", "19.99"],
      [5, "USD", "0.05"],
      [500, "JPY", "500"],
      [250_000, "HUF", "2500"],
      [80_000, "TWD", "800"],
      [999_999_999_999, "USD", "9999999999.99"],
    ] as const) {
      assert.deepEqual(toPaypalMoney(amount, currency), { currency_code: currency, value });
      assert.deepEqual(fromPaypalMoney({ currency_code: currency, value }), { amount, currency });
    }
    assert.deepEqual(fromPaypalMoney({ currency_code: "HUF", value: "2500.00" }).amount, 250_000);
    assert.throws(() => toPaypalMoney(80_045, "TWD"), { name: "ProviderFault", part: "amount" });
    for (const value of ["19.999", "-1.00", "1e3", "", " 1", "0x10", "1,000.00"])
      assert.throws(() => fromPaypalMoney({ currency_code: "EUR", value }), { code: "invalid" }, value);
  });
});

describe("faults of PayPal", () => {
  const refusal = (status: number, name: string, issue = "", field = "") => ({
    status,
    text: JSON.stringify({ name, message: "No", details: [{ issue, field }] }),
  });

  it("name the setting or field that is wrong", async () => {
    await start();
    for (const [answer, expected] of [
      [refusal(403, "NOT_AUTHORIZED", "PERMISSION_DENIED"), "refused merchant"],
      [refusal(422, "UNPROCESSABLE_ENTITY", "PAYEE_ACCOUNT_RESTRICTED"), "refused merchant"],
      [refusal(422, "UNPROCESSABLE_ENTITY", "CURRENCY_NOT_SUPPORTED"), "refused currency"],
      [
        refusal(422, "UNPROCESSABLE_ENTITY", "MAX_VALUE_EXCEEDED", "/purchase_units/0/amount/value"),
        "refused amount",
      ],
      [refusal(422, "UNPROCESSABLE_ENTITY", "DECIMAL_PRECISION"), "refused amount"],
      [
        refusal(400, "INVALID_REQUEST", "INVALID_PARAMETER_SYNTAX", "/experience_context/return_url"),
        "refused url",
      ],
      [refusal(404, "RESOURCE_NOT_FOUND"), "refused order"],
      [refusal(400, "INVALID_REQUEST"), "refused "],
      [refusal(429, "RATE_LIMIT_REACHED"), "unavailable "],
      [{ status: 404, text: "<html>" }, "refused url"],
      [{ status: 302, text: "" }, "refused url"],
      [{ status: 500, text: "{}" }, "unclear "],
      [{ status: 201, text: "" }, "unclear "],
      [{ status: 201, text: "{}" }, "unclear "],
      [new ProviderFault("unclear", "cut off"), "unclear "],
    ] as const) {
      adapter.answerOnce(answer);
      const [kind, part] = await fault(() => start({ attempt: 2 }));
      assert.equal(`${kind} ${part}`, expected, JSON.stringify(answer));
    }
  });

  it("of wrong credentials are found at the token, and never repeat the secret", async () => {
    const { clientSecret = "" } = adapter.setup.credentials;
    const setup = { ...adapter.setup, credentials: { clientSecret: "EWrongWrongWrong" } };
    const payment = toPayment(adapter.clock);
    assert.deepEqual(await fault(() => begin(setup, payment, adapter.tools)), [
      "refused",
      "credentials",
      "invalid_client: Client Authentication failed",
    ]);
    assert.deepEqual(paths(), ["/v1/oauth2/token"]);
    adapter.answerOnce({ status: 500, text: `echo ${clientSecret}` });
    assert.deepEqual(await fault(() => start()), ["unavailable", "", "echo …"]);
    adapter.answerOnce({ status: 200, text: "{}" });
    assert.deepEqual((await fault(() => start()))[0], "unavailable");
  });
});

describe("the test of PayPal's settings", () => {
  it("creates an order that is never charged, and repeats PayPal's message", async () => {
    const { said } = await test(adapter.setup, adapter.tools);
    const answer: { id: string; status: string } = JSON.parse(said);
    assert.deepEqual([answer.id, answer.status], [first().reference, "PAYER_ACTION_REQUIRED"]);
    adapter.gateway.approve(first());
    assert.deepEqual(await look({ kind: "redirect", url: "", reference: answer.id }), {
      kind: "unpaid",
      isOver: true,
    });
  });

  it("sees a clock that is off", async () => {
    await start();
    const headers = new Headers({ date: new Date(adapter.clock.now() - 400_000).toUTCString() });
    adapter.answerOnce({ status: 200, text: JSON.stringify({ id: "5O1" }), headers });
    assert.equal((await fault(() => test(adapter.setup, adapter.tools)))[1], "clock");
  });
});
