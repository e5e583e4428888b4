/**
 * The world of compose: compose.yaml with its two nodes, and compose.tls.yaml, as the documents start them, by Podman as
 * root and as a user without rights, and by Docker, on a Debian 13 with a systemd of its own.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectFolder } from "../../support/process.ts";
import { IMAGE } from "./compose-images.ts";
import type { Machine } from "./machine.ts";

interface World {
  readonly machine: Machine;
  readonly say: (line: string) => void;
}
interface Engine {
  readonly name: string;
  readonly engine: string;
  readonly compose: string;
  /** Makes it ready, as root. */
  readonly start: string;
  /** What comes before each command. */
  readonly settings: string;
  readonly user: string;
}

export const packages = [
  ...["podman", "podman-compose", "netavark", "aardvark-dns", "nftables", "iptables", "runc", "uidmap"],
  ...["passt", "dbus-user-session", "iproute2", "docker.io", "docker-cli", "docker-compose"],
];

const LOAD = "load -q -i /srv/images/all.tar";
const PODMAN =
  "export XDG_RUNTIME_DIR=/run/user/$(id -u) PODMAN_IGNORE_CGROUPSV1_WARNING=1 CONTAINERS_CONF=/etc/world.conf";
const podman = { engine: "podman", compose: "podman-compose", settings: PODMAN, start: "true" };
const engines: readonly Engine[] = [
  { ...podman, name: "Podman", user: "root" },
  // As docs/containers.md says, for the ports of compose.tls.yaml.
  {
    ...podman,
    name: "Podman without root",
    user: "ops",
    start:
      "useradd -m ops && loginctl enable-linger ops && chmod 666 /dev/net/tun && sysctl -q net.ipv4.ip_unprivileged_port_start=80",
  },
  {
    name: "Docker",
    engine: "docker",
    compose: "docker compose",
    settings: "true",
    start: "systemctl start docker",
    user: "root",
  },
];

/** Within which all services answer and an agent's reports go on when a node stops, on a busy machine as well. */
const MAX_SECONDS = 30;

/** Control groups of version 1 are read-only in systemd-nspawn, and crun refuses them beside version 2. */
const SETTINGS = `printf '%s\\n' '[containers]' 'default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]' \
  '[engine]' >/etc/world.conf
if [ -d /sys/fs/cgroup/memory ]; then
  mount -o remount,rw /sys/fs/cgroup
  for each in /sys/fs/cgroup/*/; do mount -o remount,rw,bind "$each" || true; done
  printf '%s\\n' 'runtime = "runc"' 'cgroup_manager = "cgroupfs"' >>/etc/world.conf
fi
# A way out that leads nowhere: Podman without root copies it.
ip link add lan0 type veth peer name wan0 && ip addr add 192.0.2.2/24 dev lan0
ip link set lan0 up && ip link set wan0 up && ip route add default via 192.0.2.1`;

const NODES = ["8080", "8081", "8082"].map((port) => `http://127.0.0.1:${port}`);
const TLS = ["", "/shop", "/auth"].map((path) => `https://localhost${path}`);

/** A shell in the folder with the files of compose, as the engine's user. */
const createShell =
  ({ machine }: World, { settings, user }: Engine) =>
  (command: string, timeoutMs = 300_000): Promise<string> =>
    machine.run(
      `step=$(mktemp) && chmod 644 "$step" && cat >"$step" <<'WORLD'
cd /srv/sites/${user} && ${settings} && touch .env && set -a && . ./.env && set +a
${command}
WORLD
runuser -u ${user} -- sh -e "$step" </dev/null`,
      timeoutMs,
    );

