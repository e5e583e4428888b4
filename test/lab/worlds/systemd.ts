/** The world of a real systemd: services and agent by their documented lines, and what must hold there. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectFolder } from "../../support/process.ts";
import type { Machine, Ran } from "./machine.ts";

export const MONITOR = "http://127.0.0.1:8080";
export const INSTALL = "cd /srv/trivet && sh scripts/install";
const DROP_IN = "/etc/systemd/system/trivet.service.d";
const hosts = ["status.example.org", "accounts.example.org", "shop.example.org"] as const;
const PATIENCE_MS = 90_000;
const PAUSE_MS = 500;

export interface World {
  readonly machine: Machine;
  readonly say: (line: string) => void;
}

export async function until(what: string, isSo: () => Promise<boolean>): Promise<number> {
  const startMs = performance.now();
  while (performance.now() - startMs < PATIENCE_MS) {
    if (await isSo()) return (performance.now() - startMs) / 1_000;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`${what}: not within ${PATIENCE_MS / 1_000} s`);
}

interface ServerView {
  readonly name: string;
  readonly state: string;
  readonly agent: {
    readonly reportsStored: number;
    readonly faults?: readonly { readonly name: string; readonly reason: string }[];
  };
}

/** Calls an API from inside the machine; a path alone is the monitor's. */
export async function call(machine: Machine, method: string, path: string, body?: unknown): Promise<unknown> {
  const data = body === undefined ? "" : `-H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
  const token = "$(cat /root/token)";
  const output = await machine.run(
    `curl -fsS -X ${method} -H "x-admin-token: ${token}" ${data} ${path.startsWith("/") ? MONITOR : ""}${path}`,
  );
  return JSON.parse(output);
}

export async function makeKey(machine: Machine, lifeSeconds = 3_600): Promise<string> {
  // The form that the API documents.
  const { code } = (await call(machine, "POST", "/api/admin/enrolments", { uses: 5, lifeSeconds })) as {
    code: string;
  };
  return code;
}

async function findServer(machine: Machine): Promise<ServerView | undefined> {
  const { items } = (await call(machine, "GET", "/api/admin/servers")) as { items: readonly ServerView[] };
  return items[0];
}

export const reportsOf = async (machine: Machine): Promise<number> =>
  (await findServer(machine))?.agent.reportsStored ?? 0;

export function assertFails({ code, output }: Ran, expected: RegExp): void {
  assert.equal(code, 1, output);
  assert.match(output, expected);
}

export const lastLine = (output: string): string => output.trimEnd().split("\n").at(-1) ?? "";

async function installServices({ machine, say }: World): Promise<void> {
  const output = await machine.run(INSTALL, 120_000);
  assert.equal((await machine.run("systemctl is-active trivet")).trim(), "active");
  assert.match(output, /Install check:\n[^]*\d+ ok, \d+ warnings, 0 problems/u);
  await machine.run("cp /var/lib/trivet/first-admin-token /root/token");
  const [scores] = [await machine.run("systemd-analyze security --no-pager trivet | tail -n 1")];
  say(`scripts/install: active, ready by sd_notify; ${scores.replace(/^\W+/u, "").trim()}`);
  say(`scripts/install ends with the install check: "${lastLine(output)}"`);
}

async function installAgent({ machine, say }: World): Promise<void> {
  const key = await makeKey(machine);
  const output = await machine.run(`curl -fsSL ${MONITOR}/install.sh | sh -s -- ${key}`);
  assert.match(output, /Done: the monitor at \S+ has received the first report of this machine/u);
  const server = await findServer(machine);
  assert.ok((server?.agent.reportsStored ?? 0) >= 1);
  assert.equal(server?.state, "online");
  const faults = server?.agent.faults ?? [];
  // A bus that knows no user whom systemd makes up answers no program of one, ours neither.
  const bus = await machine.attempt("systemd-run --wait --pipe -q -p DynamicUser=yes busctl list");
  await machine.run("systemctl reset-failed");
  assert.deepEqual(
    faults.map(({ name }) => name),
    bus.code === 0 ? [] : ["Failed units"],
  );
  for (const { name, reason } of faults) say(`the agent tells what it cannot read here: ${name} (${reason})`);
  const score = await machine.run("systemd-analyze security --no-pager trivet-agent | tail -n 1");
  say(`install.sh: ended after the first acknowledged report; ${score.replace(/^\W+/u, "").trim()}`);
}

/** What the install takes: the program on the disk and in memory. */
async function measure({ machine, say }: World): Promise<void> {
  const pid = (await machine.run("systemctl show -p MainPID --value trivet")).trim();
  const sizes = await machine.run(
    "du -sm /opt/trivet/ /opt/trivet-agent/ /var/lib/trivet/ | sed 's/\\t/ MiB /' | paste -sd, && " +
      `sed -n 's/^VmRSS:\\s*/memory /p' /proc/${pid}/status`,
  );
  say(`sizes: ${sizes.trim().split("\n").join(", ")}`);
}

/** The page's drop-in and its settings, for the public URLs of the page. */
async function writeSockets({ machine }: World): Promise<void> {
  const page = await readFile(join(projectFolder, "docs/reverse-proxy.md"), "utf8");
  const section = page.slice(page.indexOf("\n## Unix sockets"));
  const blocks = ["ini", "sh"].map((language) =>
    [...section.matchAll(new RegExp(` *\`\`\`${language}\\n([^]+?)\`\`\``, "gu"))].map(([, text = ""]) =>
      text.replaceAll(/^ +/gmu, ""),
    ),
  );
  const dropIn = blocks[0]?.[0] ?? "";
  const settings = blocks[1]?.find((text) => text.includes("GATEWAY_PORT=unix:")) ?? "";
  assert.match(`${dropIn}${settings}`, /www-data[^]*GRPC_PORT=/u);
  const urls = ["PUBLIC", "AUTH_PUBLIC", "SHOP_PUBLIC"].map(
    (name, index) => `${name}_URL=https://${hosts[index]}\n`,
  );
  await machine.run(`mkdir -p ${DROP_IN} && cat >${DROP_IN}/override.conf <<'END'
${dropIn}END
cp -p /etc/trivet/trivet.env /root/trivet.env && cat >>/etc/trivet/trivet.env <<'END'
${settings}${urls.join("")}PUBLIC_GRPC=tls://${hosts[0]}:443
END
systemctl daemon-reload && systemctl restart trivet`);
}

