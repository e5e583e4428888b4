/** MD5 signatures against the vectors of the services' own documentation, and forms as their bytes come. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bepusdt } from "../../../../src/shop/payments/providers/bepusdt.ts";
import { epay } from "../../../../src/shop/payments/providers/epay.ts";
import { tokenpay } from "../../../../src/shop/payments/providers/tokenpay.ts";
import { md5Hex } from "../../../../src/shop/payments/signing/md5.ts";
import {
  RawForm,
  toSignedFields,
  toSignedText,
} from "../../../../src/shop/payments/signing/signed-fields.ts";
import { toOrderId, toTradeNumber } from "../../../../src/shop/payments/signing/trade-number.ts";
import { isAppError } from "./refusals.ts";

describe("signatures of the documentation", () => {
  it("of Epusdt and BEpusdt come out (wiki/API.md, docs/api/api.md)", () => {
    const fields = {
      order_id: "20220201030210321",
      amount: 42,
      notify_url: "http://example.com/notify",
      redirect_url: "http://example.com/redirect",
    };
    const text = toSignedText(fields, ["signature"]);
    assert.equal(
      text,
      "amount=42&notify_url=http://example.com/notify&order_id=20220201030210321&redirect_url=http://example.com/redirect",
    );
    assert.equal(md5Hex(`${text}epusdt_password_xasddawqe`), "1cd4b52df5587cfb1968b0c0c6e156cd");
  });

  it("of Epusdt 2 come out, which signs Epay's fields by the same rule (wiki/API.md of GMWalletApp/epusdt)", () => {
    const fields = {
      pid: "1000",
      order_id: "ORD202605230001",
      currency: "cny",
      token: "usdt",
      network: "tron",
      amount: 100,
      name: "VIP",
      empty: "",
      signature: "left out",
      notify_url: "https://merchant.example/notify",
      redirect_url: "https://merchant.example/return",
    };
    const text = toSignedText(fields, ["signature"]);
    assert.equal(md5Hex(`${text}epusdt_secret_key`), "476412c422f4dd75c3d533f5c47a9cac");
  });

  it("of TokenPay come out: an order, a notice and a query (Wiki/docs.md)", () => {
    const order = {
      OutOrderId: "AJIHK72N34BR2CWG",
      OrderUserKey: "admin@qq.com",
      ActualAmount: 15,
      Currency: "TRX",
      NotifyUrl: "http://localhost:1011/pay/tokenpay/notify_url",
      RedirectUrl: "http://localhost:1011/pay/tokenpay/return_url?order_id=AJIHK72N34BR2CWG",
    };
    const notice = {
      ActualAmount: "15",
      Amount: "34.91",
      BaseCurrency: "CNY",
      BlockChainName: "TRON",
      BlockTransactionId: "375859c36dc5f5d227b10912b5ec70d36dd34446028064956cb60cdbb74432f5",
      Currency: "TRX",
      CurrencyName: "TRX",
      FromAddress: "TYYjzt6AWhe9hAg9DrhiYXEWKDksyohgQa",
      Id: "63234df7-55bf-93fc-0010-67be493c0c27",
      OutOrderId: "E6COE6FGZMO5AXSK",
      PayTime: "2022-09-15 16:08:39",
      Status: 1,
      ToAddress: "TKGTx4pCKiKQbk8evXHTborfZn754TGViP",
    };
    const query = { Id: "66f9d5a8-d9c7-0224-004f-a16a1c068e08" };
    assert.deepEqual(
      [order, notice, query].map((fields) => md5Hex(`${toSignedText(fields)}666`)),
      [
        "e9765880db6081496456283678e70152",
        "e5eaa888cd9e80b5c09a0698981757c8",
        "baa261cc6af3f5efbed15e17a285f653",
      ],
    );
  });
});

describe("forms", () => {
  it("are signed as their bytes came, whatever the charset", () => {
    // 会员 in GBK.
    const form = new RawForm("b=%BB%E1%D4%B1&a=1+%2B&sign=x&empty=&c");
    const bytes = [0x61, 0x3d, 0x31, 0x20, 0x2b, 0x26, 0x62, 0x3d, 0xbb, 0xe1, 0xd4, 0xb1, 0x4b];
    assert.deepEqual([...form.toSigned(["sign"], "K")], bytes);
    assert.equal(form.text("b", "gbk"), "会员");
    assert.equal(form.text("b"), "\u{FFFD}\u{FFFD}Ա");
    assert.equal(form.text("none"), "");
    assert.equal(form.size, 5);
  });

  it("are refused when a field comes twice, a byte is half, or there are too many", () => {
    const many = Array.from({ length: 200 }, (_, index) => `f${index}=1`).join("&");
    for (const text of ["a=1&a=2", "a=1&%61=2", "a=%", "a=%4", "a=%zz", many])
      assert.throws(() => new RawForm(text), isAppError("bad_request"), text);
  });

  it("are refused as JSON with anything nested", () => {
    for (const json of [[], "x", 1, null, { a: {} }, { a: [1] }, { a: true }])
      assert.throws(() => toSignedFields(json), isAppError("bad_request"), JSON.stringify(json));
    assert.deepEqual(toSignedFields({ a: 1, b: "x", c: null }), { a: 1, b: "x" });
  });
});

describe("trade numbers", () => {
  it("lead back to their orders, and leave other texts alone", () => {
    const orderId = "ord_01jd5v6m0c8f3k2n7q4x9y1z5a";
    for (const attempt of [1, 2, 99_999]) {
      const text = toTradeNumber({ orderId, attempt });
      assert.match(text, /^\w{6,32}$/u);
      assert.equal(toOrderId(text), orderId);
    }
    for (const text of ["", "261121-7KQ4MP", orderId, "x_1"]) assert.equal(toOrderId(text), text);
  });
});

describe("the secrets of providers that sign with MD5", () => {
  for (const [name, kind, credential] of [
    ["epay", epay, "key"],
    ["bepusdt", bepusdt, "token"],
    ["tokenpay", tokenpay, "token"],
  ] as const)
    it(`has at least 16 characters when it is set for ${name}`, () => {
      const schema = new Map(Object.entries(kind.credentials)).get(credential)?.schema;
      assert.equal(schema?.safeParse("s".repeat(16)).success, true);
      const short = schema?.safeParse("s".repeat(15));
      assert.match(short?.error?.issues[0]?.message ?? "", /at least 16 characters/u);
    });
});