function createSite(world: World, engine: Engine, args: string) {
  const { compose: program, name } = engine;
  const run = createShell(world, engine);
  const compose = (command: string): Promise<string> => run(`${program} ${args} ${command}`);
  const curl = (path: string): Promise<string> =>
    run(`curl -sS -m 10 --cacert ca.pem -H "x-admin-token: $ADMIN_TOKEN" ${path}`);
  async function until(what: string, isSo: () => Promise<boolean>): Promise<number> {
    const from = performance.now();
    while (performance.now() - from < 180_000) {
      if (await isSo().catch(() => false)) return (performance.now() - from) / 1_000;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    throw new Error(`${name}, ${what}: not within three minutes\n${await run(`${engine.engine} ps -a`)}`);
  }
  const awaitHealth = (urls: readonly string[]): Promise<number> =>
    until("health", async () => {
      const answers = await Promise.all(urls.map((url) => curl(`${url}/api/health`)));
      return answers.every((answer) => answer.startsWith('{"status":"ok"'));
    });
  const readReports = async (url: string): Promise<number> =>
    Number(/"reportsStored":(\d+)/u.exec(await curl(`${url}/api/admin/servers`))?.[1] ?? 0);
  const awaitReports = async (url: string): Promise<number> => {
    const before = await readReports(url);
    return until("reports", async () => (await readReports(url)) > before + 1);
  };
  const startAgent = async (url: string, more = ""): Promise<void> => {
    const made = await curl(
      `-H 'content-type: application/json' -d '{"uses":1,"lifeSeconds":3600}' ${url}/api/admin/enrolments`,
    );
    const code = /"code":"([^"]+)"/u.exec(made)?.[1];
    assert.ok(code !== undefined, made);
    await run(
      `TRIVET_DATA=$(mktemp -d) setsid node /srv/trivet/agent.js --enrol ${code} --url ${url} --interval 2 ${more} >agent.log 2>&1 & echo $! >agent.pid`,
    );
  };
  /** A visitor that claims another address is an end of the containers' network all the same; resolves with that end. */
  const forgeAddress = async (url: string, services: readonly string[]): Promise<string> => {
    await curl(
      `-o /dev/null -H 'x-forwarded-for: 203.0.113.9' -H 'content-type: application/json' -d '{"identifier":"nobody","password":"wrong password"}' ${url}/api/auth/login`,
    );
    const logs = await compose(`logs ${services.join(" ")} 2>&1 | grep '"/api/auth/login"'`);
    const address = /"status":401,[^\n]*"client":"([^"]+)"/u.exec(logs)?.[1] ?? "";
    assert.match(address, /^10\.213\.7[78]\.\d+$/u, logs);
    return address;
  };
  return { run, compose, curl, until, awaitHealth, awaitReports, startAgent, forgeAddress };
}

async function runNodes(world: World, engine: Engine): Promise<void> {
  const page = await readFile(join(projectFolder, "docs/nodes.md"), "utf8");
  const secrets = /```sh\n(for name in [^]+?)\ndocker compose --profile nodes up -d --build proxy\n/u.exec(
    page,
  )?.[1];
  assert.ok(secrets !== undefined, "docs/nodes.md has no lines that make .env");
  await createShell(
    world,
    engine,
  )(`${secrets}
echo TRIVET_IMAGE=${IMAGE} >>.env`);
  const site = createSite(world, engine, "--profile nodes");
  const say = (line: string): void => world.say(`${engine.name}, nodes: ${line}`);
  const from = performance.now();
  await site.compose("up -d proxy");
  await site.awaitHealth(NODES);
  say(
    `two nodes, PostgreSQL, NATS and nginx are well ${((performance.now() - from) / 1_000).toFixed(0)} s after "up"`,
  );
  for (const node of ["node-1", "node-2"])
    assert.match(await site.compose(`exec -T ${node} trivet doctor`), /, 0 problems/u);
  await site.run(
    `cd /srv/source && SHOP_URL=${NODES[1]} AUTH_URL=${NODES[2]} node --import tsx scripts/first-sale.ts`,
  );
  await site.startAgent(NODES[0] ?? "");
  await site.awaitReports(NODES[0] ?? "");
  const visitor = await site.forgeAddress(NODES[2] ?? "", ["node-1", "node-2"]);
  say(`the doctor finds no problem; first sale, reports of an agent, a visitor is ${visitor}`);
  for (const node of ["node-1", "node-2"]) {
    await site.compose(`stop ${node}`);
    const stopped = performance.now();
    await site.awaitHealth(NODES);
    await site.awaitReports(NODES[0] ?? "");
    const seconds = (performance.now() - stopped) / 1_000;
    assert.ok(seconds < MAX_SECONDS, `${seconds} s`);
    say(`without ${node} the other answers, and reports go on within ${seconds.toFixed(0)} s`);
    await site.compose(`start ${node}`);
    await site.until(node, async () =>
      /, 0 problems/u.test(await site.compose(`exec -T ${node} trivet doctor`)),
    );
  }
  await site.compose("down");
  await site.compose("up -d proxy");
  await site.awaitHealth(NODES);
  await site.awaitReports(NODES[0] ?? "");
  await site.run('kill "$(cat agent.pid)"');
  await site.compose("down -v");
  say("down and up again: the volumes are kept, the agent's reports go on");
}

/** The container alone, with a backup that is restored by the lines of docs/containers.md. */
async function runAlone(world: World, engine: Engine): Promise<void> {
  await createShell(
    world,
    engine,
  )(`printf '%s\\n' TRIVET_IMAGE=${IMAGE} ADMIN_TOKEN=adm_0123456789abcdef >.env`);
  const site = createSite(world, engine, "");
  const from = performance.now();
  await site.compose("up -d trivet");
  await site.awaitHealth(NODES);
  const seconds = (performance.now() - from) / 1_000;
  assert.match(await site.compose("exec -T trivet trivet doctor"), /, 0 problems/u);
  await site.startAgent(NODES[0] ?? "");
  await site.awaitReports(NODES[0] ?? "");
  const backup = /\/backups\/trivet-[\w-]+/u.exec(await site.compose("exec -T trivet trivet backup"))?.[0];
  assert.ok(backup !== undefined);
  await site.compose("stop trivet");
  assert.match(await site.compose(`run --rm trivet restore ${backup}`), /Restored and verified/u);
  await site.compose("start trivet");
  await site.awaitHealth(NODES);
  await site.awaitReports(NODES[0] ?? "");
  await site.run('kill "$(cat agent.pid)"');
  await site.compose("down -v");
  world.say(
    `${engine.name}, alone: well ${seconds.toFixed(0)} s after "up"; the doctor finds no problem; backed up, restored, the agent's reports go on`,
  );
}

