/** The world of an upgrade: the release before, then this one, back, the backup, and forward, by docs/upgrade.md. */
import assert from "node:assert/strict";
import { mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { VERSION } from "../../../src/version.ts";
import { projectFolder, runProcess } from "../../support/process.ts";
import { INSTALL, type World, call, lastLine, makeKey, MONITOR, reportsOf, until } from "./systemd.ts";

/** The release before; a commit until there is a tag. */
const BEFORE = "0b99bc3a";
const MAKE_MS = 1_200_000;
const SHOP = "http://127.0.0.1:8081";
const PROGRAM = "node /opt/trivet/current/trivet.js";
const ROLL_BACK = "cd /srv/trivet && sh scripts/install --rollback";
const BACKUP = "/var/backups/trivet-before";

/** The release before, built from its commit; made once and kept in `cache`. @throws Error when that fails */
export async function makeBefore(cache: string): Promise<string> {
  const folder = join(cache, `release-${BEFORE}`);
  if ((await stat(join(folder, "dist/ready")).catch(() => undefined)) !== undefined) return folder;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const script = `git -C '${projectFolder}' archive ${BEFORE} | tar -x -C '${folder}' && cd '${folder}' && npm ci --no-audit --no-fund --prefer-offline && npm run build && npm run build:agent -- --arch x64 && touch dist/ready`;
  const { code, output } = await runProcess({ command: "sh", args: ["-c", script], timeoutMs: MAKE_MS });
  if (code !== 0) throw new Error(`The release before (${BEFORE}) could not be built: ${output.slice(-800)}`);
  return folder;
}

async function listProducts({ machine }: World): Promise<string[]> {
  const { items } = (await call(machine, "GET", `${SHOP}/api/admin/products`)) as {
    items: readonly { title: string }[];
  };
  return items.map(({ title }) => title);
}

const agentVersion = async ({ machine }: World): Promise<string> =>
  (await machine.run("/opt/trivet-agent/trivet-agent --version")).trim();

async function installBefore(world: World): Promise<void> {
  const { machine, say } = world;
  await machine.run("cd /srv/before && sh scripts/install --from dist", 180_000);
  await machine.run("cp /var/lib/trivet/first-admin-token /root/token");
  const key = await makeKey(machine);
  await machine.run(`curl -fsSL ${MONITOR}/install.sh | sh -s -- ${key}`);
  const product = {
    title: "Sold before the upgrade",
    price: 1_999,
    deliveryType: "manual",
    status: "published",
  };
  await call(machine, "POST", `${SHOP}/api/admin/products`, product);
  assert.ok((await reportsOf(machine)) >= 1);
  say(`${await agentVersion(world)} of commit ${BEFORE}: installed, an agent reports, a product is for sale`);
  await machine.run(`mkdir -p /var/backups && ${PROGRAM} backup --data /var/lib/trivet --to ${BACKUP}`);
}

/** All that was there before, and reports that go on. */
async function assertGoesOn(world: World): Promise<void> {
  const { machine } = world;
  assert.deepEqual(await listProducts(world), ["Sold before the upgrade"]);
  const before = await reportsOf(machine);
  await until("The next report", async () => (await reportsOf(machine)) > before);
}

async function upgrade(world: World): Promise<void> {
  const { machine, say } = world;
  const from = performance.now();
  const output = await machine.run(INSTALL, 180_000);
  const seconds = ((performance.now() - from) / 1_000).toFixed(0);
  assert.match(output, /\d+ ok, \d+ warnings, 0 problems/u);
  await assertGoesOn(world);
  say(
    `upgrade to ${VERSION} in ${seconds} s: "${lastLine(output)}"; product, server, and the old agent's reports go on`,
  );
  await machine.run(`curl -fsSL ${MONITOR}/install.sh | sh`);
  assert.equal(await agentVersion(world), VERSION);
  await assertGoesOn(world);
  say(`the agent command without a key: the agent is ${VERSION} and reports`);
}

async function rollBack(world: World): Promise<void> {
  const { machine, say } = world;
  const output = await machine.run(ROLL_BACK, 180_000);
  assert.match(output, /^trivet 0\.1\.0-[0-9a-f]{8} is active again/mu);
  await assertGoesOn(world);
  say(`--rollback: 0.1.0 runs on the newer data; the agent ${VERSION} reports to it`);
}

/** The commands of the page for a version that cannot read newer data. */
async function restoreBackup(world: World): Promise<void> {
  const { machine, say } = world;
  const from = performance.now();
  await machine.run(
    `systemctl stop trivet && ${PROGRAM} restore ${BACKUP} --data /var/lib/trivet && chown -R trivet:trivet /var/lib/trivet && systemctl start trivet`,
  );
  await until("Health", async () => (await machine.attempt(`curl -fsS ${MONITOR}/api/health`)).code === 0);
  const seconds = ((performance.now() - from) / 1_000).toFixed(0);
  await assertGoesOn(world);
  assert.match(await machine.run("ls -A /var/lib/trivet /var/lib"), /\.before-restore-/u);
  say(
    `restore of the backup from before the upgrade in ${seconds} s: product and server are back, reports go on`,
  );
}

async function goForward(world: World): Promise<void> {
  const { machine, say } = world;
  assert.match(
    await machine.run(ROLL_BACK, 180_000),
    new RegExp(`^trivet ${VERSION}-\\w+ is active again`, "mu"),
  );
  await assertGoesOn(world);
  say(`--rollback once more: ${VERSION} again`);
}

/** Everything. @throws AssertionError at the first promise that does not hold */
export async function walkUpgrade(world: World): Promise<void> {
  await installBefore(world);
  await upgrade(world);
  await rollBack(world);
  await restoreBackup(world);
  await goForward(world);
}