/** The drop-in and the settings of docs/reverse-proxy.md: only the proxy's group gets in. */
async function useSockets(world: World): Promise<void> {
  const { machine, say } = world;
  await writeSockets(world);
  const ask = (user: string, host: string): Promise<Ran> =>
    machine.attempt(
      `setpriv --reuid=${user} --regid=$(id -g ${user}) --clear-groups curl -fsS --unix-socket /run/trivet/trivet.sock http://${host}/api/health`,
    );
  for (const host of hosts) {
    const { code, output } = await ask("www-data", host);
    assert.equal(code, 0, output);
  }
  assert.notEqual((await ask("nobody", hosts[0])).code, 0);
  assert.match(await machine.run("stat -c %a:%G /run/trivet/agents.sock"), /^660:www-data$/mu);
  // An upgrade must know how to ask them. The public URLs are those of no machine here: the install check says so.
  const { output } = await machine.attempt(INSTALL, 120_000);
  assert.match(output, /is installed in \/opt\/trivet\n[^]*Install check:/u);
  say("sockets: the group www-data gets in, nobody else; scripts/install asks the services by socket");
  await machine.run(
    `rm -r ${DROP_IN} && mv /root/trivet.env /etc/trivet/ && systemctl daemon-reload && systemctl restart trivet`,
  );
}

/** The kernel ends the process, as for want of memory. */
async function kill({ machine, say }: World): Promise<void> {
  const before = await reportsOf(machine);
  const pid = (await machine.run("systemctl show -p MainPID --value trivet")).trim();
  await machine.run(`kill -KILL ${pid}`);
  const seconds = await until("Reports after SIGKILL", async () => {
    const { code } = await machine.attempt(`curl -fsS ${MONITOR}/api/health`);
    return code === 0 && (await reportsOf(machine)) > before;
  });
  say(`SIGKILL: back by itself, a new report after ${seconds.toFixed(0)} s, the reports go on`);
}