async function runTls(world: World, engine: Engine): Promise<void> {
  // Caddy makes certificates for this name with an authority of its own.
  await createShell(world, engine)(`printf '%s\\n' TRIVET_DOMAIN=localhost TRIVET_IMAGE=${IMAGE} >.env`);
  const site = createSite(world, engine, "-f compose.tls.yaml");
  const say = (line: string): void => world.say(`${engine.name}, TLS: ${line}`);
  const from = performance.now();
  await site.compose("up -d");
  const authority = "/data/caddy/pki/authorities/local/root.crt";
  await site.until("authority", async () =>
    /BEGIN/u.test(await site.compose(`exec -T caddy cat ${authority} | tee ca.pem`)),
  );
  await site.awaitHealth(TLS);
  const [line = ""] = (await site.curl("-I http://localhost/")).split("\r\n");
  assert.match(line, /^HTTP\/1.1 308/u);
  say(
    `all services answer over TLS ${((performance.now() - from) / 1_000).toFixed(0)} s after "up"; HTTP is redirected`,
  );
  await site.run(
    "echo ADMIN_TOKEN=$(" +
      `${engine.compose} -f compose.tls.yaml exec -T trivet cat /data/first-admin-token) >>.env`,
  );
  await site.startAgent(TLS[0] ?? "", "--ca ca.pem");
  await site.awaitReports(TLS[0] ?? "");
  const visitor = await site.forgeAddress(TLS[2] ?? "", ["trivet"]);
  say(`the first token signs in; reports of an agent through port 443; a visitor is ${visitor}`);
  await site.run('kill "$(cat agent.pid)"');
  await site.compose("down -v");
}

/** @throws AssertionError at the first promise that does not hold */
export async function walkCompose(world: World, only: string): Promise<void> {
  const { machine } = world;
  await machine.run(SETTINGS);
  for (const engine of engines.filter(({ name }) => name.toLowerCase().includes(only.toLowerCase()))) {
    const folder = `/srv/sites/${engine.user}`;
    await machine.run(engine.start);
    await machine.run(
      `mkdir -p ${folder} && cd /srv/source && cp -r compose.yaml compose.tls.yaml scripts ${folder}/ && chown -R ${engine.user}: ${folder}`,
    );
    await createShell(world, engine)(`${engine.engine} ${LOAD}`, 600_000);
    await runAlone(world, engine);
    await runNodes(world, engine);
    await runTls(world, engine);
  }
}
