/** What the tests of goods do on several pages of the console. */
import type { Page } from "playwright-core";

/** Creates a draft and waits for its page; resolves with its ID. */
export async function makeDraft(
  page: Page,
  { title, price, kind }: { title: string; price: string; kind: string },
): Promise<string> {
  await page.goto("/admin/products/new");
  await page.getByLabel("Name", { exact: true }).fill(title);
  await page.getByLabel("Price", { exact: true }).fill(price);
  await page.getByRole("radio", { name: kind }).check();
  await page.getByRole("button", { name: "Create draft" }).click();
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  return page.url().split("/").at(-1) ?? "";
}
