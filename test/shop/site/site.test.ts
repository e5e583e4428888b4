/** Public data of the site. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { START } from "../../support/fixed-clock.ts";
import { code, createTestShop, read } from "../app-fixture.ts";

const parts = ["info", "settings", "announcement", "categories", "payment-methods", "pages/terms"];

describe("GET /api/site/…", () => {
  it("gives what was set, and never a secret", async () => {
    const app = await createTestShop();
    await app.setSite({
      name: "Corner <shop>",
      pages: [{ slug: "terms", title: "Terms", body: "One.\nTwo." }],
      paymentProviders: [
        {
          word: "acme",
          title: "Card",
          enabled: true,
          secret: "sealed-secret",
          requireWebhookSecret: true,
          payUrlTemplate: "https://pay.example.org/{orderId}",
          instructions: "",
        },
        {
          word: "off",
          title: "Off",
          enabled: false,
          requireWebhookSecret: true,
          payUrlTemplate: "",
          instructions: "",
        },
      ],
    });
    let all = "";
    for (const part of parts) {
      const response = await app.send("GET", `/api/site/${part}`);
      assert.equal(response.status, 200, part);
      all += await response.text();
    }
    assert.doesNotMatch(all, /secret|pay\.example/u);
    assert.deepEqual(await read(await app.send("GET", "/api/site/payment-methods")), {
      items: [{ word: "acme", title: "Card", instructions: "", hasPage: true }],
    });
    const info = await read<{ name: string; pages: unknown }>(await app.send("GET", "/api/site/info"));
    assert.deepEqual([info.name, info.pages], ["Corner <shop>", [{ slug: "terms", title: "Terms" }]]);
  });

  it("answers 304 to who has it, until it changes", async () => {
    const app = await createTestShop();
    await app.setSite({ pages: [{ slug: "terms", title: "Terms", body: "One" }] });
    for (const part of parts) {
      const first = await app.send("GET", `/api/site/${part}`);
      const tag = first.headers.get("etag") ?? "";
      assert.match(tag, /^"[0-9a-z-]{8,32}"$/u);
      const headers = { "if-none-match": `"other", W/${tag}` };
      const second = await app.send("GET", `/api/site/${part}`, { headers });
      assert.deepEqual([second.status, await second.text(), second.headers.get("etag")], [304, "", tag]);
    }
    const before = (await app.send("GET", "/api/site/info")).headers.get("etag") ?? "";
    await app.setSite({ name: "Another" });
    const after = await app.send("GET", "/api/site/info", { headers: { "if-none-match": before } });
    assert.equal(after.status, 200);
  });

  it("shows the announcement from its start until its end", async () => {
    const app = await createTestShop();
    const shown = async (): Promise<unknown> =>
      (await read<{ announcement: { text: string } | null }>(await app.send("GET", "/api/site/announcement")))
        .announcement?.text;
    assert.equal(await shown(), undefined);
    const announcement = {
      text: "Closed",
      level: "warning",
      startsAt: START + 1_000,
      endsAt: START + 2_000,
    } as const;
    await app.setSite({ announcement });
    assert.equal(await shown(), undefined);
    app.clock.advance(1_000);
    assert.equal(await shown(), "Closed");
    const { announcement: view } = await read<{ announcement: Record<string, string> }>(
      await app.send("GET", "/api/site/announcement"),
    );
    assert.equal(view["startsAt"], "2026-01-31T12:00:01.000+00:00");
    app.clock.advance(1_000);
    assert.equal(await shown(), undefined);
  });

  it("lists categories by their order with their parents", async () => {
    const app = await createTestShop();
    const category = { description: "", sortOrder: 0 };
    await app.setSite({
      categories: [
        { ...category, id: "mugs", title: "Mugs", parentId: "kitchen" },
        { ...category, id: "kitchen", title: "Kitchen", parentId: "" },
        { ...category, id: "first", title: "Zebra", parentId: "", sortOrder: -1 },
      ],
    });
    const { items } = await read<{ items: { id: string; parentId: string }[] }>(
      await app.send("GET", "/api/site/categories"),
    );
    assert.deepEqual(
      items.map(({ id, parentId }) => [id, parentId]),
      [
        ["first", ""],
        ["kitchen", ""],
        ["mugs", "kitchen"],
      ],
    );
  });

  it("has no page that was not written", async () => {
    const app = await createTestShop();
    assert.deepEqual(await code(await app.send("GET", "/api/site/pages/terms")), [404, "not_found"]);
    assert.deepEqual(await code(await app.send("GET", "/api/site/pages/__proto__")), [422, "invalid"]);
    assert.deepEqual(await code(await app.send("GET", "/api/site/else")), [404, "not_found"]);
    assert.deepEqual(await code(await app.send("POST", "/api/site/info", { body: {} })), [
      405,
      "method_not_allowed",
    ]);
  });

  it("needs no auth center", async () => {
    const app = await createTestShop();
    app.setAuth("down");
    assert.equal((await app.send("GET", "/api/site/info", { as: "ann" })).status, 200);
  });
});
