/** The words of mails: read, changed, previewed, tried, and put back. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import {
  mailLanguages,
  templateKindNames,
  toDefaultTemplate,
} from "../../../src/shop/mails/template-kinds.ts";
import { checkTemplate, fillMail } from "../../../src/shop/mails/templates.ts";
import { type TestShop, ADMIN_TOKEN, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, liftLimits, order, setProvider } from "../goods.ts";

const OWNER = "owner@example.org";
const WORDS = {
  subject: "Danke für {number}",
  text: "Sie zahlen {total}.\n\n{order}\n\n{payUntil}\n\n{instructions}\n\n{payLink}\n\n{orderLink}\n\n{legal}",
};
let app: TestShop;

beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app);
  await liftLimits(app);
  await app.setSite({ languages: ["en", "de", "zh"] });
  await app.setSmtp({ adminAddress: OWNER });
});

interface Wording {
  kind: string;
  language: string;
  subject: string;
  text: string;
  isChanged: boolean;
  version: number;
}

const at = (kind: string, language: string, more = ""): string =>
  `/api/admin/mails/${kind}/${language}${more}`;
const put = (kind: string, language: string, body: object, headers = {}): Promise<Response> =>
  app.admin("PUT", at(kind, language), body, headers);
const get = async (kind: string, language: string): Promise<Wording> =>
  read(await app.admin("GET", at(kind, language)));
const placed = async (language = "en") => {
  const product = await addProduct(app, { title: "T-shirt", options: {} } as object);
  await app.setSite({ languages: [language, "en"] });
  return (await order(app, [{ productId: product.id }])).order;
};
const mailOf = async (number: string) => (await app.mails()).find(({ subject }) => subject.includes(number));

describe("the first wording", () => {
  it("of every kind and language passes its own check and leaves no place unfilled", async () => {
    for (const kind of templateKindNames)
      for (const language of mailLanguages) {
        checkTemplate(kind, toDefaultTemplate(kind, language));
        const mail = await read<{ subject: string; text: string; html: string }>(
          await app.admin("POST", at(kind, language, "/preview"), {}),
        );
        assert.doesNotMatch(mail.subject + mail.text, /\{\w+\}|undefined/u, `${kind} ${language}`);
        assert.match(mail.html, /^<!doctype html>/u);
        if (kind.startsWith("order_")) assert.match(mail.text, /T-shirt \(L\)/u);
      }
  });

  it("is listed in the languages of the site", async () => {
    const { items } = await read<{ items: Wording[] }>(await app.admin("GET", "/api/admin/mails"));
    assert.equal(items.length, templateKindNames.length * 3);
    assert.ok(items.every(({ isChanged }) => !isChanged));
  });
});

describe("words of an administrator", () => {
  it("are used in the next emails of that language only, until they are reset", async () => {
    const waiting = await placed("de");
    const before = await mailOf(waiting.number);
    assert.equal((await read<Wording>(await put("order_placed", "de", WORDS))).version, 1);
    const next = await placed("de");
    const mail = await mailOf(next.number);
    assert.equal(mail?.subject, `Trivet shop: Danke für ${next.number}`);
    assert.match(mail.text, /Sie zahlen 10,00\s€\.\n\nBestellung/u);
    assert.deepEqual(await mailOf(waiting.number), before);
    assert.match((await mailOf((await placed("en")).number))?.subject ?? "", /We’ve received your order/u);
    assert.equal((await app.admin("DELETE", at("order_placed", "de"))).status, 204);
    assert.equal((await app.admin("DELETE", at("order_placed", "de"))).status, 204);
    assert.equal((await get("order_placed", "de")).isChanged, false);
    assert.match(
      (await mailOf((await placed("de")).number))?.subject ?? "",
      /Ihre Bestellung ist eingegangen/u,
    );
    const audit = await read<{ items: { action: string }[] }>(await app.admin("GET", "/api/admin/audit"));
    const actions = audit.items.map(({ action }) => action).filter((name) => name.startsWith("mail."));
    assert.deepEqual(actions.sort(), ["mail.change", "mail.reset"]);
  });

  it("are refused with unknown or missing places, and blocks inside a sentence", async () => {
    const bad: readonly [object, RegExp][] = [
      [{ ...WORDS, subject: "{order}" }, /^\/subject contains \{order\}/u],
      [{ ...WORDS, text: `${WORDS.text}\n\n{password}` }, /^\/text contains \{password\}/u],
      [{ ...WORDS, text: WORDS.text.replace("{legal}", "") }, /^\/text lacks \{legal\}/u],
      [{ ...WORDS, text: WORDS.text.replace("{order}", "here: {order}") }, /its own paragraph/u],
      [{ ...WORDS, text: `${WORDS.text}\n\n{constructor}` }, /^\/text contains \{constructor\}/u],
    ];
    for (const [body, pattern] of bad) {
      const { errors } = await read<{ errors: { pointer: string; message: string }[] }>(
        await put("order_placed", "de", body),
        422,
      );
      assert.ok(
        errors.some(({ pointer, message }) => pattern.test(`${pointer} ${message}`)),
        String(pattern),
      );
    }
    assert.equal((await put("order_placed", "de", { ...WORDS, subject: "a\r\nBcc: x@y.z" })).status, 422);
    assert.equal((await put("order_placed", "de", { ...WORDS, html: "<b>" })).status, 422);
    assert.deepEqual(await code(await put("no_kind", "de", WORDS)), [404, "not_found"]);
    assert.deepEqual(await code(await put("order_placed", "xx", WORDS)), [404, "not_found"]);
  });

  it("are not written over by who read an older version", async () => {
    assert.equal((await put("order_placed", "de", WORDS, { "if-match": '"0"' })).status, 200);
    const answer = await put("order_placed", "de", WORDS, { "if-match": '"0"' });
    assert.deepEqual(await code(answer), [412, "version_conflict"]);
    assert.equal((await put("order_placed", "de", WORDS, { "if-match": '"1"' })).status, 200);
  });
});

describe("values", () => {
  it("are text: no HTML, and no places of their own", async () => {
    const filled = fillMail(
      { subject: "{name}", text: "Dear {name}\n\n{note}" },
      { values: { name: "{note} <b>" }, blocks: { note: [{ kind: "paragraph", text: "{name}" }] } },
    );
    assert.deepEqual(filled, {
      subject: "{note} <b>",
      title: "{note} <b>",
      parts: [
        { kind: "paragraph", text: "Dear {note} <b>" },
        { kind: "paragraph", text: "{name}" },
      ],
    });
    await app.setSite({ name: "<script>{number}</script>" });
    const text = `${WORDS.text}\n\n<img src=x onerror=alert(1)> {shopName}`;
    await put("order_placed", "en", { ...WORDS, text });
    const { html } = await read<{ html: string }>(
      await app.admin("POST", at("order_placed", "en", "/preview"), {}),
    );
    assert.doesNotMatch(html, /<script|<img/u);
    assert.match(html, /&lt;script&gt;\{number\}&lt;\/script&gt;/u);
  });
});

describe("previews and samples", () => {
  it("show words that are not kept yet, and refuse what could not be kept", async () => {
    const path = at("order_link", "en", "/preview");
    const { subject } = await read<{ subject: string }>(
      await app.admin("POST", path, { subject: "Hi {number}" }),
    );
    assert.equal(subject, "Trivet shop: Hi 261121-7KQ4MPXA");
    assert.equal((await get("order_link", "en")).isChanged, false);
    assert.deepEqual(await code(await app.admin("POST", path, { text: "nothing" })), [422, "invalid"]);
  });

  it("are shown as a page that may do nothing", async () => {
    const answer = await app.raw(at("order_paid", "zh", "/page"), {
      headers: { "x-admin-token": ADMIN_TOKEN },
    });
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("content-security-policy") ?? "", /default-src 'none'.*sandbox/u);
    assert.match(await answer.text(), /<html lang="zh"/u);
  });

  it("go to the shop's own addresses alone", async () => {
    const path = at("withdrawal_received", "de", "/test");
    assert.deepEqual(await read(await app.admin("POST", path, {}), 202), { to: OWNER });
    const [mail] = await app.mails(OWNER);
    assert.equal(mail?.kind, "mail_test");
    assert.match(mail.text, /Ihr Widerruf ist/u);
    assert.deepEqual(await code(await app.admin("POST", path, { to: "eve@example.org" })), [422, "invalid"]);
    await app.setSmtp({ adminAddress: "" });
    assert.deepEqual(await code(await app.admin("POST", path, {})), [409, "conflict"]);
  });

  it("are for administrators", async () => {
    for (const [method, path] of [
      ["GET", "/api/admin/mails"],
      ["GET", at("order_paid", "en")],
      ["PUT", at("order_paid", "en")],
      ["DELETE", at("order_paid", "en")],
      ["POST", at("order_paid", "en", "/preview")],
      ["POST", at("order_paid", "en", "/test")],
      ["GET", at("order_paid", "en", "/page")],
    ] as const)
      assert.equal((await app.send(method, path, method === "GET" ? {} : { body: {} })).status, 401);
  });
});
