import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBarriers } from "./accounts-barriers.ts";

const looks = [
  { language: "zh", first: "dark" },
  { language: "de", first: "light" },
] as const;

describeBarriers(looks, (room) => {
  it("keeps all tabs in sight beside a long name", async () => {
    const { world, browser } = room();
    const context = await world.open(browser, "ann");
    const page = await context.newPage();
    await page.goto("/account");
    const who = page.locator(".who");
    await who.evaluate((node) => (node.textContent = "a-name-of-forty-characters-that-is-long"));
    for (const width of [1_440, 1_100, 1_024]) {
      await page.setViewportSize({ width, height: 600 });
      const [all, seen] = await page
        .getByRole("navigation")
        .first()
        .evaluate((node) => [node.scrollWidth, node.clientWidth] as const);
      assert.ok(all <= seen + 1, `${all} of ${seen} at ${width}`);
      assert.ok(await who.isVisible());
    }
    await context.close();
  });
});
