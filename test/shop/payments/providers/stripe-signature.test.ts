/** The signature of Stripe's events: what Stripe's own library signs is right to us, and wrong to both otherwise. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import Stripe from "stripe";
import { AppError } from "../../../../src/kit/errors.ts";
import { WrongProof } from "../../../../src/shop/payments/notice-proof.ts";
import { readStripeNotice } from "../../../../src/shop/payments/providers/stripe-notices.ts";
import { stripe } from "../../../../src/shop/payments/providers/stripe.ts";
import { createStripeGateway } from "../gateways/stripe.ts";
import { createAdapter } from "./adapter.ts";

const library = new Stripe("sk_test_NothingIsSent");

type Adapter = ReturnType<
  typeof createAdapter<typeof stripe.options, ReturnType<typeof createStripeGateway>>
>;
let adapter: Adapter;
let secret: string;
let body: string;

beforeEach(() => {
  adapter = createAdapter(stripe, createStripeGateway);
  secret = adapter.gateway.credentials["webhookSecret"] ?? assert.fail("no secret");
  body = adapter.gateway.event("customer.created", { id: "cus_1", name: "Zoë 店" }).body;
});

/** What the library signs, with the time in seconds before (−) or after ours. */
function sign(seconds = 0, { of = body, by = secret } = {}): Promise<string> {
  const timestamp = Math.floor(adapter.clock.now() / 1_000) + seconds;
  return library.webhooks.generateTestHeaderStringAsync({ payload: of, secret: by, timestamp });
}

/** Our verdict and the library's; the library accepts future times, so those are not compared. */
async function check(header: string | undefined, of = body): Promise<string> {
  const headers = new Headers(header === undefined ? {} : { "stripe-signature": header });
  const request = { method: "POST", url: "https://shop.example.org/", headers, body: of };
  const isTheirs = await library.webhooks
    .constructEventAsync(of, header ?? "", secret, 300, undefined, adapter.clock.now())
    .then(
      () => true,
      () => false,
    );
  try {
    const { verified, notices } = await readStripeNotice(adapter.setup, request, adapter.tools);
    assert.deepEqual([verified, notices, isTheirs], ["signature", [], true]);
    return "right";
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    assert.equal(error.code, "unauthenticated");
    assert.equal(isTheirs, false, `Stripe's library takes ${header}`);
    return error instanceof WrongProof ? "wrong" : "refused";
  }
}

describe("the signature of Stripe's events", () => {
  it("is right as Stripe's library makes it, up to 300 seconds later", async () => {
    assert.equal(await check(await sign()), "right");
    assert.equal(await check(await sign(-300)), "right");
    assert.equal(await check(await sign(-301)), "refused");
  });

  it("may be ahead of our clock by no more", async () => {
    assert.equal(await check(await sign(300)), "right");
    const headers = new Headers({ "stripe-signature": await sign(301) });
    const request = { method: "POST", url: "https://shop.example.org/", headers, body };
    await assert.rejects(
      () => readStripeNotice(adapter.setup, request, adapter.tools),
      /more than five minutes/u,
    );
  });

  it("is wrong for another body, secret or time", async () => {
    assert.equal(await check(await sign(), `${body} `), "wrong");
    assert.equal(await check(await sign(0, { by: `${secret}x` })), "wrong");
    assert.equal(
      await check((await sign(-10)).replace(/^t=\d+/u, (await sign()).split(",")[0] ?? "")),
      "wrong",
    );
    assert.equal(await check(await sign(0, { of: "" })), "wrong");
  });

  it("may be next to others while a secret is rotated", async () => {
    const [time = "", right = ""] = (await sign()).split(",");
    const [, wrong = ""] = (await sign(0, { by: "whsec_the-one-before-it" })).split(",");
    assert.equal(await check([time, wrong, right].join(",")), "right");
    assert.equal(await check([time, right, wrong, "v0=abc"].join(",")), "right");
    assert.equal(await check([time, wrong, wrong].join(",")), "wrong");
  });

  it("is of the scheme v1 and no other, however the header is cut", async () => {
    const [time = "", right = ""] = (await sign()).split(",");
    assert.equal(await check([time, right.replace("v1=", "v0=")].join(",")), "wrong");
    assert.equal(await check([time, right.slice(0, -1)].join(",")), "wrong");
    assert.equal(await check([time, "v1="].join(",")), "wrong");
    assert.equal(await check(time), "wrong");
    assert.equal(await check(right), "refused");
    assert.equal(await check(""), "refused");
    assert.equal(await check(undefined), "refused");
  });

  it("covers a body of any bytes that are UTF-8", async () => {
    for (const text of ["{}", "[]", '"\u{1f4b6}"', "null", `{"a":"${"x".repeat(70_000)}"}`])
      assert.equal(await check(await sign(0, { of: text }), text), "right");
  });

  it("of a provider without a secret is refused, whatever it is signed with", async () => {
    const bare = { ...adapter.setup, credentials: {} };
    const headers = new Headers({ "stripe-signature": await sign(0, { by: "x" }) });
    const request = { method: "POST", url: "https://shop.example.org/", headers, body };
    await assert.rejects(
      () => readStripeNotice(bare, request, adapter.tools),
      /webhook secret of this provider is not set/u,
    );
  });
});
