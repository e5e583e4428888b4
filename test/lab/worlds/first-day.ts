/** What services must do in every environment: a first sale, and an agent's first report. */
import assert from "node:assert/strict";
import process from "node:process";
import { projectFolder, runProcess } from "../../support/process.ts";

export const TOKEN = "adm_first_day_0123456789";
const STEP_MS = 300_000;

/** URLs of running services whose administrator token is {@link TOKEN}. */
export interface Services {
  readonly monitor: string;
  readonly shop: string;
  readonly auth: string;
}

/** Sells a license key to a new account, from the product to the confirmed receipt. @throws AssertionError with what was said */
export async function makeFirstSale({ shop, auth }: Services): Promise<void> {
  const { code, output } = await runProcess({
    command: process.execPath,
    args: ["--import", "tsx", "scripts/first-sale.ts"],
    cwd: projectFolder,
    env: { ADMIN_TOKEN: TOKEN, SHOP_URL: shop, AUTH_URL: auth },
    timeoutMs: STEP_MS,
  });
  assert.equal(code, 0, output);
}

const headers = { "x-admin-token": TOKEN, "content-type": "application/json" };

/** A key that enrolls one agent. */
export async function makeAgentKey({ monitor }: Services): Promise<string> {
  const body = JSON.stringify({ uses: 1, lifeSeconds: 3_600 });
  const made = await fetch(`${monitor}/api/admin/enrolments`, { method: "POST", headers, body });
  const text = await made.text();
  assert.equal(made.status, 201, text);
  return (JSON.parse(text) as { code: string }).code;
}

/** Waits until the monitor has stored a report of any server; resolves with the seconds. */
export async function awaitReport({ monitor }: Services): Promise<number> {
  const from = performance.now();
  while (performance.now() - from < STEP_MS) {
    const answer = await fetch(`${monitor}/api/admin/servers`, { headers });
    const { items } = (await answer.json()) as { items: { agent: { reportsStored: number } }[] };
    if (items.some(({ agent }) => agent.reportsStored > 0)) return (performance.now() - from) / 1_000;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error("No report within five minutes");
}
