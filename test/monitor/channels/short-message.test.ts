import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { toShortMessage } from "../../../src/monitor/channels/kinds/short-message.ts";

/** GSM 7-bit, 3GPP TS 23.038 section 6.2.1: what takes one septet, and what takes two. */
const ONE = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]$/u;
const TWO = /^[\^{}\\[~\]|€]$/u;

function countSeptets(text: string): number {
  return Array.from(text).reduce((sum, one) => sum + (ONE.test(one) ? 1 : TWO.test(one) ? 2 : Number.NaN), 0);
}

const toText = (title: string, url?: string): string =>
  toShortMessage({ title, ...(url === undefined ? {} : { url }) }).text;

describe("a short message", () => {
  it("fits one SMS, whatever the title is", () => {
    const letters = fc.constantFrom(...Array.from("ab €[]{}~^ÄÖü…–“”→°é服务🔴👩‍🚀łŁ\n"));
    fc.assert(
      fc.property(fc.string({ unit: letters, maxLength: 250 }), fc.webUrl(), (title, url) => {
        const { text, isUnicode } = toShortMessage({ title, url });
        if (isUnicode) assert.ok(text.length <= 70);
        else assert.ok(countSeptets(text) <= 160, text);
        assert.ok(!/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/u.test(text));
      }),
    );
  });

  it("leaves out the sign, which alone would halve the length", () => {
    assert.deepEqual(toShortMessage({ title: "🔴 web-1 offline since 14:02" }), {
      text: "web-1 offline since 14:02",
      isUnicode: false,
    });
  });

  it("writes punctuation and accents in the alphabet, and keeps umlauts", () => {
    assert.equal(toText("“Büro” – 90 % … → ok · źŕ"), '"Büro" - 90 % ... -> ok - zr');
  });

  it("counts two septets for brackets and the euro sign", () => {
    assert.equal(toText("€".repeat(80)), "€".repeat(80));
    assert.equal(toText("€".repeat(81)), `${"€".repeat(78)}...`);
  });

  it("is cut after 70 units where a character needs UCS-2", () => {
    assert.equal(toText("服".repeat(70)), "服".repeat(70));
    assert.equal(toText("服".repeat(71)), `${"服".repeat(67)}...`);
  });

  it("has the address only where both fit", () => {
    assert.equal(toText("a", "https://x.example"), "a\nhttps://x.example");
    assert.equal(toText("a".repeat(150), "https://x.example"), "a".repeat(150));
  });
});