async function reboot({ machine, say }: World): Promise<void> {
  const before = await reportsOf(machine);
  await machine.reboot();
  const seconds = await until("Reports after the reboot", async () => {
    const { code } = await machine.attempt(`curl -fsS ${MONITOR}/api/health`);
    return code === 0 && (await reportsOf(machine)) > before;
  });
  say(`reboot: services and agent are back, a new report ${seconds.toFixed(0)} s after systemd was up`);
}

async function hang({ machine, say }: World): Promise<void> {
  const pid = (await machine.run("systemctl show -p MainPID --value trivet")).trim();
  await machine.run(`kill -STOP ${pid}`);
  const seconds = await until("A new process after SIGSTOP", async () => {
    const now = (await machine.run("systemctl show -p MainPID --value trivet")).trim();
    return now !== pid && now !== "0";
  });
  const line = await machine.run("journalctl -u trivet -o cat --no-pager | grep -i 'watchdog timeout'");
  await until("Health", async () => (await machine.attempt(`curl -fsS ${MONITOR}/api/health`)).code === 0);
  say(`SIGSTOP: noticed and started anew after ${seconds.toFixed(0)} s: "${lastLine(line)}"`);
}

async function takePort({ machine, say }: World): Promise<void> {
  await machine.run("systemctl stop trivet");
  await machine.run(
    `systemd-run --quiet --unit=thief node -e 'require("http").createServer((q, r) => r.end("ok")).listen(8081, "127.0.0.1")'`,
  );
  const taken = await machine.attempt(INSTALL, 120_000);
  assertFails(taken, /EADDRINUSE[^\n]*8081[^\n]*another program uses this port/u);
  say(`port 8081 taken: scripts/install fails: "${/^.*EADDRINUSE.*$/mu.exec(taken.output)?.[0]?.trim()}"`);
  const errors = await machine.run("journalctl -p err -u trivet -o cat --no-pager");
  assert.match(errors, /EADDRINUSE/u);
  say("journalctl -p err: shows that line");
  await machine.run("systemctl stop thief");
  await machine.run(INSTALL, 120_000);
  say("port free again: scripts/install succeeds");
}

const TLS_PROXY = `const tls = require("tls"), net = require("net"), fs = require("fs");
tls.createServer({ cert: fs.readFileSync("/root/ca/cert.pem"), key: fs.readFileSync("/root/ca/key.pem") }, (client) => {
  const service = net.connect(8080, "127.0.0.1");
  for (const socket of [client, service]) socket.on("error", () => (client.destroy(), service.destroy()));
  client.pipe(service).pipe(client);
}).listen(8443, "127.0.0.1");
`;

async function makeAuthority({ machine }: World): Promise<void> {
  await machine.run(`mkdir -p /root/ca && cd /root/ca && cat >proxy.js <<'END'
${TLS_PROXY}END
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj '/CN=Home Lab CA' -keyout ca-key.pem -out ca.pem \
  -addext basicConstraints=critical,CA:TRUE -addext keyUsage=keyCertSign
openssl req -newkey rsa:2048 -nodes -subj /CN=monitor.lab -keyout key.pem -out request.pem
printf 'subjectAltName=DNS:monitor.lab\n' >names
openssl x509 -req -in request.pem -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 30 -extfile names -out cert.pem
echo '127.0.0.1 monitor.lab' >>/etc/hosts
systemd-run --quiet --unit=tls-proxy node /root/ca/proxy.js
printf 'PUBLIC_URL=https://monitor.lab:8443\n' >>/etc/trivet/trivet.env && systemctl restart trivet`);
}

