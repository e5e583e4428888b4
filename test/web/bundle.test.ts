/** What a browser gets: the forms of the monitor's kinds without the schemas that stand beside them. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { describe, it } from "node:test";

const folder = new URL("../../src/web/built/", import.meta.url);

describe("the dashboard's scripts", () => {
  it("hold no schema library, though they take forms from files that use one", async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".js"));
    assert.ok(names.length > 1);
    const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), "utf8")));
    assert.ok(texts.some((text) => text.includes("Offline for at least")));
    assert.ok(texts.some((text) => text.includes("Whoever knows it can read along")));
    assert.ok(!texts.some((text) => text.includes("invalid_type")));
  });
});
