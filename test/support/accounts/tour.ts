/** Every page of the auth center, with what it shows when it refuses something and when there is nothing yet. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type AccountsWorld, type Viewer, toAuthorizePath } from "./world.ts";

/** A page to look at. */
export interface Stop {
  readonly name: string;
  readonly viewer: Viewer;
  readonly path: string;
  /** Its first button is pressed with nothing typed. */
  readonly isRefused?: boolean;
  /** How people register when it is opened. */
  readonly registration?: object;
}

const open = { mode: "open", termsVersion: "", termsUrl: "" };
const named = (viewer: Viewer, prefix: string, paths: Readonly<Record<string, string>>): Stop[] =>
  Object.entries(paths).map(([name, path]) => ({ name: `${prefix}${name}`, viewer, path }));
const refused = (viewer: Viewer, paths: Readonly<Record<string, string>>): Stop[] =>
  named(viewer, "", paths).map((stop) => ({ ...stop, name: `${stop.name}-refused`, isRefused: true }));

const personal = {
  overview: "/account",
  profile: "/account/profile",
  emails: "/account/emails",
  security: "/account/security",
  sessions: "/account/sessions",
  data: "/account/data",
  applications: "/account/applications",
  activity: "/account/activity",
  "check-in": "/account/check-in",
};

/** The account center's. */
export const accountStops: readonly Stop[] = [
  ...named("stranger", "", {
    "sign-in": "/sign-in",
    "sign-in-expired": "/sign-in?done=expired",
    "sign-in-code": "/sign-in/code?rd=/",
    "sign-up": "/sign-up",
    verify: "/verify?email=ann%40example.org",
    "verify-unknown": "/verify",
    forgot: "/forgot",
    "forgot-sent": "/forgot?done=linkSent",
    reset: "/reset?token=rst_x",
    "reset-by-hand": "/reset",
    restore: "/restore",
    "signed-out": "/signed-out",
    people: "/people",
    "people-none": "/people?q=nobody-is-called-that",
    person: "/people/ann",
    "not-found": "/nothing/here",
  }),
  ...refused("stranger", {
    "sign-in": "/sign-in",
    "sign-up": "/sign-up",
    verify: "/verify",
    forgot: "/forgot",
    reset: "/reset",
    restore: "/restore",
    "sign-in-code": "/sign-in/code?rd=/",
  }),
  ...named("halfway", "", {
    "second-factor": "/sign-in/second-factor",
    "second-factor-recovery": "/sign-in/second-factor?method=recovery",
  }),
  ...refused("halfway", { "second-factor": "/sign-in/second-factor" }),
  ...named("ann", "", {
    ...personal,
    confirm: "/account/confirm",
    denied: toAuthorizePath("invoices"),
    consent: toAuthorizePath("recipes"),
    device: "/device",
    "device-done": "/device?done=deviceAllowed",
    "choose-account": `${toAuthorizePath("recipes")}&prompt=select_account`,
    "person-liked": "/people/ann",
    "other-account": "/account/profile?done=otherAccount",
  }),
  ...refused("ann", {
    emails: "/account/emails",
    security: "/account/security",
    confirm: "/account/confirm",
    data: "/account/data",
    device: "/device",
  }),
  ...named("nia", "new-", personal),
  ...named("nia", "", { "set-up": "/account/security/second-factor" }),
  ...refused("nia", { "set-up": "/account/security/second-factor", "new-security": "/account/security" }),
  ...named("kai", "", { "recovery-codes": "/account/security/recovery-codes" }),
  ...(
    [
      ["invite", { mode: "invite", termsVersion: "1", termsUrl: "https://example.org/terms" }],
      ["approval", { mode: "approval" }],
      ["closed", { mode: "closed" }],
    ] as const
  ).map(([name, registration]) => ({
    ...({
      name: `sign-up-${name}`,
      viewer: "stranger",
      path: "/sign-up",
      registration: { ...open, ...registration },
    } as const),
  })),
];

/** The console's. */
export const consoleStops: readonly Stop[] = [
  ...named("stranger", "console-", { "sign-in": "/admin" }),
  ...named("console", "console-", {
    overview: "/admin",
    users: "/admin/users",
    approvals: "/admin/approvals",
    invites: "/admin/invites",
    groups: "/admin/groups",
    group: "/admin/groups/family",
    applications: "/admin/applications",
    application: "/admin/applications/photos",
    outbox: "/admin/outbox",
    mails: "/admin/mails",
    audit: "/admin/audit",
  }),
  ...named(
    "console",
    "console-settings-",
    Object.fromEntries(
      ["registration", "passwords", "mail", "branding", "invites", "checkin"].map((tab) => [
        tab,
        `/admin/settings?tab=${tab}`,
      ]),
    ),
  ),
];

export interface TourOptions extends BrowserContextOptions {
  readonly world: AccountsWorld;
  readonly stops: readonly Stop[];
  readonly language: string;
}

/** Goes to each of the pages, and lets `look` look at it. */
export async function tour(
  browser: Browser,
  { world, stops, language, ...options }: TourOptions,
  look: (page: Page, stop: Stop) => Promise<void>,
): Promise<void> {
  let present: object = open;
  const register = async (wanted: object): Promise<void> => {
    if (wanted !== present) await world.admin("PATCH", "/api/admin/settings/registration", wanted);
    present = wanted;
  };
  for (const viewer of new Set(stops.map((stop) => stop.viewer))) {
    const context = await world.open(browser, viewer, {
      locale: language,
      reducedMotion: "reduce",
      ...options,
    });
    // Before what the account says; the console keeps its own.
    await context.addCookies([{ name: "trivet_language", value: language, url: world.url }]);
    await context.addInitScript({ content: `localStorage.setItem("language", "${language}")` });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" && !/status of 4\d\d/u.test(message.text()))
        problems.push(message.text());
    });
    for (const stop of stops.filter((each) => each.viewer === viewer)) {
      await register(stop.registration ?? open);
      await page.goto(world.url + stop.path);
      if (stop.path.startsWith("/admin")) await page.getByRole("heading", { level: 1 }).first().waitFor();
      if (stop.isRefused === true) {
        await page.locator("main button.primary, main button.danger").first().click();
        await page.locator(".faults").waitFor();
      }
      await look(page, stop);
      if (problems.length > 0) throw new Error(`${stop.path}: ${problems.join(", ")}`);
    }
    await context.close();
  }
  await register(open);
}
