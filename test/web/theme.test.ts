/** The cookie of the chosen theme, as the browser gets it. */
import assert from "node:assert/strict";
import { it } from "node:test";

it("keeps the theme in a cookie of this host alone, and Secure over https", async () => {
  const page = { documentElement: { dataset: { theme: "auto" } }, cookie: "" };
  const place = { protocol: "https:" };
  const matchMedia = () => ({ matches: false, addEventListener: () => undefined });
  Object.assign(globalThis, { document: page, location: place, matchMedia });
  const { chooseTheme } = await import("../../src/web/app/theme.ts");
  chooseTheme("dark");
  assert.equal(page.cookie, "__Host-theme=dark;path=/;max-age=31536000;samesite=lax;secure");
  assert.equal(page.documentElement.dataset.theme, "dark");
  // Over an older cookie without the prefix, "auto" has to count.
  chooseTheme("auto");
  assert.match(page.cookie, /^__Host-theme=auto;.*max-age=31536000/u);
  place.protocol = "http:";
  chooseTheme("light");
  assert.equal(page.cookie, "theme=light;path=/;max-age=31536000;samesite=lax");
});
