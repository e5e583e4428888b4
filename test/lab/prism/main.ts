/**
 * `npm run prism`: Stripe's OpenAPI file under Prism accepts what the shop sends, and so do the types of Stripe's
 * newest library. Prism reads no forms with lists in brackets and fills in missing members, so it gets each form as
 * JSON, with the same schema; ajv in `npm test` checks the forms themselves against the file.
 */
import { spawn } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { ServiceAnswer, ServiceRequest } from "../../../src/shop/payments/providers/provider.ts";
import { sendStripeRequests } from "../../shop/payments/providers/stripe-calls.ts";
import { checkStripeRequest, stripeDocument } from "../../shop/payments/providers/stripe-openapi.ts";
import { eventually } from "../../support/eventually.ts";
import { findFreePort } from "../../support/free-ports.ts";
import { killAllOnSignal, runProcess } from "../../support/process.ts";
import { findTypeErrors } from "./library-types.ts";

killAllOnSignal();
const FORM = "application/x-www-form-urlencoded";
const INSTALL_MS = 300_000;

/** The file with its forms declared as JSON. */
function toJsonBodies(document: unknown): string {
  return JSON.stringify(document).replaceAll(`"${FORM}":`, '"application/json":');
}

async function startPrism(folder: string): Promise<{ origin: string; stop(): void }> {
  const file = join(folder, "stripe.json");
  await writeFile(file, toJsonBodies(stripeDocument));
  const port = String(await findFreePort());
  const prism = join(folder, "node_modules/@stoplight/prism-cli/dist/index.js");
  const child = spawn(process.execPath, [prism, "mock", "--errors", "--port", port, file], {
    stdio: "ignore",
  });
  const origin = `http://127.0.0.1:${port}`;
  await eventually(() => fetch(origin));
  return { origin, stop: () => void child.kill("SIGKILL") };
}

interface Sent {
  readonly request: ServiceRequest;
  readonly path: string;
  readonly json: unknown;
  readonly answer: ServiceAnswer;
  /** What Prism complains of; "" for nothing. */
  readonly complaint: string;
}

async function sendAsJson(request: ServiceRequest, json: unknown): Promise<ServiceAnswer> {
  const { method, url, headers } = request;
  const isWrite = method === "POST";
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(isWrite && { "content-type": "application/json" }) },
    ...(isWrite && { body: JSON.stringify(json) }),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** What Prism's example says is made usable, so that the adapter goes on to its next request. */
function toUsable({ text, ...answer }: ServiceAnswer): ServiceAnswer {
  return { ...answer, text: text.replaceAll('"status":"string"', '"status":"succeeded"') };
}

async function relay(request: ServiceRequest): Promise<Sent> {
  const { path, body: json } = checkStripeRequest(request);
  const answer = await sendAsJson(request, json);
  const complaint = answer.headers?.get("sl-violations") ?? (answer.status === 200 ? "" : answer.text);
  return { request, path, json, answer: toUsable(answer), complaint };
}

const folder = await mkdtemp(join(tmpdir(), "trivet-prism-"));
let failures = 0;
function report(isRight: boolean, line: string): void {
  console.log(`${isRight ? "ok   " : "FAIL "} ${line}`);
  if (!isRight) failures += 1;
}
try {
  await cp(fileURLToPath(new URL("server", import.meta.url)), folder, { recursive: true });
  const done = await runProcess({ command: "npm", args: ["ci"], cwd: folder, timeoutMs: INSTALL_MS });
  if (done.code !== 0) throw new Error(`npm ci failed: ${done.output.slice(-2_000)}`);
  const prism = await startPrism(folder);
  try {
    const sent: Sent[] = [];
    await sendStripeRequests(async (request) => {
      const one = await relay(request);
      sent.push(one);
      return one.answer;
    }, prism.origin);
    for (const { request, path, complaint } of sent)
      report(complaint === "", `Prism: ${request.method} ${path} ${complaint}`);
    const [first] = sent;
    if (first === undefined) throw new Error("Nothing was sent");
    for (const spoiled of [
      { nobody: "1" },
      { mode: "payments" },
      { expires_at: "soon" },
      { line_items: [{ price_data: {} }] },
    ]) {
      const { status } = await sendAsJson(first.request, { ...Object(first.json), ...spoiled });
      report(status === 422, `Prism refuses ${JSON.stringify(spoiled)}: ${status}`);
    }
    const forms = sent.flatMap(({ path, json }) => (json === undefined ? [] : [{ path, json }]));
    const wrong = findTypeErrors(forms);
    for (const line of wrong) console.log(line);
    report(wrong.length === 0, `the types of Stripe's library: ${forms.length} forms`);
    for (const spoiled of [{ nobody: "1" }, { expires_at: "soon" }]) {
      const json: unknown = { ...Object(first.json), ...spoiled };
      const found = findTypeErrors([{ path: first.path, json }]);
      report(found.length === 1, `they refuse ${JSON.stringify(spoiled)}`);
    }
  } finally {
    prism.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(failures === 0 ? "All of it was as it should be" : `${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;
