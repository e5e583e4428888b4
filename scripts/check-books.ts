/** `npm run check-books`: whether the shop's orders agree with its ledger of payments. Exits 1 with what is wrong. */
import process from "node:process";
import { parseArgs } from "node:util";
import { textOf } from "../src/kit/thrown.ts";
import { checkPlace, describeReport } from "../src/shop/service-books.ts";

const USAGE = `Usage: npm run check-books -- [PLACE]
  PLACE  the data folder of a stopped shop, or a database such as postgres://user:password@host/trivet, which
         may be in use (default: DATABASE_URL if it is set, otherwise the folder data)`;

/** Undefined when only help is wanted. */
function readPlace(): string | undefined {
  const { values, positionals } = parseArgs({
    options: { help: { type: "boolean", short: "h", default: false } },
    allowPositionals: true,
  });
  if (values.help) return undefined;
  if (positionals.length > 1) throw new Error("Name one place");
  const { DATABASE_URL: database = "" } = process.env;
  return positionals[0] ?? (database === "" ? "data" : database);
}

async function main(): Promise<void> {
  const place = readPlace();
  if (place === undefined) {
    console.log(USAGE);
    return;
  }
  const report = await checkPlace(place);
  if (report.faults.length > 0) {
    console.error(describeReport(report));
    process.exitCode = 1;
  } else console.log(describeReport(report));
}

await main().catch((error: unknown) => {
  console.error(`The books could not be checked: ${textOf(error)}\n${USAGE}`);
  process.exitCode = 2;
});
