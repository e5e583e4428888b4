/** A wall clock that jumps in the running programs: what has expired stays so, proofs of another time are refused, timers go on. */
import { fileURLToPath } from "node:url";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signWebhook } from "../../../src/kit/secrets/webhook-signature.ts";
import { startSmtpPeer } from "../../support/smtp-peer.ts";
import { ADMIN_TOKEN } from "../../shop/kill-load.ts";
import { startCareless } from "./careless.ts";
import { type ChaosCase, type Found, type Surroundings, judge, pause, waitFor } from "./case.ts";
import type { Faults } from "./faults-preload.ts";
import { ask, textAt } from "./requests.ts";
import { type Subject, createSubject, isHealthy } from "./subject.ts";
import { createMonitorTraffic } from "./traffic.ts";

const DAY_MS = 86_400_000;
const TEN_YEARS_MS = 3_653 * DAY_MS;
const THREE_DAYS_MS = 3 * DAY_MS;
const SETTLE_MS = 150;
/** An agent whose reports were refused comes back with a growing pause. */
const GO_ON_LIMIT_MS = 40_000;
const PASSWORD = "correct horse battery staple";
const SECRET = "a secret of the payment service";
const admin = { "x-admin-token": ADMIN_TOKEN };

/** Signs in with a password; "" when that is refused. */
async function signIn(url: string): Promise<string> {
  const body = { identifier: "mia", password: PASSWORD };
  return textAt((await ask(`${url}/api/auth/login`, { method: "POST", body })).json, "accessToken");
}

async function isValid(url: string, token: string): Promise<boolean> {
  const { status } = await ask(`${url}/api/auth/validate`, { headers: { authorization: `Bearer ${token}` } });
  return status === 200;
}

async function jumpAuth(around: Surroundings): Promise<Found> {
  const peer = await startSmtpPeer();
  around.onEnd(() => peer.close());
  const env = { SMTP_URL: `smtp://127.0.0.1:${peer.port}?from=a@example.org` };
  const subject = await createSubject(around, { services: ["auth"], isFragile: true, env });
  await subject.start();
  const url = subject.url("auth");
  const body = { username: "mia", email: "mia@example.org", emailVerified: true, password: PASSWORD };
  await ask(`${url}/api/admin/users`, { method: "POST", headers: admin, body });
  const token = await signIn(url);
  const newcomer = { username: "new", email: "new@example.org", password: PASSWORD };
  await ask(`${url}/api/auth/register`, { method: "POST", body: newcomer });
  const hasMail = (): boolean => peer.mails.some(({ to }) => to.includes("new@example.org"));
  if ((await waitFor(hasMail, { limitMs: 15_000 })) === undefined) throw new Error("the code did not come");
  const problems: string[] = [];
  if (!(await isValid(url, token))) throw new Error("a new token was refused while all was well");

  const jump = async (clockMs: number): Promise<void> => {
    subject.harm({ clockMs });
    await pause(SETTLE_MS);
  };
  await jump(TEN_YEARS_MS);
  if (await isValid(url, token)) problems.push("a token of ten years ago is valid");
  const future = await signIn(url);
  if (future === "" || !(await isValid(url, future)))
    problems.push("nobody can sign in after the jump ahead");
  await jump(-THREE_DAYS_MS);
  if (await isValid(url, token)) problems.push("a token that had expired is valid again");
  const raw = peer.mails.map((mail) => mail.raw).join("\n");
  const code =
    /\b(\d{4} ?\d{4}|\d{6})\b/u.exec(
      raw
        .split(/\r?\n\r?\n/u)
        .slice(1)
        .join("\n"),
    )?.[1] ?? "";
  if (code === "") problems.push("the mail has no code");
  const proof = { email: "new@example.org", code };
  const proved = await ask(`${url}/api/auth/email/verify`, { method: "POST", body: proof });
  if (proved.status === 200 || proved.status === 0)
    problems.push(`an expired code answered ${proved.status}`);
  if (!(await isHealthy(url))) problems.push("health is gone");
  const past = await signIn(url);
  if (past === "" || !(await isValid(url, past))) problems.push("nobody can sign in after the jump back");
  return judge(problems, {
    done: "+10 years, then 3 days before the start",
    acknowledged: "",
    found: "expired tokens and codes stay so, signing in works at either time",
  });
}

interface Sale {
  readonly id: string;
  readonly total: number;
}

async function order(url: string): Promise<Sale> {
  const product = {
    title: "Book",
    price: 500,
    status: "published",
    deliveryType: "manual",
    stockMode: "unlimited",
  };
  const made = await ask(`${url}/api/admin/products`, { method: "POST", headers: admin, body: product });
  const items = [{ productId: textAt(made.json, "id"), quantity: 1 }];
  const contact = { email: "guest@example.org" };
  const bought = await ask(`${url}/api/checkout`, {
    method: "POST",
    body: { items, contact, consents: { digitalContent: true } },
  });
  const id = textAt(bought.json, "order", "id");
  if (id === "") throw new Error(`the checkout answered ${bought.status} ${JSON.stringify(bought.json)}`);
  return { id, total: Number(textAt(bought.json, "order", "total")) };
}

