/** Clients from Debian's packages; each is skipped by name where its package is missing. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { access, chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { eventually } from "../../support/eventually.ts";
import { findFreePort } from "../../support/free-ports.ts";
import { findProgram } from "../../support/missing.ts";
import { runProcess } from "../../support/process.ts";
import { type RunningApp, type WebApp, appsFolder, toStart, toTrial } from "./apps.ts";
import type { ClientConfig, Trial } from "./lab.ts";
import { oidcAgentTrial } from "./oidc-agent.ts";

const MODULES = "/usr/lib/apache2/modules";
const modules = [
  "mpm_event",
  "authn_core",
  "authz_core",
  "authz_user",
  "proxy",
  "proxy_http",
  "auth_openidc",
];

/** The Apache configuration: everything but /bye requires a sign-in, and the backend gets the user's claims. */
function toApacheConfig({ issuer, id, secret, url, port }: ClientConfig, behind: number): string {
  return `ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile apache2.pid
ErrorLog error.log
${process.getuid?.() === 0 ? "User www-data\nGroup www-data" : ""}
${modules.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`).join("\n")}
OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID ${id}
OIDCClientSecret ${secret ?? ""}
OIDCRedirectURI ${url}/callback
OIDCCryptoPassphrase a-secret-of-the-laboratory
OIDCScope "openid profile email"
OIDCPKCEMethod S256
ProxyPass / http://127.0.0.1:${behind}/
<Location />
  AuthType openid-connect
  Require valid-user
</Location>
<Location /bye>
  AuthType None
  Require all granted
</Location>
`;
}

/** Starts Apache in a new folder, with a backend that returns what it receives. */
async function startApache(config: ClientConfig): Promise<RunningApp> {
  const behind = await findFreePort();
  const site = createServer(({ url, headers }, response) => {
    const [sub, name, email] = ["sub", "name", "email"].map((claim) => headers[`oidc_claim_${claim}`]);
    response.end(JSON.stringify(url?.startsWith("/bye") ? { isSignedOut: true } : { sub, name, email }));
  }).listen(behind, "127.0.0.1");
  const folder = await mkdtemp(join(tmpdir(), "trivet-apache-"));
  // As root Apache gives its workers to another user, who has to come in here.
  await chmod(folder, 0o755);
  const file = join(folder, "apache2.conf");
  await writeFile(file, toApacheConfig(config, behind));
  const args = ["-d", folder, "-f", file, "-D", "FOREGROUND"];
  const apache = spawn("/usr/sbin/apache2", args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [apache.stdout, apache.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const stop = async (): Promise<void> => {
    if (apache.exitCode === null) {
      const ended = once(apache, "exit");
      apache.kill("SIGTERM");
      await ended;
    }
    site.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await eventually(() => fetch(`${config.url}/bye`));
  } catch (error) {
    await stop();
    throw new Error(`Apache does not start: ${output}`, { cause: error });
  }
  return { stop, output: () => output + readFileSync(join(folder, "error.log"), "utf8") };
}

const apacheApp: WebApp = {
  name: "mod_auth_openidc",
  canSignOut: true,
  backchannel: "/callback?logout=backchannel",
  signOutPath: (url) => `/callback?logout=${encodeURIComponent(`${url}/bye`)}`,
};

/** What can be tried here, and what cannot, with the package that it needs. */
export async function findDebianTrials(): Promise<{ trials: Trial[]; skipped: string[] }> {
  const trials: Trial[] = [];
  const skipped: string[] = [];
  // Debian's own, which has its packages, whatever precedes it in PATH.
  const python = "/usr/bin/python3";
  const asked = ["-c", "import authlib.integrations.requests_client"];
  const { code } = await runProcess({ command: python, args: asked });
  if (code === 0)
    trials.push(
      toTrial(
        { name: "Authlib", canRenew: true },
        toStart("authlib_client.py", { runner: [python], cwd: appsFolder }),
      ),
    );
  else skipped.push("Authlib: apt-get install python3-authlib python3-requests");
  const hasModule = await access(`${MODULES}/mod_auth_openidc.so`).then(
    () => true,
    () => false,
  );
  if (hasModule && findProgram("apache2", ["/usr/sbin"]) !== undefined)
    trials.push(toTrial(apacheApp, startApache));
  else skipped.push("mod_auth_openidc: apt-get install apache2 libapache2-mod-auth-openidc");
  if (findProgram("oidc-gen") !== undefined) trials.push(oidcAgentTrial);
  else skipped.push("oidc-agent: apt-get install oidc-agent-cli");
  return { trials, skipped };
}
