/** Pictures of every page of the monitor and its console, at four widths and in both themes. */
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { MonitorProgram } from "../program.ts";

const widths = [390, 820, 1_440, 2_560] as const;
const HEIGHT = 900;
/** Charts have drawn themselves for another width. */
const SETTLE_MS = 700;

interface Stop {
  readonly name: string;
  readonly path: string;
  readonly isAdmin?: boolean;
  /** Leaves the page as it is to be seen. */
  readonly act?: (page: Page) => Promise<unknown>;
}

const sections = [
  "servers",
  "servers/web-1",
  "checks",
  "checks/new",
  "alerts",
  "rules",
  "maintenance",
  "channels",
  "notices",
  "access",
  "settings",
  "audit",
  "about",
];

const stops: readonly Stop[] = [
  { name: "grid", path: "/?view=grid" },
  { name: "list", path: "/?view=list" },
  { name: "uptime", path: "/?view=uptime" },
  { name: "server", path: "/servers/web-1" },
  { name: "server-offline", path: "/servers/old-vps" },
  { name: "unknown", path: "/no-such-page" },
  { name: "sign-in", path: "/admin" },
  { name: "grid-admin", path: "/?view=grid", isAdmin: true },
  { name: "server-admin", path: "/servers/web-1", isAdmin: true },
  ...sections.map((section) => ({
    name: `console-${section.replace("/", "-")}`,
    path: `/admin/${section}`,
    isAdmin: true,
  })),
];

/** Signs the context in, and leaves the page's own mark, without which it does not ask whether the session counts. */
export async function signInAsAdmin(context: BrowserContext, monitor: MonitorProgram): Promise<void> {
  const answer = await context.request.post("/api/admin/auth", { data: { token: monitor.adminToken } });
  if (!answer.ok()) throw new Error(`Signing in answered ${answer.status()}`);
  await context.addInitScript({ content: 'localStorage.setItem("admin-signed-in", "1")' });
}

export interface MonitorPictures {
  readonly monitor: MonitorProgram;
  /** Where all go, as `monitor-<page>-<width>-<theme>-<language>.png`. */
  readonly every: string;
  readonly languages: readonly string[];
  /** Part of the names of the pages that are wanted. */
  readonly only: string;
}

async function takeStop(
  context: BrowserContext,
  { name, path, act }: Stop,
  { every, language }: { every: string; language: string },
): Promise<void> {
  const page = await context.newPage();
  await page.goto(path);
  await page.getByRole("heading").first().waitFor();
  await act?.(page);
  for (const width of widths)
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: HEIGHT });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.waitForTimeout(SETTLE_MS);
      const file = join(every, `monitor-${name}-${width}-${colorScheme}-${language}.png`);
      await page.screenshot({ path: file, fullPage: true });
    }
  await page.close();
  console.log(`monitor-${name} ${language}`);
}

/** Takes them. */
export async function takeEveryMonitorPicture(
  browser: Browser,
  { monitor, every, languages, only }: MonitorPictures,
): Promise<void> {
  const wanted = stops.filter(({ name }) => `monitor-${name}`.includes(only));
  for (const language of languages)
    for (const isAdmin of [false, true]) {
      const context = await browser.newContext({ baseURL: monitor.url, locale: language });
      if (isAdmin) await signInAsAdmin(context, monitor);
      for (const stop of wanted)
        if ((stop.isAdmin === true) === isAdmin) await takeStop(context, stop, { every, language });
      await context.close();
    }
}
