/**
 * `npm run demo [-- --days N]`: a monitor with 24 servers, three months of history and agents that go on
 * reporting, on the ports of MONITOR_PORT and GRPC_PORT. Everything is gone after Ctrl-C. `npm run demo -- shop`
 * fills a shop that is running, `npm run demo -- all` starts all services.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { textOf } from "../../../src/kit/thrown.ts";
import { runWholeDemo, toDemoEnvironment } from "./all.ts";
import { runShopDemo, shopHelp } from "./shop/main.ts";
import { startDemo } from "./start.ts";

const help = `npm run demo [-- --days N]

A monitor with 24 servers, N days of history (1 to 400, default 90) and agents that go on reporting, on the
ports of MONITOR_PORT (8080) and GRPC_PORT (50051). What you change is gone after Ctrl-C.

npm run demo -- all [--days N] [--read-only [--every MINUTES]]

Monitor, accounts and shop, all filled, on the ports of MONITOR_PORT (8080), SHOP_PORT (8081), AUTH_PORT (8082) and
GRPC_PORT (50051). It sends no emails and takes no payments.
--read-only   for a public demo: nothing can be changed, and it starts over every 60 minutes, or every MINUTES

${shopHelp}`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      days: { type: "string", default: "90" },
      url: { type: "string", default: "http://127.0.0.1:8081" },
      auth: { type: "string" },
      "read-only": { type: "boolean", default: false },
      every: { type: "string", default: "60" },
      add: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  const [what = "monitor", ...rest] = positionals;
  if (rest.length > 0 || !["all", "monitor", "shop"].includes(what))
    throw new Error(`There is no demo of "${positionals.join(" ")}": all, monitor or shop`);
  if (values.help === true) {
    console.log(help);
    return;
  }
  if (what === "shop") {
    await runShopDemo({ url: values.url, auth: values.auth, isAdding: values.add });
    return;
  }
  const days = Number(values.days);
  if (!Number.isInteger(days) || days < 1 || days > 400)
    throw new Error(`--days must be a whole number from 1 to 400, not "${values.days}"`);
  const everyMinutes = Number(values.every);
  if (!(everyMinutes >= 0 && everyMinutes <= 1_440))
    throw new Error(`--every must be a number of minutes from 0 to 1440, not "${values.every}"`);
  const past = days === 1 ? "1 day" : `${days} days`;
  let told = -1;
  const say = (share: number): void => {
    const line = `Making ${past} of history: ${Math.round(100 * share)} %`;
    if (process.stdout.isTTY) process.stdout.write(`\r${line}${share === 1 ? "\n" : ""}`);
    else if (Math.floor(10 * share) > told) console.log(line);
    told = Math.floor(10 * share);
  };
  say(0);
  if (what === "all") {
    await runWholeDemo({
      days,
      isReadOnly: values["read-only"],
      everyMinutes,
      env: toDemoEnvironment(process.env),
      say: (text) => console.log(`- ${text}`),
      onProgress: say,
    });
    // A past that is still being made keeps the process alive.
    process.exit();
  }
  const demo = await startDemo({
    days,
    onProgress: say,
    env: {
      MONITOR_PORT: process.env["MONITOR_PORT"] ?? "8080",
      GRPC_PORT: process.env["GRPC_PORT"] ?? "50051",
    },
  });
  const { url, adminToken } = demo.monitor;
  console.log(`\n  ${url}/\n  ${url}/admin   token ${adminToken}\n\nCtrl-C ends it.`);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  await demo.stop();
}

try {
  await main();
} catch (error) {
  console.error(textOf(error));
  process.exitCode = 1;
}
