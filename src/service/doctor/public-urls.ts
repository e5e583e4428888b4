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

/** What a certificate of an authority that Node does not know fails with. */
const UNKNOWN_CA = /^(?:UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|CERT_UNTRUSTED)/u;
const MAX_CLOCK_MS = 60_000;

/** Why an address cannot be reached from here. */
function explain(url: string, error: unknown): Finding {
  const { hostname } = new URL(url);
  const code = findCode(error);
  if (UNKNOWN_CA.test(code) || /UnknownIssuer/u.test(textOf(error)))
    return address.warning(
      `The certificate of ${url} is from an authority that Trivet does not know (${code || "UnknownIssuer"})`,
      "Set NODE_EXTRA_CA_CERTS to the file of that authority's root certificate where Trivet starts; agents need it too",
    );
  if (/CERT|ALTNAME/u.test(code))
    return address.problem(
      `The certificate of ${url} is invalid: ${textOf(error)}`,
      "Renew the certificate, and check that it is for this name and that the clock is right",
    );
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return address.warning(
      `The name ${hostname} cannot be looked up from this machine`,
      "Check the DNS record. If the name is only for others, nothing has to change: services of this install talk locally",
    );
  return address.warning(
    `${url} is not reachable from this machine: ${textOf(error)}`,
    "Check that the proxy runs. Behind a router without hairpin NAT this is normal for this machine, and services of this install talk locally; open the address from another network",
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
      "Passkeys need https and a host name: put a proxy with TLS in front and set AUTH_PUBLIC_URL",
    );
  const path = `${url}/sign-in/passkey/options`;
  try {
    // Without a form of its own the answer is a refusal: that it comes from there is what counts.
    const { status, json } = await ask(place, path, { method: "POST", body: new URLSearchParams() });
    const isOurs = typeof json === "object" && json !== null && status !== 404;
    if (isOurs) return passkeys.ok(`The address for passkeys answers (${path})`);
    return passkeys.problem(
      `${path} does not lead to the auth center (status ${status})`,
      "Let the proxy pass every path below the public address on, with POST",
    );
  } catch (error) {
    return passkeys.problem(
      `${path} does not answer: ${textOf(error)}`,
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
      `The clock of this machine is ${Math.round(Math.abs(aheadMs) / 1_000)} s ${side} that of the public address`,
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
        address.ok(`${url} leads to the ${service}, and its certificate is known`),
        ...checkClock(place, date),
        ...(service === "auth" ? [await checkPasskeys(place, url)] : []),
      ];
    // A proxy says so of a service that is stopped.
    if (!isRunning && status >= 500) return [];
    return [
      address.problem(
        `${url} answers with status ${status}, but it is not the ${service}`,
        `Check ${serviceTraits[service].publicUrl} and the proxy's rule: it has to pass on the host name and the whole path`,
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
        `Requests come from ${seen}, which passes on visitors' addresses but is not in TRUSTED_PROXIES: all visitors share its limits and lock-outs`,
        `If ${seen} is your proxy, set TRUSTED_PROXIES=${[...config.trustedProxies, seen].join(",")} and restart`,
      );
  }
  if (config.trustedProxies.length > 0)
    return proxy.ok(`Visitors' addresses are taken from ${config.trustedProxies.join(", ")}`);
  return proxy.ok("No untrusted proxy has been seen");
}

/** Looks at the addresses by which people come. */
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
    "No public address is set: links, cookies and enrollment commands use the address of each request",
    "Set PUBLIC_URL, AUTH_PUBLIC_URL and SHOP_PUBLIC_URL once people come from other machines",
  );
  const shared = findSharedOrigin(config, services);
  const oneSite = shared === undefined ? [] : [address.warning(shared, SHARED_ORIGIN_ADVICE)];
  return [...(none ? [unset] : found.flat()), ...oneSite, await checkProxy(place)];
}