/** A signed notice as of `atMs` of the true time; gives the answer's status. */
async function notify(url: string, { id, total }: Sale, atMs: number): Promise<number> {
  const data = { id: `ref-${id}`, orderId: id, amount: total, currency: "EUR", status: "succeeded" };
  const body = { type: "payment.arrived", data };
  const timestamp = String(Math.floor(atMs / 1_000));
  const message = { id: `msg-${timestamp}`, timestamp, body: JSON.stringify(body) };
  const signature = signWebhook(SECRET, message);
  const signed = { "webhook-id": message.id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  return (await ask(`${url}/api/webhooks/generic-pay`, { method: "POST", headers: signed, body })).status;
}

async function jumpShop(around: Surroundings): Promise<Found> {
  const subject = await createSubject(around, { services: ["shop"], isFragile: true });
  await subject.start();
  const url = subject.url("shop");
  const paymentProviders = [{ word: "generic", title: "Transfer", secret: SECRET }];
  await ask(`${url}/api/admin/site`, { method: "PATCH", headers: admin, body: { paymentProviders } });
  const problems: string[] = [];
  const first = await order(url);
  const good = await notify(url, first, Date.now());
  if (good !== 200) throw new Error(`a good notice answered ${good} while all was well`);
  const second = await order(url);
  for (const [name, clockMs] of [
    ["10 years ahead", TEN_YEARS_MS],
    ["3 days back", -THREE_DAYS_MS],
  ] as const) {
    subject.harm({ clockMs });
    await pause(SETTLE_MS);
    const status = await notify(url, second, Date.now());
    if (status !== 401 && status !== 403 && status !== 400)
      problems.push(`${name}: a notice of now answered ${status}`);
    const read = await ask(`${url}/api/products`);
    if (read.status !== 200) problems.push(`${name}: the catalogue answered ${read.status}`);
  }
  const later = await order(url);
  if (later.total !== 500) problems.push("nobody can order after the jumps");
  return judge(problems, {
    done: "+10 years, then 3 days before the start",
    acknowledged: "",
    found: "notices signed outside the window are refused, orders go on",
  });
}

/** The feed and reports go on over both jumps. */
async function jumpMonitor(around: Surroundings): Promise<Found> {
  const subject: Subject = await createSubject(around, { services: ["monitor"], isFragile: true });
  await subject.start();
  const url = subject.url("monitor");
  const traffic = createMonitorTraffic(subject);
  await traffic.prepare();
  traffic.start();
  const readCounter = async (name: string): Promise<number> => {
    const text = await (await fetch(`${url}/metrics`, { headers: admin })).text();
    return Number(new RegExp(`^${name} (\\d+)`, "mu").exec(text)?.[1] ?? 0);
  };
  const problems: string[] = [];
  for (const clockMs of [0, TEN_YEARS_MS, -THREE_DAYS_MS, 0]) {
    subject.harm({ clockMs });
    await pause(SETTLE_MS);
    // More than a day ahead of the service's clock a report is refused, and its agent told so.
    const result = clockMs < 0 ? "rejected" : "stored";
    for (const name of ["trivet_feed_frames_total", `trivet_reports_total{result="${result}"}`]) {
      const before = await readCounter(name.replaceAll(/[{}]/gu, "\\$&"));
      const goesOn = async (): Promise<boolean> =>
        (await readCounter(name.replaceAll(/[{}]/gu, "\\$&"))) > before + 3;
      if ((await waitFor(goesOn, { limitMs: around.within(GO_ON_LIMIT_MS) })) === undefined)
        problems.push(`${name} stands still at ${clockMs / DAY_MS} days`);
    }
  }
  await traffic.stop();
  const books = await traffic.audit();
  problems.push(...books.problems);
  return judge(problems, {
    done: "+10 years, 3 days before the start, and back",
    acknowledged: books.acknowledged,
    found: "frames go on at each time, reports too, or are refused when they seem to be of days to come",
  });
}

async function jumpCareless(around: Surroundings): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), "trivet-clock-"));
  around.onEnd(() => rmSync(folder, { recursive: true, force: true }));
  const faultsPath = join(folder, "faults.json");
  const preload = ["--import", fileURLToPath(new URL("faults-preload.ts", import.meta.url))];
  const { url } = await startCareless(around, "tokens", { preload, env: { CHAOS_FAULTS: faultsPath } });
  const harm = async (faults: Faults): Promise<void> => {
    writeFileSync(faultsPath, JSON.stringify(faults));
    await pause(SETTLE_MS);
  };
  const token = textAt((await ask(url, { method: "POST", body: {} })).json, "token");
  const check = async (): Promise<string> =>
    textAt((await ask(url, { headers: { authorization: token } })).json, "isValid");
  const before = await check();
  await harm({ clockMs: TEN_YEARS_MS });
  const during = await check();
  await harm({ clockMs: -THREE_DAYS_MS });
  const after = await check();
  if (before !== "true" || during !== "false") throw new Error(`the jump was not felt: ${before}, ${during}`);
  return {
    isKept: after === "false",
    done: "+10 years, then 3 days before the start",
    acknowledged: "",
    found: after === "true" ? "a token that had expired is valid again" : "it stays expired",
  };
}

/** See the module's header. */
export const clock: ChaosCase = {
  name: "clock",
  promise:
    "Clock jumps of -3 days and +10 years: timers go on, nothing expired becomes valid, windows fail closed",
  parts: [
    { name: "auth", run: jumpAuth },
    { name: "shop", run: jumpShop },
    { name: "monitor", run: jumpMonitor },
    { name: "tokens by the wall clock alone", isControl: true, run: jumpCareless },
  ],
};
