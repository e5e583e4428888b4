/** What the ledger says of payments, in the words of the console. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, it } from "node:test";
import english from "../../../src/texts/en/web.json" with { type: "json" };
import shop from "../../../src/texts/en/web-shop.json" with { type: "json" };
import { setTexts } from "../../../src/web/app/texts.ts";
import type { NoticeView } from "../../../src/shop/payments/answer-schema.ts";
import { toAdvice, toReason } from "../../../src/web/shop/ui/orders/notice-words.ts";

const payments = new URL("../../../src/shop/payments/", import.meta.url);

/** The messages of the rules, with names filled in. */
async function readReasons(): Promise<string[]> {
  const files = ["notice-rules.ts", "notices.ts", "services/receive.ts"];
  const sources = await Promise.all(files.map((file) => readFile(new URL(file, payments), "utf8")));
  const sentences = sources
    .join("\n")
    .matchAll(
      /(?:reason(?: =|:)|unconfirmed:|review\(\s*context,|\?|:)\s*(?:"([A-Z][^"\n]+)"|`([A-Z][^`\n]+)`)/gu,
    );
  return [...sentences].map(([, plain = "", filled = ""]) =>
    (plain + filled).replaceAll(/\$\{[^}]+\}/gu, "XYZ"),
  );
}

const notice = { reason: "", type: "payment", amount: 1, currency: "EUR" } as NoticeView; // what the words need

describe("why a payment waits", () => {
  beforeEach(() => setTexts("en", { ...english, ...shop }));
  afterEach(() => setTexts("en", english));

  it("has words for every reason that the rules give", async () => {
    const reasons = await readReasons();
    assert.ok(reasons.length >= 12, reasons.join("\n"));
    const silent = reasons.filter(
      (reason) => reason !== "Nothing about an order" && toReason(reason) === reason,
    );
    assert.deepEqual(silent, []);
  });

  it("has the same words for the wording of earlier releases", () => {
    const stored: readonly (readonly [old: string, now: string])[] = [
      ["The order had been canceled", "The order was canceled before the payment arrived"],
      ["The payment came too late", "The payment arrived too late"],
      [
        'The notice is of "bank", the order is to be paid with "card"',
        'The payment is from the provider "bank"',
      ],
      ["More was given back than is known to have been paid", "The refunds exceed the payments received"],
      ["Less was paid than is due", "Underpaid: the payment is less than the amount due"],
    ];
    for (const [old, now] of stored) {
      assert.notEqual(toReason(old), old);
      assert.equal(toReason(old), toReason(now));
    }
  });

  it("is shown as it came when it is unknown, with what can always be done", () => {
    assert.equal(toReason("The moon was full"), "The moon was full");
    assert.match(
      toAdvice({ ...notice, reason: "The moon was full" }),
      /Check your account with the provider/u,
    );
    assert.match(toAdvice({ ...notice, reason: "There is no such order" }), /Find the order/u);
  });
});
