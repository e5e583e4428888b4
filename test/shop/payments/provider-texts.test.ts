import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { languages } from "../../../src/kit/text/languages.ts";
import { describeField } from "../../../src/shop/payments/provider-texts.ts";
import { listKinds } from "../../../src/shop/payments/providers/kinds.ts";

describe("the texts of payment services", () => {
  it("are there for every field of every kind, and for no other", async () => {
    const file = new URL("../../../src/texts/en/shop-providers.json", import.meta.url);
    const names = Object.keys(JSON.parse(await readFile(file, "utf8")) as object);
    const wanted = listKinds().flatMap(([kind, { fields }]) =>
      fields.map(({ name }) => `provider.${kind}.${name}`),
    );
    assert.ok(wanted.length > 30);
    const labels = names.filter((name) => name.startsWith("provider.") && !name.endsWith(".hint"));
    assert.deepEqual(labels.toSorted(), wanted.toSorted());
    const hinted = names
      .filter((name) => name.endsWith(".hint"))
      .map((name) => name.slice(0, -".hint".length));
    assert.deepEqual(
      hinted.filter((name) => !wanted.includes(name)),
      [],
    );
  });

  it("come in every language, with the events that a hint names", () => {
    const field = { name: "webhookId", isSecret: false, events: ["A.B", "C.D"] };
    const { label, hint } = describeField("paypal", field);
    assert.deepEqual(Object.keys(label).toSorted(), languages.toSorted());
    assert.match(hint?.en ?? "", /: A\.B, C\.D$/u);
    assert.match(hint?.zh ?? "", /：A\.B、C\.D$/u);
  });
});
