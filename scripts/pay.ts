/**
 * Sends signed payment notifications as a payment provider would: `npm run pay -- --help`. To test late, duplicate,
 * underpaid and overpaid orders before a real provider is connected.
 */
import { randomUUID } from "node:crypto";
import process from "node:process";
import { parseArgs } from "node:util";
import { textOf } from "../src/kit/thrown.ts";
import { reach } from "./reach.ts";
import { canSign, signWebhook } from "../src/kit/secrets/webhook-signature.ts";

const usage = `Usage: npm run pay -- --order ID --amount MINOR_UNITS --currency EUR --secret SECRET [options]

  --order ID          the order's ID or number
  --amount N          amount in minor units: 1999 is 19.99 EUR
  --currency CODE     default EUR
  --secret TEXT       the provider's secret in /api/admin/site
  --word WORD         the provider's short name (default: generic)
  --url URL           the shop (default: http://127.0.0.1:8081)
  --status STATUS     succeeded (default), failed, pending, refunded, chargeback
  --reference TEXT    payment reference (default: a new one); the same reference is a repeat
  --times N           send the same notification N times at once (default 1)
  --age SECONDS       age of the signature (more than 300 is rejected)
  --plain             send X-Webhook-Secret instead of a signature`;

const options = {
  order: { type: "string" },
  amount: { type: "string" },
  currency: { type: "string", default: "EUR" },
  secret: { type: "string" },
  word: { type: "string", default: "generic" },
  url: { type: "string", default: "http://127.0.0.1:8081" },
  status: { type: "string", default: "succeeded" },
  reference: { type: "string" },
  times: { type: "string", default: "1" },
  age: { type: "string", default: "0" },
  plain: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

function fail(text: string): never {
  console.error(`${text}\n\n${usage}`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function toHeaders(
  secret: string,
  body: string,
  given: { age: number; plain: boolean },
): Record<string, string> {
  if (given.plain) return { "x-webhook-secret": secret };
  const id = `evt_${randomUUID()}`;
  const timestamp = String(Math.floor(Date.now() / 1_000) - given.age);
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signWebhook(secret, { id, timestamp, body }),
  };
}

const values = readArguments();
if (values.help) {
  console.log(usage);
} else {
  const { order, secret, reference = `pay_${randomUUID()}` } = values;
  const amount = Number(values.amount ?? Number.NaN);
  if (order === undefined || secret === undefined) fail("Missing required option: --order and --secret");
  if (!Number.isSafeInteger(amount) || amount < 0) fail("--amount must be a whole number of minor units");
  if (!values.plain && !canSign(secret)) fail("--secret is too short to sign with: see --plain");
  const body = JSON.stringify({
    type: "payment.arrived",
    timestamp: new Date().toISOString(),
    data: { id: reference, orderId: order, amount, currency: values.currency, status: values.status },
  });
  const headers = {
    "content-type": "application/json",
    ...toHeaders(secret, body, { age: Number(values.age), plain: values.plain }),
  };
  const url = `${values.url.replace(/\/+$/u, "")}/api/webhooks/${values.word}-pay`;
  const answers = await Promise.all(
    Array.from({ length: Math.max(1, Number(values.times)) }, async () => {
      const response = await reach(url, { method: "POST", headers, body });
      return `${response.status} ${await response.text()}`;
    }),
  ).catch((error: unknown) => {
    console.error(textOf(error));
    process.exitCode = 1;
    return [];
  });
  for (const answer of answers) console.log(answer);
}
