/**
 * `npm run screenshots [-- --docs] [--out FOLDER] [--every FOLDER] [--languages en,zh,de] [--only PART] [--days N]`: writes
 * the pictures of docs/pictures and, without --docs, every page of the monitor, accounts, the shop, and their consoles to
 * dist/screenshots. Needs a Chromium, and the fonts of `npm run chromium -- --fonts` for flags.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { textOf } from "../../../src/kit/thrown.ts";
import { launchBrowser } from "../../support/browser/launch.ts";
import { takeAccountPictures } from "./accounts.ts";
import { type MonitorPictures, signInAsAdmin, takeEveryMonitorPicture } from "./monitor.ts";
import { takeShopPictures } from "./shop.ts";
import { keepPicture } from "./keep.ts";
import { startDemo } from "../demo/start.ts";
import type { MonitorProgram } from "../program.ts";
import { buildPages } from "../../support/pages.ts";
import { projectFolder } from "../../support/process.ts";

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly scheme: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
  readonly admin?: boolean;
  /** What must be in sight before the picture is taken. */
  readonly ready: (page: Page) => Promise<void>;
}

/** A few live frames come before the first picture. */
const WARM_UP_MS = 8_000;
/** Charts and bars have drawn themselves. */
const SETTLE_MS = 1_500;

const hasServer = (page: Page): Promise<void> =>
  page.getByRole("main").locator("article, [role=row]").locator('a[href^="/servers/"]').first().waitFor();
const hasHeading = (page: Page): Promise<void> =>
  page.getByRole("main").getByRole("heading").first().waitFor();

const pictures: readonly Picture[] = [
  { name: "monitor", path: "/?view=grid", scheme: "light", ready: hasServer },
  { name: "server", path: "/servers/web-1", scheme: "dark", ready: hasHeading },
  { name: "checks", path: "/admin/checks", scheme: "light", admin: true, ready: hasHeading },
  { name: "alerts", path: "/admin/alerts", scheme: "light", admin: true, ready: hasHeading },
  { name: "status", path: "/status", scheme: "light", ready: hasHeading },
];

/** The demonstration has no status page of its own. */
async function addStatusPage({ url, adminToken }: MonitorProgram): Promise<void> {
  const component = (name: string, group: string, serverId: string): object => ({
    name,
    group,
    source: { type: "server", serverId },
  });
  const response = await fetch(`${url}/api/admin/status-pages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-admin-token": adminToken },
    body: JSON.stringify({
      slug: "main",
      title: "Northwind status",
      components: [
        component("Website", "Shop", "web-1"),
        component("Search", "Shop", "web-2"),
        component("Builds", "Developers", "build-1"),
        { name: "Support", group: "Developers", source: { type: "manual", status: "operational" } },
      ],
    }),
  });
  if (!response.ok) throw new Error(`The status page was rejected: ${await response.text()}`);
}

async function takePicture(
  { browser, monitor, folder }: { browser: Browser; monitor: MonitorProgram; folder: string },
  picture: Picture,
): Promise<void> {
  const { name, path, scheme, width = 1_440, height = 900, admin = false, ready } = picture;
  const context = await browser.newContext({
    baseURL: monitor.url,
    locale: "en-US",
    colorScheme: scheme,
    viewport: { width, height },
    deviceScaleFactor: 2,
    ...(width < 600 ? { hasTouch: true, isMobile: true } : {}),
  });
  try {
    if (admin) await signInAsAdmin(context, monitor);
    const page = await context.newPage();
    await page.goto(path);
    await ready(page);
    await page.waitForTimeout(SETTLE_MS);
    await keepPicture(await page.screenshot(), { folder, name });
  } finally {
    await context.close();
  }
}

/** The monitor's, from the demonstration. */
async function takeMonitorPictures(
  browser: Browser,
  {
    wanted,
    folder,
    days,
    ...others
  }: {
    wanted: readonly Picture[];
    folder: string;
    days: number;
    docs: boolean;
  } & Omit<MonitorPictures, "monitor">,
): Promise<void> {
  if (wanted.length === 0 && !"monitor-".includes(others.only) && !others.only.startsWith("monitor-")) return;
  const demo = await startDemo({ days });
  try {
    // The agents have come back.
    await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
    await addStatusPage(demo.monitor);
    for (const picture of wanted) await takePicture({ browser, monitor: demo.monitor, folder }, picture);
    if (!others.docs) await takeEveryMonitorPicture(browser, { monitor: demo.monitor, ...others });
  } finally {
    await demo.stop();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: "string", default: join(projectFolder, "docs/pictures") },
      every: { type: "string", default: join(projectFolder, "dist/screenshots") },
      languages: { type: "string", default: "en" },
      days: { type: "string", default: "90" },
      only: { type: "string", default: "" },
      docs: { type: "boolean", default: false },
    },
  });
  const { out, every, only, days, docs } = values;
  await Promise.all([out, every].map((folder) => mkdir(folder, { recursive: true })));
  await buildPages();
  const browser = await launchBrowser();
  try {
    const wanted = pictures.filter(({ name }) => name.includes(only));
    const languages = values.languages.split(",");
    const others = { every, languages, only, docs };
    await takeMonitorPictures(browser, { wanted, folder: out, days: Number(days), ...others });
    await takeAccountPictures(browser, { kept: out, ...others });
    await takeShopPictures(browser, { kept: out, ...others });
  } finally {
    await browser.close();
  }
}

try {
  await main();
} catch (error) {
  console.error(textOf(error));
  process.exitCode = 1;
}
