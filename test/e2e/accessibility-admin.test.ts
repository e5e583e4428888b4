/** axe-core over every section of administration, light and dark: nothing serious, nothing critical. */
import { describe, it } from "node:test";
import { signInBehind } from "./admin-view.ts";
import { assertNoBarriers } from "./axe.ts";
import { createBrowserRoom } from "./browser-room.ts";

/** Below /admin; those that show a list have something in it. */
const sections = [
  "servers",
  "servers/web-1",
  "servers/reorder",
  "alerts",
  "rules",
  "channels",
  "notices",
  "access",
  "settings",
  "audit",
  "about",
];

describe("administration for people with disabilities", () => {
  const room = createBrowserRoom({
    prepare: async (site) => {
      for (const id of ["web-1", "web-2"])
        await site.addOnline({ id, name: id, group: "Web", tags: ["test"] });
      await site.admin("POST", "/api/admin/alert-rules", { kind: "offline", name: "Gone" });
      const topic = { type: "ntfy", name: "Phone", topic: "trivet-test" };
      await site.admin("POST", "/api/admin/channels", topic);
    },
  });

  for (const colorScheme of ["light", "dark"] as const) {
    it(`puts nothing in their way in the ${colorScheme} theme`, async (test) => {
      await room.page(
        async ({ page }) => {
          await signInBehind(page);
          for (const section of sections) {
            await page.goto(`/admin/${section}`);
            await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
            await assertNoBarriers(page, { test, what: `/admin/${section} ${colorScheme}` });
          }
        },
        { colorScheme },
      )(test);
    });
  }
});
