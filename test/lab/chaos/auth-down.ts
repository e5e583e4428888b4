/** The auth center hangs, then dies: the shop sells on, says 503 where it needs to know who asks, and recovers. */
import process from "node:process";
import { ADMIN_TOKEN, createKillLoad } from "../../shop/kill-load.ts";
import { startCareless } from "./careless.ts";
import { type ChaosCase, type Found, type Surroundings, pause, toSeconds, waitFor } from "./case.ts";
import { ask, textAt } from "./requests.ts";
import { type Subject, createSubject } from "./subject.ts";

const LIMIT_MS = 2_000;
const RECOVERY_MS = 10_000;
const PASSWORD = "correct horse battery staple";

/** A route that requires a user; a new token, so that nothing is cached. */
const askAsSomebody = (shop: string, token: string): ReturnType<typeof ask> =>
  ask(`${shop}/api/wishlist`, { headers: { authorization: `Bearer ${token}` } });

let tokens = 0;
function newToken(): string {
  tokens += 1;
  return `at_unknown-${tokens}-${"x".repeat(40)}`;
}

async function signIn(auth: string): Promise<string> {
  const person = { username: "mia", email: "mia@example.org", emailVerified: true, password: PASSWORD };
  const headers = { "x-admin-token": ADMIN_TOKEN };
  await ask(`${auth}/api/admin/users`, { method: "POST", headers, body: person });
  const body = { identifier: "mia", password: PASSWORD };
  const { json, status } = await ask(`${auth}/api/auth/login`, { method: "POST", body });
  const token = textAt(json, "accessToken");
  if (token === "") throw new Error(`signing in answered ${status} ${JSON.stringify(json)}`);
  return token;
}

/** What is wrong while the center is away, and the slowest refusal. */
async function judgeOutage(
  shop: string,
  { forMs, limitMs }: { forMs: number; limitMs: number },
): Promise<{ problems: string[]; slowestMs: number }> {
  const problems: string[] = [];
  let slowestMs = 0;
  const endMs = performance.now() + forMs;
  do {
    const { status, ms } = await askAsSomebody(shop, newToken());
    slowestMs = Math.max(slowestMs, ms);
    if (status !== 503) problems.push(`a user's route answered ${status || "nothing"}`);
    const read = await ask(`${shop}/api/products`);
    if (read.status !== 200) problems.push(`the catalogue answered ${read.status}`);
    await pause(100);
  } while (performance.now() < endMs);
  if (slowestMs > limitMs) problems.push(`a refusal took ${toSeconds(slowestMs)}`);
  return { problems, slowestMs };
}

async function harmCenter(around: Surroundings): Promise<Found> {
  const center = await createSubject(around, { services: ["auth"] });
  let life = await center.start();
  const shop: Subject = await createSubject(around, {
    services: ["shop"],
    env: { AUTH_URL: center.url("auth") },
  });
  await shop.start();
  const url = shop.url("shop");
  const load = createKillLoad({ buyers: 2, most: 5_000 });
  await load.prepare(url);
  const token = await signIn(center.url("auth"));
  const before = await askAsSomebody(url, token);
  if (before.status !== 200) throw new Error(`a user's route answered ${before.status} while all was well`);
  let isOver = false;
  const selling = load.go(url, () => isOver);
  const outageMs = around.isQuick ? 2_500 : 8_000;

  const outage = { forMs: outageMs, limitMs: around.within(LIMIT_MS) };
  const pid = life.pid;
  process.kill(pid, "SIGSTOP");
  const hung = await judgeOutage(url, outage);
  process.kill(pid, "SIGCONT");
  const isWell = async (): Promise<boolean> => (await askAsSomebody(url, token)).status === 200;
  const first = await waitFor(isWell, { limitMs: around.within(RECOVERY_MS) });
  await life.kill();
  const dead = await judgeOutage(url, outage);
  life = await center.start();
  const second = await waitFor(isWell, { limitMs: around.within(RECOVERY_MS) });
  isOver = true;
  const refused = await selling;
  const problems = [...new Set([...hung.problems, ...dead.problems])];
  if (first === undefined || second === undefined) problems.push("did not recover");
  if (refused > 0) problems.push(`${refused} guests or payments were refused`);
  await load.verify(url);
  const { orders, notices } = load.counts();
  return {
    isKept: problems.length === 0 && notices > 0,
    done: `hung for ${toSeconds(outageMs)}, then killed for as long`,
    acknowledged: `${orders} guests' orders, ${notices} payments meanwhile`,
    found:
      problems.length > 0
        ? problems.join("; ")
        : `users 503 in ${toSeconds(Math.max(hung.slowestMs, dead.slowestMs))} at most, back in ${toSeconds(Math.max(first ?? 0, second ?? 0))}; 0 sales refused`,
  };
}

async function harmCareless(around: Surroundings): Promise<Found> {
  const center = await startCareless(around, "plain");
  const asking = await startCareless(around, "asks", { address: center.url });
  process.kill(center.pid, "SIGSTOP");
  const { ms, status } = await ask(asking.url, { limitMs: around.within(LIMIT_MS) + 1_000 });
  process.kill(center.pid, "SIGCONT");
  return {
    isKept: status === 503 && ms <= around.within(LIMIT_MS),
    done: "a server that is asked hangs",
    acknowledged: "",
    found: status === 0 ? `no answer in ${toSeconds(ms)}` : `${status} after ${toSeconds(ms)}`,
  };
}

/** See the module's header. */
export const authDown: ChaosCase = {
  name: "auth-down",
  promise:
    "Auth center down: catalogue, guests and payment notices go on, users get 503 in 2 s, recovers by itself",
  parts: [
    { name: "shop", run: harmCenter },
    { name: "fetch without a limit of time", isControl: true, run: harmCareless },
  ],
};
