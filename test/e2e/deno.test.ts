/** The dashboard from the program on Deno: a look whether the same files arrive and live data flows. */
import { describe, it } from "node:test";
import { denoRunner } from "../support/own-runtime.ts";
import { createBrowserRoom } from "./browser-room.ts";
import { openFleet, waitForText } from "./fleet-view.ts";

describe("the dashboard on Deno", () => {
  const room = createBrowserRoom({ runner: denoRunner() });

  it(
    "shows a server, and its next report without being loaded again",
    room.page(async ({ page }, site) => {
      const { agent } = await site.addOnline({ name: "web-1" }, { cpuPercent: 41 });
      await openFleet(page);
      await waitForText(page, "web-1", /41\s?%/u);
      await agent.report({ cpuPercent: 77 });
      await waitForText(page, "web-1", /77\s?%/u);
      await page.goto("/admin");
      await page.getByRole("main").waitFor();
    }),
  );
});
