/**
 * better-auth as a server of its own, to compare with: e-mail and password with its own scrypt, sessions in
 * SQLite (better-sqlite3, WAL), rate limiting off. Prints {"port"} as one line of JSON when it is ready, with
 * `--accounts` accounts and `--sessions` sessions in its database; ends when its standard input does.
 */
import { createHmac, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { getRequestListener } from "@hono/node-server";

// Imported late: `deno check scripts` resolves the other imports, and only the benchmark installs these.
const { betterAuth } = await import("better-auth");
const { hashPassword } = await import("better-auth/crypto");
const { getMigrations } = await import("better-auth/db/migration");
const { toNodeHandler } = await import("better-auth/node");
const { default: Database } = await import("better-sqlite3");

const { values } = parseArgs({
  options: {
    folder: { type: "string", default: "." },
    accounts: { type: "string", default: "0" },
    sessions: { type: "string", default: "0" },
    password: { type: "string", default: "" },
    synchronous: { type: "string", default: "normal" },
    listener: { type: "string", default: "hono" },
    "cookie-cache": { type: "boolean", default: false },
    "update-age": { type: "string" },
  },
});

const database = new Database(join(values.folder, "better-auth.db"));
database.pragma("journal_mode = WAL");
database.pragma(`synchronous = ${values.synchronous}`);
database.pragma("cache_size = -65536"); // 64 MiB, so that the index of 100,000 sessions stays in memory
database.pragma("mmap_size = 268435456");
database.pragma("temp_store = MEMORY");

// The address is a part of the options, so the port is taken before there is anything to answer with.
let handle;
const server = createServer((request, response) => handle(request, response));
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address();
const secret = randomBytes(32).toString("base64url");

const auth = betterAuth({
  baseURL: `http://127.0.0.1:${port}`,
  secret,
  database,
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: "error" },
  session: {
    cookieCache: { enabled: values["cookie-cache"] },
    ...(values["update-age"] === undefined ? {} : { updateAge: Number(values["update-age"]) }),
  },
});
await (await getMigrations(auth.options)).runMigrations();

/** Accounts and sessions by SQL: as sign-up would write them, all with one password that is hashed once. */
async function seed(accounts, sessions) {
  const hash = await hashPassword(values.password);
  const now = new Date().toISOString();
  const expiresAt = new Date(Date.now() + 7 * 86_400_000).toISOString();
  const insertUser = database.prepare(
    `INSERT INTO user (id, name, email, emailVerified, createdAt, updatedAt) VALUES (?, ?, ?, 1, ?, ?)`,
  );
  const insertAccount = database.prepare(
    `INSERT INTO account (id, accountId, providerId, userId, password, createdAt, updatedAt)
     VALUES (?, ?, 'credential', ?, ?, ?, ?)`,
  );
  const insertSession = database.prepare(
    `INSERT INTO session (id, expiresAt, token, createdAt, updatedAt, ipAddress, userAgent, userId)
     VALUES (?, ?, ?, ?, ?, '', 'bench', ?)`,
  );
  const cookies = [];
  database.transaction(() => {
    const ids = [];
    for (let n = 0; n < accounts; n += 1) {
      const id = randomBytes(24).toString("base64url");
      ids.push(id);
      insertUser.run(id, `Person ${n}`, `person-${n}@example.org`, now, now);
      insertAccount.run(randomBytes(24).toString("base64url"), id, id, hash, now, now);
    }
    for (let n = 0; n < sessions; n += 1) {
      const token = randomBytes(24).toString("base64url");
      const id = randomBytes(24).toString("base64url");
      insertSession.run(id, expiresAt, token, now, now, ids[n % ids.length]);
      const signature = createHmac("sha256", secret).update(token).digest("base64");
      cookies.push(`better-auth.session_token=${encodeURIComponent(`${token}.${signature}`)}`);
    }
  })();
  database.exec("ANALYZE");
  database.pragma("wal_checkpoint(TRUNCATE)");
  writeFileSync(join(values.folder, "cookies.txt"), cookies.join("\n"));
}
await seed(Number(values.accounts), Number(values.sessions));

handle = values.listener === "hono" ? getRequestListener(auth.handler) : toNodeHandler(auth);

// The parent ends it by closing standard input, and so does the parent's end.
process.stdin.resume().on("end", () => process.exit(0));
console.log(JSON.stringify({ port }));
