/** The signature of PayPal's notices: who may have signed, what it covers, and how old it may be. */
import assert from "node:assert/strict";
import { createSign } from "node:crypto";
import { beforeEach, describe, it } from "node:test";
import { AppError } from "../../../../src/kit/errors.ts";
import { WrongProof } from "../../../../src/shop/payments/notice-proof.ts";
import { toCrc32 } from "../../../../src/shop/payments/paypal-signature.ts";
import { listCertificateOrigins } from "../../../../src/shop/payments/providers/paypal-api.ts";
import { paypal } from "../../../../src/shop/payments/providers/paypal.ts";
import { ProviderFault } from "../../../../src/shop/payments/providers/provider.ts";
import { cert as ellipticCertificate } from "../../../support/tls-pair.ts";
import { crc32 } from "../gateways/crc32.ts";
import type { GatewayNotice } from "../gateways/gateway.ts";
import { foreignCertificate, privateKey } from "../gateways/paypal-certificate.ts";
import { createPaypalGateway } from "../gateways/paypal.ts";
import { callsOf, createAdapter, ORIGIN } from "./adapter.ts";

const DAY = 86_400_000;
const CERTIFICATES = `${ORIGIN}/v1/notifications/certs`;
const { read } = callsOf(paypal);

type Adapter = ReturnType<
  typeof createAdapter<typeof paypal.options, ReturnType<typeof createPaypalGateway>>
>;
let adapter: Adapter;
let notice: GatewayNotice;
let certificates = 0;

beforeEach(() => {
  adapter = createAdapter(paypal, createPaypalGateway);
  notice = adapter.gateway.event("CATALOG.PRODUCT.CREATED", { id: "PROD-1", name: "Zoë 店" });
});

function withHeaders(headers: Record<string, string>, body = notice.body): GatewayNotice {
  return { ...notice, body, headers: { ...notice.headers, ...headers } };
}

/** A new URL of a certificate. */
function newAddress(): string {
  certificates += 1;
  return `${CERTIFICATES}/CERT-of-a-test-${certificates}`;
}

async function check(sent: GatewayNotice): Promise<string> {
  try {
    const { verified, notices } = await read(adapter.setup, adapter.toRequest(sent), adapter.tools);
    assert.deepEqual([verified, notices], ["signature", []]);
    return "right";
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    return error instanceof WrongProof ? "wrong" : error.code;
  }
}

describe("the signature of PayPal's notices", () => {
  it("is right over this transmission, time, webhook and body, and nothing else", async () => {
    assert.equal(await check(notice), "right");
    assert.equal(await check(adapter.gateway.forge(notice)), "wrong");
    assert.equal(await check(withHeaders({}, `${notice.body} `)), "wrong");
    assert.equal(await check(withHeaders({ "paypal-transmission-id": "another" })), "wrong");
    assert.equal(await check(withHeaders({ "paypal-transmission-time": "2026-01-31T12:00:01Z" })), "wrong");
    adapter.setup.options.webhookId = "1AB23456CD789012E";
    assert.equal(await check(notice), "wrong");
  });

  it("is of SHA256withRSA alone, and complete", async () => {
    assert.equal(await check(withHeaders({ "paypal-auth-algo": "SHA1withRSA" })), "unauthenticated");
    for (const name of ["transmission-id", "transmission-sig", "transmission-time", "auth-algo"])
      assert.equal(await check(withHeaders({ [`paypal-${name}`]: "" })), "unauthenticated", name);
    for (const signature of ["x", "€", "A".repeat(344), `${notice.headers["paypal-transmission-sig"]}==`])
      assert.match(
        await check({
          ...notice,
          headers: { ...notice.headers, "paypal-transmission-sig": encodeURI(signature) },
        }),
        /wrong/u,
      );
  });

  it("may be four days old, for PayPal sends again for three, and five minutes ahead", async () => {
    const at = (ms: number): Promise<string> =>
      check(adapter.gateway.event("X", {}, { atMs: adapter.clock.now() + ms }));
    assert.equal(await at(-4 * DAY), "right");
    assert.equal(await at(-4 * DAY - 1_000), "unauthenticated");
    assert.equal(await at(300_000), "right");
    assert.equal(await at(301_000), "unauthenticated");
    for (const time of ["yesterday", "1769860800", "2026-01-31", "2026-13-45T12:00:00Z"])
      assert.equal(await check(withHeaders({ "paypal-transmission-time": time })), "unauthenticated", time);
  });

  it("needs a certificate that was valid when it was sent", async () => {
    adapter.clock.jump(Date.UTC(2023, 11, 31, 23) - adapter.clock.now());
    assert.equal(await check(adapter.gateway.event("X", {})), "unauthenticated");
    adapter.clock.jump(2 * 3_600_000);
    assert.equal(await check(adapter.gateway.event("X", {})), "right");
  });
});

