/** The home page, set in the console beside its preview: by pointer and keyboard, on a phone and a wide screen. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import sharp from "sharp";
import { signIn } from "../admin-view.ts";
import { assertNoBarriers } from "../axe.ts";
import { createConsoleRoom } from "./console-room.ts";

const TEXT = "textbox";

interface Stored {
  readonly storefront: { readonly sections: readonly { readonly type: string }[] };
}

describe("the sections of the home page in the console", () => {
  const room = createConsoleRoom();

  for (const width of [390, 1_440])
    it(`are added, edited, put in order and seen before they are saved, at ${width} px`, async (test) => {
      await room.admin("PATCH", "/api/admin/site", {
        languages: ["en", "de"],
        storefront: { look: "plain", sections: [] },
      });
      const title = `Made by hand ${width}`;
      const viewport = { width, height: 900 };
      await room.page({ name: test.name, locale: "en", viewport }, async ({ page }) => {
        await signIn(page, "/admin/site?tab=home");
        const frame = page.frameLocator("iframe[title=Preview]");
        await page.getByRole("button", { name: "Banner", exact: true }).click();
        await page.getByRole(TEXT, { name: "Heading" }).first().fill(title);
        await page.getByRole(TEXT, { name: "Button label" }).first().fill("Shop now");
        await page.getByRole(TEXT, { name: "Button link" }).fill("/products");
        const file = await sharp({ create: { width: 60, height: 40, channels: 3, background: "#336699" } })
          .png()
          .toBuffer();
        const picture = { name: "hills.png", mimeType: "image/png", buffer: file };
        await page.locator("input[type=file]").setInputFiles(picture);
        await page.getByRole(TEXT, { name: "Alt text" }).fill("Hills");
        await page
          .getByRole("group", { name: "German" })
          .getByRole(TEXT, { name: "Heading" })
          .fill("Handgemacht");
        await frame.getByRole("heading", { name: title, level: 1 }).waitFor();
        await frame.getByRole("img", { name: "Hills" }).waitFor();
        await page.getByRole("button", { name: "German", exact: true }).click();
        await frame.getByRole("heading", { name: "Handgemacht" }).waitFor();
        await page.getByRole("button", { name: "Questions and answers" }).click();
        await page.getByText("Not shown yet: the section is empty").waitFor();
        await page.getByRole("button", { name: "Add question" }).click();
        await page.getByRole(TEXT, { name: "Question", exact: true }).first().fill("How long?");
        await page.getByRole(TEXT, { name: "Answer" }).first().fill("Two days");
        await page.getByText("Not shown yet: the section is empty").waitFor({ state: "detached" });
        await assertNoBarriers(page, { test, what: `home tab at ${width}` });
        await page.getByRole("button", { name: "Edit Questions and answers" }).click();
        // By keyboard: lifted, one place up, dropped.
        const list = page.getByRole("list", { name: "Sections of the home page" });
        await list.getByRole("button", { name: /^2 ?Questions/u }).focus();
        for (const key of ["Space", "ArrowUp", "Space"]) await page.keyboard.press(key);
        await list.getByRole("button", { name: /^1 ?Questions/u }).waitFor();
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByText("No unsaved changes").waitFor();
        const first = (): Promise<Stored> => room.admin<Stored>("GET", "/api/admin/site");
        assert.deepEqual(
          (await first()).storefront.sections.map(({ type }) => type),
          ["questions", "hero"],
        );
        // By pointer: dragged below the other.
        const from = await list.locator(".order-grip").first().boundingBox();
        const to = await list.locator(".order-row").nth(1).boundingBox();
        assert.ok(from !== null && to !== null);
        await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
        await page.mouse.down();
        await page.mouse.move(from.x + from.width / 2, to.y + to.height, { steps: 5 });
        await page.mouse.up();
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByText("No unsaved changes").waitFor();
        assert.deepEqual(
          (await first()).storefront.sections.map(({ type }) => type),
          ["hero", "questions"],
        );
      });
      await room.page(
        { name: `${test.name} shop`, locale: "de", javaScriptEnabled: false },
        async ({ page }) => {
          await page.goto("/");
          await page.getByRole("heading", { name: "Handgemacht", level: 1 }).waitFor();
          await page.getByText("How long?").click();
          await page.getByText("Two days").waitFor();
          await page.getByRole("link", { name: "Shop now" }).click();
          await page.getByRole("heading", { name: "Alle Produkte", level: 1 }).waitFor();
        },
      );
    });

  it("say at its field what cannot be saved", async ({ name }) => {
    await room.admin("PATCH", "/api/admin/site", { storefront: { sections: [] } });
    await room.page({ name, locale: "en" }, async ({ page, allow }) => {
      allow(/status of 422/u);
      await signIn(page, "/admin/site?tab=home");
      await page.getByRole("button", { name: "Banner", exact: true }).click();
      await page.getByRole(TEXT, { name: "Button link" }).fill("javascript:alert(1)");
      await page.getByRole("button", { name: "Save" }).click();
      const field = page.getByRole(TEXT, { name: "Button link" });
      await page.waitForFunction("document.activeElement?.getAttribute('aria-invalid') === 'true'");
      assert.equal(await field.getAttribute("aria-invalid"), "true");
    });
  });
});