async function privateAuthority(world: World): Promise<void> {
  const { machine, say } = world;
  await makeAuthority(world);
  await machine.run(`curl -fsSL ${MONITOR}/install.sh | sh -s -- --uninstall`);
  const key = await makeKey(machine);
  const script = "curl --cacert /root/ca/ca.pem -fsSL https://monitor.lab:8443/install.sh";
  const lines = `${script} | sh -s -- ${key}`;
  assertFails(await machine.attempt(lines), /could not be downloaded. If its certificate .* --ca FILE/u);
  const untrusted = await machine.attempt(`${lines} --from /srv/trivet/download`);
  assertFails(
    untrusted,
    /certificate is not trusted\. .*--ca.*The key was not used.*The service is stopped/su,
  );
  assert.equal((await machine.attempt("systemctl is-active trivet-agent")).output.trim(), "inactive");
  say(`private authority, unknown to the agent: "${lastLine(untrusted.output)}"`);
  const trusted = await machine.run(`${lines} --ca /root/ca/ca.pem`);
  assert.match(trusted, /Done: the monitor at https:\/\/monitor\.lab:8443/u);
  say("the same key with --ca: first report acknowledged");
  await machine.run(`${script} | sh -s -- --uninstall`);
  await machine.run(
    "cp /root/ca/ca.pem /usr/local/share/ca-certificates/lab.crt && update-ca-certificates >/dev/null",
  );
  assert.match(await machine.run(lines), /Done: the monitor/u);
  say("the authority in the system's store: first report acknowledged without --ca");
}

async function wrongKeys({ machine, say }: World): Promise<void> {
  await machine.run(`curl -fsSL ${MONITOR}/install.sh | sh -s -- --uninstall`);
  const wrong = await machine.attempt(`curl -fsSL ${MONITOR}/install.sh | sh -s -- enr_wrong`);
  assertFails(
    wrong,
    /rejected the enrollment of this machine .*create a new command in the dashboard.*service is stopped/u,
  );
  say(`a key that is wrong or expired: "${lastLine(wrong.output)}"`);
  const away = await machine.attempt(
    `sh /srv/trivet/src/monitor/install/install.sh --from /srv/trivet/download --wait 12 --url http://127.0.0.1:9 enr_x`,
  );
  assertFails(away, /"http:\/\/127\.0\.0\.1:9\/api\/enrol" cannot be reached.*keeps trying/u);
  say(`a monitor that is not there: "${lastLine(away.output)}"`);
}

/** What Debian itself writes: users' files and their backups, logs, caches, and what this trial made. */
const ofDebian =
  /^\/etc\/(?:passwd|shadow|group|gshadow|subuid|subgid)-?$|^\/etc\/(?:\.pwd\.lock|machine-id|hosts|resolv\.conf|localtime|ssl\/|hostname|ca-certificates|\.updated$)|^\/var\/\.updated$|^\/var\/(?:log|cache|lib\/(?:systemd|dbus))\/|^\/root\/|^\/usr\/local\/|^\/(?:run|tmp|dev)\//u;

async function removeAll({ machine, say }: World): Promise<void> {
  await machine.run(`mkdir -p ${DROP_IN} && echo '[Service]' >${DROP_IN}/own.conf`);
  await machine.run(`curl -fsSL ${MONITOR}/install.sh | sh -s -- --uninstall`);
  const { output } = await machine.attempt("cd /srv/trivet && sh scripts/install --uninstall --purge");
  assert.match(output, /Backups are kept in \S+, with the sealing keys of the data in/u);
  assert.equal((await machine.run("stat -c %U:%a /var/lib/trivet-backups")).trim(), "root:700");
  await machine.run("cd /srv/trivet && sh scripts/install --uninstall --purge --purge-backups");
  assert.deepEqual(
    (await machine.listChanges()).filter((path) => !ofDebian.test(path)),
    [],
  );
  assert.equal((await machine.attempt("grep trivet /etc/passwd /etc/group")).code, 1);
  assert.doesNotMatch(await machine.run("systemctl list-units --all --no-legend --plain"), /^trivet/mu);
  assert.doesNotMatch(await machine.run("cat /proc/[0-9]*/comm"), /trivet/u);
  say(
    "--uninstall and --purge: no file, user, unit or process is left; backups stay for root until told otherwise",
  );
}

/** Everything, in the order in which a person meets it. @throws AssertionError at the first promise that does not hold */
export async function walkSystemd(world: World): Promise<void> {
  await installServices(world);
  await installAgent(world);
  await measure(world);
  await kill(world);
  await reboot(world);
  await hang(world);
  await useSockets(world);
  await takePort(world);
  await wrongKeys(world);
  await privateAuthority(world);
  await removeAll(world);
}
