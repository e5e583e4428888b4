/** Whether the public addresses lead to the services also from this machine, and the proxy in front of them is trusted. */
import { type ServiceName, serviceTraits } from "../../kit/services.ts";
import { textOf } from "../../kit/thrown.ts";
import { type Finding, createFindings } from "./finding.ts";
import { SHARED_ORIGIN_ADVICE, findSharedOrigin } from "./shared-origin.ts";
import { type DoctorPlace, ask } from "./place.ts";
import { findCode, readHealth } from "./services.ts";

const address = createFindings("public address");
const passkeys = createFindings("passkeys");
const proxy = createFindings("proxy");
const clock = createFindings("clock");

/** Errors of a certificate from an authority that Node does not know. */
const UNKNOWN_CA = /^(?:UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|CERT_UNTRUSTED)/u;
const MAX_CLOCK_MS = 60_000;

/** Why an address cannot be reached from here. */
function explain(url: string, error: unknown): Finding {
  const { hostname } = new URL(url);
  const code = findCode(error);
  if (UNKNOWN_CA.test(code) || /UnknownIssuer/u.test(textOf(error)))
    return address.warning(
      `The certificate of ${url} is from an unknown authority (${code || "UnknownIssuer"})`,
      "Set NODE_EXTRA_CA_CERTS to the root certificate file of that authority where Trivet starts. Agents need the file too",
    );
  if (/CERT|ALTNAME/u.test(code))
    return address.problem(
      `The certificate of ${url} is invalid: ${textOf(error)}`,
      "Renew the certificate. Check that it covers this name and that the clock is correct",
    );
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return address.warning(
      `The name ${hostname} cannot be resolved on this machine`,
      "Check the DNS record. If the name is only for other machines, no change is needed: the services of this install connect locally",
    );
  return address.warning(
    `${url} is not reachable from this machine: ${textOf(error)}`,
    "Check that the proxy runs. Behind a router without hairpin NAT, this is normal for this machine, and the services connect locally. Test the URL from another network",
  );
}

/** Browsers want TLS, but not on the machine itself, and a name in place of a number (Web Authentication Level 3 section 5.1.4). */
function takesPasskeys(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  const isNumber = /^(?:[\d.]+|\[.*\])$/u.test(hostname);
  return !isNumber && (protocol === "https:" || /(?:^|\.)localhost$/u.test(hostname));
}

async function checkPasskeys(place: DoctorPlace, url: string): Promise<Finding> {
  if (!takesPasskeys(url))
    return passkeys.warning(
      `Browsers offer no passkeys at ${url}`,
      "Passkeys need https and a host name. Put a proxy with TLS in front and set AUTH_PUBLIC_URL",
    );
  const path = `${url}/sign-in/passkey/options`;
  try {
    // Without a form this is rejected; only the sender of the response matters.
    const { status, json } = await ask(place, path, { method: "POST", body: new URLSearchParams() });
    const isOurs = typeof json === "object" && json !== null && status !== 404;
    if (isOurs) return passkeys.ok(`The passkey URL responds (${path})`);
    return passkeys.problem(
      `${path} does not lead to the auth center (status ${status})`,
      "Configure the proxy to forward every path under the public URL, including POST requests",
    );
  } catch (error) {
    return passkeys.problem(
      `${path} does not respond: ${textOf(error)}`,
      "Check the proxy's rule for this path",
    );
  }
}

function checkClock({ now }: DoctorPlace, date: number | undefined): Finding[] {
  const aheadMs = date === undefined ? 0 : now() - date;
  if (Math.abs(aheadMs) <= MAX_CLOCK_MS) return [];
  const side = aheadMs > 0 ? "ahead of" : "behind";
  return [
    clock.problem(
      `The clock of this machine is ${Math.round(Math.abs(aheadMs) / 1_000)} s ${side} the clock of the public URL`,
      "Synchronize the clock with NTP (timedatectl set-ntp true)",
    ),
  ];
}

async function checkAddress(
  place: DoctorPlace,
  service: ServiceName,
  isRunning: boolean,
): Promise<Finding[]> {
  const { url } = place.config.places[service];
  if (url === undefined) return [];
  try {
    const { status, json, date } = await ask(place, `${url}/api/health`);
    if (readHealth(json) !== undefined)
      return [
        address.ok(`${url} leads to the ${service}, and its certificate is trusted`),
        ...checkClock(place, date),
        ...(service === "auth" ? [await checkPasskeys(place, url)] : []),
      ];
    // A proxy says so of a service that is stopped.
    if (!isRunning && status >= 500) return [];
    return [
      address.problem(
        `${url} responds with status ${status}, but is not the ${service}`,
        `Check ${serviceTraits[service].publicUrl} and the proxy's rule: it must forward the host name and the full path`,
      ),
    ];
  } catch (error) {
    return [explain(url, error)];
  }
}

/** Whether visitors' addresses come through. */
async function checkProxy({ config, services, observe }: DoctorPlace): Promise<Finding> {
  for (const service of services) {
    const seen = (await observe(service))?.untrustedProxy;
    if (seen !== undefined)
      return proxy.warning(
        `Requests come from ${seen}, which forwards visitors' IP addresses but is not in TRUSTED_PROXIES. All visitors share its rate limits and lockouts`,
        `If ${seen} is your proxy, set TRUSTED_PROXIES=${[...config.trustedProxies, seen].join(",")} and restart`,
      );
  }
  if (config.trustedProxies.length > 0)
    return proxy.ok(`Visitors' IP addresses are accepted from ${config.trustedProxies.join(", ")}`);
  return proxy.ok("No untrusted proxy has been seen");
}

/** Checks the public URLs. */
export async function checkAddresses(
  place: DoctorPlace,
  running: readonly ServiceName[],
): Promise<Finding[]> {
  const { config, services } = place;
  const found = await Promise.all(
    services.map((service) => checkAddress(place, service, running.includes(service))),
  );
  const none = services.every((service) => config.places[service].url === undefined);
  const unset = address.warning(
    "No public URL is set. Links, cookies and enrollment commands use the URL of each request",
    "Set PUBLIC_URL, AUTH_PUBLIC_URL and SHOP_PUBLIC_URL before people access Trivet from other machines",
  );
  const shared = findSharedOrigin(config, services);
  const oneSite = shared === undefined ? [] : [address.warning(shared, SHARED_ORIGIN_ADVICE)];
  return [...(none ? [unset] : found.flat()), ...oneSite, await checkProxy(place)];
}