describe("the certificate of PayPal's notices", () => {
  it("is fetched once", async () => {
    const address = newAddress();
    adapter.answerOnce({
      status: 200,
      text: await (await adapter.gateway.answer(new Request(notice.headers["paypal-cert-url"] ?? ""))).text(),
    });
    assert.equal(await check(withHeaders({ "paypal-cert-url": address })), "right");
    assert.deepEqual(
      adapter.sent.map(({ method, url }) => `${method} ${url}`),
      [`GET ${address}`],
    );
    assert.equal(await check(withHeaders({ "paypal-cert-url": address })), "right");
    assert.equal(adapter.sent.length, 1);
  });

  it("comes from the PayPal that the provider uses and from nowhere else", async () => {
    for (const address of [
      "",
      "not an address",
      "https://evil.example/v1/notifications/certs/CERT-1",
      "https://api.paypal.com/v1/notifications/certs/CERT-1",
      "https://pay.example.net.evil.example/v1/notifications/certs/CERT-1",
      "https://pay.example.net@evil.example/v1/notifications/certs/CERT-1",
      "http://pay.example.net/v1/notifications/certs/CERT-1",
      `${ORIGIN}:8443/v1/notifications/certs/CERT-1`,
      `${ORIGIN}/v1/notifications/certs/../../oauth2/token`,
      `${ORIGIN}/v1/notifications/certs/CERT-1?next=https://evil.example`,
      `${ORIGIN}/v1/notifications/certs/CERT-1#x`,
      `${ORIGIN}/uploads/CERT-1`,
      "https://user:password@pay.example.net/v1/notifications/certs/CERT-1",
    ])
      assert.equal(await check(withHeaders({ "paypal-cert-url": address })), "wrong", address);
    assert.equal(adapter.sent.length, 0);
  });

  it("of the sandbox proves nothing to a live provider, nor the other way", () => {
    const live = listCertificateOrigins("https://api-m.paypal.com");
    const sandbox = listCertificateOrigins("https://api-m.sandbox.paypal.com");
    assert.deepEqual(live, ["https://api-m.paypal.com", "https://api.paypal.com"]);
    assert.deepEqual(sandbox, ["https://api-m.sandbox.paypal.com", "https://api.sandbox.paypal.com"]);
    assert.deepEqual(listCertificateOrigins(ORIGIN), [ORIGIN]);
  });

  it("bears the name of PayPal's signing certificates and an RSA key", async () => {
    for (const text of [
      foreignCertificate,
      ellipticCertificate,
      "",
      "<html>",
      "-----BEGIN CERTIFICATE-----\nAAAA\n",
    ]) {
      adapter.answerOnce({ status: 200, text });
      assert.equal(await check(withHeaders({ "paypal-cert-url": newAddress() })), "wrong", text.slice(0, 80));
    }
    for (const status of [301, 404]) adapter.answerOnce({ status, text: "" });
    assert.equal(await check(withHeaders({ "paypal-cert-url": newAddress() })), "unavailable");
    assert.equal(await check(withHeaders({ "paypal-cert-url": newAddress() })), "wrong");
  });

  it("that cannot be fetched leaves the notice to be sent again", async () => {
    const address = newAddress();
    adapter.answerOnce(new ProviderFault("unavailable", "nobody home"));
    assert.equal(await check(withHeaders({ "paypal-cert-url": address })), "unavailable");
    adapter.answerOnce({ status: 503, text: "" });
    assert.equal(await check(withHeaders({ "paypal-cert-url": address })), "unavailable");
  });
});

describe("certificates that strangers name", () => {
  it("are fetched a hundred times in ten minutes and no more", async () => {
    assert.equal(await check(notice), "right");
    adapter.sent.length = 0;
    adapter.clock.jump(DAY);
    const ask = (): Promise<string> => {
      adapter.answerOnce({ status: 404, text: "" });
      return check({
        ...adapter.gateway.event("X", {}),
        headers: { ...adapter.gateway.event("X", {}).headers, "paypal-cert-url": newAddress() },
      });
    };
    const answers = [];
    for (let count = 0; count < 101; count += 1) answers.push(await ask());
    assert.deepEqual([answers[99], answers[100], adapter.sent.length], ["wrong", "unavailable", 100]);
    // Known ones are not requested again.
    assert.equal(await check(adapter.gateway.event("X", {})), "right");
    adapter.clock.advance(600_000);
    assert.equal(await ask(), "wrong");
  });
});

describe("CRC-32", () => {
  it("is that of ISO 3309", () => {
    // The check value of the CRC catalogue, and two of RFC 3720's kind by hand.
    assert.equal(toCrc32("123456789"), 0xcbf43926);
    assert.equal(toCrc32(""), 0);
    assert.equal(toCrc32("a"), 0xe8b7be43);
    for (const text of ["{}", "Zoë 店 \u{1f4b6}", "\u0000\uffff", notice.body])
      assert.equal(toCrc32(text), crc32(text));
  });

  it("is a plain number in the signed text, without a sign", async () => {
    // A body whose CRC has its highest bit set.
    const body = JSON.stringify({ id: "WH-1", event_type: "X", resource: { n: 30 } });
    const id = "69cd13f0-d67a-11e5-baa3-778b53f4ae55";
    const time = "2026-01-31T12:00:00Z";
    assert.ok(crc32(body) > 0x7fffffff, String(crc32(body)));
    const { webhookId } = adapter.setup.options;
    const sign = (crc: string): string =>
      createSign("RSA-SHA256").update(`${id}|${time}|${webhookId}|${crc}`).sign(privateKey, "base64");
    const send = (crc: string): Promise<string> => {
      const headers = { "paypal-transmission-id": id, "paypal-transmission-time": time };
      return check(withHeaders({ ...headers, "paypal-transmission-sig": sign(crc) }, body));
    };
    assert.equal(await send(String(crc32(body))), "right");
    assert.equal(await send(crc32(body).toString(16)), "wrong");
    assert.equal(await send(String(crc32(body) - 2 ** 32)), "wrong");
  });
});
