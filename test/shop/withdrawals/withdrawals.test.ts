/** The withdrawal function in two steps, and what administrators do with what came. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, liftLimits, order, sendNotice, setProvider, toNotice } from "../goods.ts";
import { EMAIL, type Placed, type Receipt, type View, statement } from "./statement.ts";

const OWNER = "owner@example.org";
const DAY = 86_400_000;
let app: TestShop;

beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app);
  await liftLimits(app);
  await app.setSite({ timeZone: "Europe/Berlin", languages: ["en", "de", "zh"] });
  await app.setSmtp({ adminAddress: `${OWNER}, second@example.org` });
});

async function buy(goods: Parameters<typeof addProduct>[1] = {}, quantity = 2): Promise<Placed> {
  const product = await addProduct(app, { title: "Red mug", ...goods });
  const placed = await order(app, [{ productId: product.id, quantity }]);
  assert.equal((await sendNotice(app, toNotice(placed.order))).status, 200);
  return placed.order;
}

const deliver = (id: string): Promise<Response> =>
  app.admin("POST", `/api/admin/orders/${id}/deliver`, { note: "" });

const state = (body: object, from?: string): Promise<Response> =>
  app.send("POST", "/api/withdrawals", { body, ...(from === undefined ? {} : { from }) });
const confirm = (confirmation: string, from?: string): Promise<Response> =>
  app.send("POST", "/api/withdrawals/confirm", {
    body: { confirmation },
    ...(from === undefined ? {} : { from }),
  });

async function withdraw(body: object, from?: string): Promise<Receipt> {
  const { confirmation } = await read<{ confirmation: string }>(await state(body, from));
  return read(await confirm(confirmation, from));
}

const view = async (id: string): Promise<View> =>
  read(await app.admin("GET", `/api/admin/withdrawals/${id}`));
const listed = async (query: string): Promise<string[]> =>
  (await read<{ items: View[] }>(await app.admin("GET", `/api/admin/withdrawals${query}`))).items.map(
    ({ id }) => id,
  );
const attention = async (id: string): Promise<string[]> =>
  (await read<{ attention: string[] }>(await app.admin("GET", `/api/admin/orders/${id}`))).attention;
const mailsTo = async (address: string, kind: string) =>
  (await app.mails(address)).filter((mail) => mail.kind === kind);

describe("a withdrawal", () => {
  it("is kept when it is confirmed, and not before", async () => {
    const { number } = await buy();
    const prepared = await read<{ confirmation: string; expiresAt: string }>(await state(statement(number)));
    assert.equal(prepared.expiresAt, "2026-02-01T12:00:00.000+00:00");
    assert.deepEqual(await listed(""), []);
    const receipt = await read<Receipt>(await confirm(prepared.confirmation));
    assert.deepEqual(
      { ...receipt, id: "" },
      { id: "", receivedAt: "2026-01-31T12:00:00.000+00:00", email: EMAIL },
    );
    assert.deepEqual(await listed("?waiting=true"), [receipt.id]);
  });

  it("is the same when it is confirmed again: one record, one mail", async () => {
    const { number } = await buy();
    const { confirmation } = await read<{ confirmation: string }>(await state(statement(number)));
    const all = await Promise.all([confirm(confirmation), confirm(confirmation)]);
    const [first, second] = await Promise.all(all.map((answer) => read<Receipt>(answer)));
    assert.deepEqual(first, second);
    app.clock.advance(60_000);
    assert.deepEqual(await read(await confirm(confirmation)), first);
    assert.equal((await listed("")).length, 1);
    assert.equal((await mailsTo(EMAIL, "withdrawal_received")).length, 1);
  });

  it("that adds nothing is kept, and says so to the shop", async () => {
    const { number, lines } = await buy();
    const line = { lineId: lines[0]?.id ?? "", quantity: 2 };
    const first = await withdraw(statement(number));
    assert.deepEqual((await view(first.id)).marks, []);
    const again = await withdraw(statement(number, { lines: [line] }));
    assert.deepEqual((await view(again.id)).marks, ["nothing_left"]);
    for (const { id } of [first, again])
      assert.equal((await app.admin("POST", `/api/admin/withdrawals/${id}/decline`, {})).status, 200);
    assert.deepEqual((await view((await withdraw(statement(number))).id)).marks, []);
  });

  it("is acknowledged with its content, date and time in three languages", async () => {
    const { number, lines } = await buy();
    const words = {
      en: /Received on: January 31, 2026/u,
      de: /Eingegangen am: 31\. Januar 2026/u,
      zh: /收到时间: 2026年1月31日/u,
    };
    for (const language of ["en", "de", "zh"] as const) {
      const { id } = await withdraw(
        statement(number, {
          language,
          lines: [{ lineId: lines[0]?.id ?? "", quantity: 1 }],
          what: "too small",
        }),
      );
      const mail = (await mailsTo(EMAIL, "withdrawal_received")).find(({ text }) => text.includes(id));
      assert.match(mail?.text ?? "", words[language]);
      assert.match(mail?.text ?? "", /(?:13|0?1):00/u);
      for (const part of ["Ann Smith", number, "1 × Red mug", "too small", EMAIL])
        assert.ok(mail?.text.includes(part), part);
    }
  });

  it("sets the order's flag and tells every owner", async () => {
    const { id, number } = await buy();
    await withdraw(statement(number.toLowerCase(), { email: "Ann@Example.org" }));
    assert.deepEqual(await attention(id), ["withdrawal"]);
    for (const address of [OWNER, "second@example.org"])
      assert.match((await mailsTo(address, "withdrawal"))[0]?.text ?? "", /refunded by 2026-02-16/u);
    const { history } = await read<{ history: { event: string }[] }>(
      await app.admin("GET", `/api/admin/orders/${id}`),
    );
    assert.equal(history.at(-1)?.event, "withdrawal");
  });

  it("has a deadline of 14 days in the shop's zone, over a change of the clocks", async () => {
    app.clock.jump(Date.parse("2026-03-18T22:30:00Z") - app.clock.now());
    const { number } = await buy();
    const { id } = await withdraw(statement(number));
    assert.equal((await view(id)).refundBy, "2026-04-01T21:59:59.999+00:00");
    app.clock.advance(14 * DAY);
    assert.equal((await view(id)).isOverdue, true);
  });
});

describe("a withdrawal from an order that is not there, or another's", () => {
  it("gets the same answer and the same mail, and waits for a person", async () => {
    const { id, number } = await buy();
    const right = await withdraw(statement(number));
    const wrong = await withdraw(statement("260131-XXXXXXXX"));
    const others = await withdraw(statement(number, { email: "eve@example.org" }));
    assert.deepEqual(Object.keys(right), Object.keys(wrong));
    const [a] = await mailsTo("eve@example.org", "withdrawal_received");
    const [b, c] = await mailsTo(EMAIL, "withdrawal_received");
    const plain = (text = ""): string =>
      text.replaceAll(/wdr_\w+|eve@example\.org|ann@example\.org|260131-\w+/gu, "");
    assert.equal(plain(a?.text), plain(b?.text));
    assert.equal(plain(b?.text), plain(c?.text));
    assert.deepEqual((await view(others.id)).marks, ["unknown_order"]);
    assert.equal((await view(others.id)).orderId, undefined);
    assert.equal((await view(right.id)).orderId, id);
    assert.equal((await listed("?waiting=true")).length, 3);
  });

  it("does not name the lines of that order", async () => {
    const { number, lines } = await buy();
    await withdraw(
      statement(number, { email: "eve@example.org", lines: [{ lineId: lines[0]?.id ?? "", quantity: 1 }] }),
    );
    const [mail] = await mailsTo("eve@example.org", "withdrawal_received");
    assert.doesNotMatch(mail?.text ?? "", /Red mug/u);
  });

  it("is mailed to a mailbox three times a day, which takes nothing from an order's owner", async () => {
    const { number } = await buy();
    for (let n = 0; n < 5; n += 1) await withdraw(statement("260131-XXXXXXXX"), `198.51.100.${n}`);
    assert.equal((await mailsTo(EMAIL, "withdrawal_received")).length, 3);
    assert.equal((await listed("")).length, 5);
    await withdraw(statement(number));
    assert.equal((await mailsTo(EMAIL, "withdrawal_received")).length, 4);
  });

  it("can be given to the order that a person found", async () => {
    const { id, number } = await buy();
    const receipt = await withdraw(statement(number, { email: "other@example.org" }));
    const path = `/api/admin/withdrawals/${receipt.id}/accept`;
    assert.deepEqual(await code(await app.admin("POST", path, { orderId: "ord_none" })), [404, "not_found"]);
    const accepted = await read<View>(await app.admin("POST", path, { orderId: id }));
    assert.deepEqual([accepted.orderId, accepted.marks, accepted.suggestedRefund], [id, [], 2_000]);
  });
});

describe("what a person should know", () => {
  const marksOf = async (number: string, more: object = {}): Promise<string[]> =>
    (await view((await withdraw(statement(number, more))).id)).marks;

  it("is that it came late", async () => {
    const { id, number } = await buy();
    assert.equal((await deliver(id)).status, 200);
    // Saturday 2026-01-31 and 14 days is a Saturday: the period ends with Monday the 16th.
    app.clock.jump(Date.parse("2026-02-16T22:59:59Z") - app.clock.now());
    assert.deepEqual(await marksOf(number), []);
    app.clock.jump(1_000);
    assert.deepEqual(await marksOf(number), ["late", "nothing_left"]);
  });

  it("is that the right was waived or excluded, or never was", async () => {
    assert.deepEqual(await marksOf((await buy({ keys: ["K-1"] }, 1)).number), ["waived"]);
    assert.deepEqual(await marksOf((await buy({ excludedFromWithdrawal: true })).number), ["excluded"]);
    await app.admin("PATCH", "/api/admin/site", { eu: { mode: "off" } });
    assert.deepEqual(await marksOf((await buy()).number), ["no_right"]);
  });

  it("is that lines or units are not there", async () => {
    const { number, lines } = await buy();
    assert.deepEqual(await marksOf(number, { lines: [{ lineId: "lin_x", quantity: 1 }] }), ["unknown_lines"]);
    const many = [{ lineId: lines[0]?.id ?? "", quantity: 3 }];
    assert.deepEqual(await marksOf(number, { lines: many }), ["unknown_lines"]);
  });

  it("is what is to be given back: with delivery for all of it, in part without", async () => {
    await app.setSite({ shippingFee: 500 });
    const { number, lines } = await buy();
    const part = await withdraw(statement(number, { lines: [{ lineId: lines[0]?.id ?? "", quantity: 1 }] }));
    assert.equal((await view(part.id)).suggestedRefund, 1_000);
    const all = await withdraw(statement(number));
    const { suggestedRefund, refundPath } = await view(all.id);
    assert.equal(suggestedRefund, 2_000);
    assert.match(refundPath ?? "", /^\/api\/admin\/orders\/ord_\w+\/refund$/u);
  });
});

describe("administrators", () => {
  const step = (id: string, name: string, body: object = {}): Promise<Response> =>
    app.admin("POST", `/api/admin/withdrawals/${id}/${name}`, body);

  it("accept, take the goods back, give the money back, and close", async () => {
    const { id, number } = await buy();
    const receipt = await withdraw(statement(number, { language: "de" }));
    const accepted = await read<View>(
      await step(receipt.id, "accept", { note: "Send it to Road 1", version: 1 }),
    );
    assert.equal(accepted.state, "accepted");
    const [mail] = await mailsTo(EMAIL, "withdrawal_accepted");
    assert.match(mail?.text ?? "", /Rückerstattung spätestens bis 2026-02-16.*Send it to Road 1/su);
    assert.equal((await read<View>(await step(receipt.id, "return"))).state, "returned");
    const refund = { amount: accepted.suggestedRefund };
    assert.equal((await app.admin("POST", accepted.refundPath ?? "", refund)).status, 200);
    assert.deepEqual(await attention(id), ["withdrawal"]);
    assert.equal((await read<View>(await step(receipt.id, "close"))).state, "closed");
    assert.deepEqual(await attention(id), []);
    assert.deepEqual(await listed("?waiting=true"), []);
    assert.deepEqual(await listed("?state=closed"), [receipt.id]);
    assert.deepEqual(await listed(`?orderId=${id}`), [receipt.id]);
    assert.deepEqual(await listed(`?orderId=${id}&state=closed`), [receipt.id]);
    assert.deepEqual(await listed(`?orderId=${id}&state=received`), []);
    assert.deepEqual(await listed(`?orderId=${id}&waiting=true`), []);
    assert.deepEqual(await listed("?waiting=true&state=closed"), []);
    const audit = await read<{ items: { action: string }[] }>(await app.admin("GET", "/api/admin/audit"));
    const actions = audit.items.map(({ action }) => action).filter((name) => name.startsWith("withdrawal"));
    assert.deepEqual(actions.sort(), ["withdrawal.accept", "withdrawal.close", "withdrawal.return"]);
  });

  it("decline with a reason, and the flag stays while another one waits", async () => {
    const { id, number } = await buy();
    const [first, second] = [await withdraw(statement(number)), await withdraw(statement(number))];
    await step(first.id, "decline", { note: "It was made for you" });
    assert.match((await mailsTo(EMAIL, "withdrawal_declined"))[0]?.text ?? "", /It was made for you/u);
    assert.deepEqual(await attention(id), ["withdrawal"]);
    await step(second.id, "decline");
    assert.deepEqual(await attention(id), []);
  });

  it("cannot take a step that is not next, or from an old version", async () => {
    const { number } = await buy();
    const { id } = await withdraw(statement(number));
    assert.deepEqual(await code(await step(id, "return")), [409, "conflict"]);
    assert.deepEqual(await code(await step(id, "close")), [409, "conflict"]);
    assert.deepEqual(await code(await step(id, "accept", { version: 9 })), [409, "version_conflict"]);
    await step(id, "decline");
    assert.deepEqual(await code(await step(id, "accept")), [409, "conflict"]);
    assert.deepEqual(await code(await step("wdr_none", "accept")), [404, "not_found"]);
    assert.deepEqual(await code(await app.admin("GET", "/api/admin/withdrawals/wdr_none")), [
      404,
      "not_found",
    ]);
  });

  it("alone see and settle them", async () => {
    assert.equal((await app.send("GET", "/api/admin/withdrawals")).status, 401);
    assert.equal((await app.send("GET", "/api/admin/withdrawals/wdr_1")).status, 401);
    assert.equal((await app.send("POST", "/api/admin/withdrawals/wdr_1/accept", { body: {} })).status, 401);
  });
});

describe("bad statements", () => {
  const bad: readonly [string, object][] = [
    ["without a name", { name: " " }],
    ["with a forged header", { email: "a@b.c\r\nBcc: d@e.f" }],
    [
      "with a line twice",
      {
        lines: [
          { lineId: "a", quantity: 1 },
          { lineId: "a", quantity: 2 },
        ],
      },
    ],
    ["with an unknown member", { iban: "DE" }],
    ["of a huge text", { what: "x".repeat(2_001) }],
  ];
  for (const [name, more] of bad)
    it(`${name} are refused`, async () => {
      assert.equal((await state(statement("260131-XXXXXXXX", more))).status, 422);
    });

  it("cannot be confirmed when they are changed, made up or a day old", async () => {
    const { number } = await buy();
    const { confirmation } = await read<{ confirmation: string }>(await state(statement(number)));
    const foreign = app.shop.deps.box.seal("{}", "delivery");
    const changed = `${confirmation.slice(0, -2)}${confirmation.endsWith("AA") ? "BB" : "AA"}`;
    for (const wrong of ["v1.x", changed, foreign, "__proto__"])
      assert.deepEqual(await code(await confirm(wrong)), [422, "invalid"]);
    app.clock.advance(DAY);
    assert.deepEqual(await code(await confirm(confirmation)), [422, "invalid"]);
    assert.deepEqual(await listed(""), []);
  });

  it("are limited by network address, which stops no other", async () => {
    for (let n = 0; n < 20; n += 1) await withdraw(statement(`260131-XXXXXX${n}`), "198.51.100.7");
    const { confirmation } = await read<{ confirmation: string }>(
      await state(statement("260131-XXXXXXXX"), "198.51.100.7"),
    );
    assert.deepEqual(await code(await confirm(confirmation, "198.51.100.7")), [429, "rate_limited"]);
    assert.equal((await confirm(confirmation, "198.51.100.8")).status, 200);
  });

  it("put nothing of theirs into HTML or into other places", async () => {
    const { number } = await buy();
    const { id } = await withdraw(statement(number, { name: "{number} <script>alert(1)</script>" }));
    const [sent] = await mailsTo(EMAIL, "withdrawal_received");
    assert.ok(sent?.text.includes("{number} <script>"), sent?.text);
    assert.ok(sent?.text.includes(id));
  });
});
