/**
 * Vendure as a server of its own, to compare with: SQLite (better-sqlite3, WAL, every commit synced), its
 * DefaultSearchPlugin, a payment handler that authorizes everything. `--seed` fills the database in `--folder`
 * and ends; otherwise it serves, prints {"port"} as one line of JSON when it is ready,
 * and ends when its standard input does.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";

process.env.VENDURE_DISABLE_TELEMETRY = "true"; // it would ask the network, and leave a folder behind

// Imported late: `deno check scripts` resolves the other imports, and only the benchmark installs these.
const vendure = await import("@vendure/core");
const { importProductsFromCsv, populateInitialData } = await import("@vendure/core/cli/index.js");

const { values } = parseArgs({
  options: { folder: { type: "string", default: "." }, seed: { type: "boolean", default: false } },
});
const { folder } = values;
const productsFile = join(folder, "products.csv");
const VARIANTS = 3;

const config = {
  apiOptions: { hostname: "127.0.0.1", port: 0, introspection: false },
  authOptions: {
    tokenMethod: "bearer",
    superadminCredentials: { identifier: "bench", password: randomBytes(16).toString("base64url") },
  },
  dbConnectionOptions: {
    type: "better-sqlite3",
    database: join(folder, "vendure.db"),
    enableWAL: true,
    synchronize: values.seed,
    logging: false,
    prepareDatabase: (database) => {
      // As durable as what it is compared with, and memory enough for the whole database.
      database.pragma("synchronous = full");
      database.pragma("cache_size = -65536");
      database.pragma("mmap_size = 268435456");
      database.pragma("temp_store = MEMORY");
    },
  },
  paymentOptions: { paymentMethodHandlers: [vendure.dummyPaymentHandler] },
  // Nothing is logged while it is measured.
  logger: new vendure.DefaultLogger({ level: vendure.LogLevel.Error }),
  plugins: [vendure.DefaultSearchPlugin.init({ bufferUpdates: true, indexStockStatus: true })],
};

const initialData = {
  defaultLanguage: vendure.LanguageCode.en,
  defaultZone: "Europe",
  countries: [{ name: "Germany", code: "DE", zone: "Europe" }],
  taxRates: [{ name: "Standard Tax", percentage: 19 }],
  shippingMethods: [{ name: "Standard Shipping", price: 500 }],
  paymentMethods: [
    {
      name: "dummy",
      handler: {
        code: vendure.dummyPaymentHandler.code,
        arguments: [{ name: "automaticSettle", value: "false" }],
      },
    },
  ],
  collections: [],
};

/** The rows of the search index: one for each variant. */
async function waitForIndex(app, count) {
  const { rawConnection } = app.get(vendure.TransactionalConnection);
  for (;;) {
    const [row] = await rawConnection.query("SELECT COUNT(*) AS count FROM search_index_item");
    if (row.count >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function seed() {
  const app = await vendure.bootstrap(config);
  await populateInitialData(app, initialData);
  const { imported, errors = [] } = await importProductsFromCsv(
    app,
    productsFile,
    initialData.defaultLanguage,
  );
  if (errors.length > 0) throw new Error(errors.join("\n"));
  await app.get(vendure.JobQueueService).start();
  const context = await app.get(vendure.RequestContextService).create({ apiType: "admin" });
  await app.get(vendure.SearchService).reindex(context);
  await waitForIndex(app, imported * VARIANTS);
  const { rawConnection } = app.get(vendure.TransactionalConnection);
  await rawConnection.query("ANALYZE");
  await rawConnection.query("PRAGMA wal_checkpoint(TRUNCATE)");
  process.exit(0); // the queue would wait for its polls
}

async function serve() {
  const app = await vendure.bootstrap(config);
  const { port } = app.getHttpServer().address();
  process.stdin.resume().on("end", () => process.exit(0));
  console.log(JSON.stringify({ port }));
}

await (values.seed ? seed() : serve());
