/** Asks a registry for a domain over RDAP (RFC 9082 section 3.1.3, RFC 9083 section 5.3). */
import { z } from "zod";
import { findUrlFault } from "../../outbound/outbound.ts";
import { type Answer, hostOf, runExchange } from "../../outbound/outbound-exchange.ts";
import { findRedirect } from "../../outbound/redirect.ts";
import { tryAddresses } from "../../outbound/try-addresses.ts";
import type { Try } from "../try.ts";

const MAX_REDIRECTS = 5;
const MAX_BODY_BYTES = 262_144;
/** A registration lasts ten years; a date beyond a hundred is a mistake. */
const FARTHEST_MS = 100 * 365.25 * 86_400_000;

const objectSchema = z.object({
  ldhName: z.string().optional(),
  status: z.array(z.string()).catch([]),
  events: z.array(z.object({ eventAction: z.string(), eventDate: z.string() }).or(z.unknown())).catch([]),
});

/** What a registry says of a domain. */
export interface Registration {
  /** Epoch milliseconds; undefined: it gives no date. */
  readonly expiresAt: number | undefined;
  /** Such as "client hold", in lower case. */
  readonly statuses: readonly string[];
}

/** The registry gave no usable answer. */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
  /** How long it wants no queries, milliseconds; 0: it does not say. */
  readonly waitMs: number;

  constructor(message: string, waitMs = 0) {
    super(message);
    this.waitMs = waitMs;
  }
}

/** Seconds or a date (RFC 9110 section 10.2.3) as milliseconds from `now`; 0 for anything else. */
function toWait(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  const ms = /^\d{1,9}$/u.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

async function request(run: Try, url: URL): Promise<Answer> {
  const addresses = await run.findAddresses(hostOf(url));
  run.begin("connect");
  return tryAddresses(addresses, {
    signal: run.signal,
    attempt: (address, connectMs) =>
      runExchange({
        url,
        address,
        connectMs,
        method: "GET",
        headers: { accept: "application/rdap+json", "user-agent": run.context.userAgent },
        body: undefined,
        maxBodyBytes: MAX_BODY_BYTES,
        httpVersions: "both",
        signal: run.signal,
        ca: run.context.ca,
      }),
  });
}

async function follow(run: Try, first: URL): Promise<Answer> {
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await request(run, url);
    const next = findRedirect(answer, { url, method: "GET" });
    if (next === undefined) return answer;
    const isDowngrade = url.protocol === "https:" && next.url.protocol === "http:";
    if (isDowngrade || findUrlFault(next.url.href) !== undefined)
      throw new RegistryError("The registry redirects to an invalid URL");
    url = next.url;
  }
  throw new RegistryError(`The registry redirects more than ${MAX_REDIRECTS} times`);
}

function findExpiry(events: readonly unknown[], now: number): number | undefined {
  const dates = events
    .map((event) => z.object({ eventAction: z.string(), eventDate: z.string() }).safeParse(event).data)
    .filter((event) => event?.eventAction.toLowerCase() === "expiration")
    .map((event) => Date.parse(event?.eventDate ?? ""))
    .filter((ms) => ms > 0 && ms < now + FARTHEST_MS);
  return dates.length === 0 ? undefined : Math.min(...dates);
}

function toRegistration({ text }: Answer, { domain, now }: { domain: string; now: number }): Registration {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new RegistryError("The response of the registry is not JSON");
  }
  const { data } = objectSchema.safeParse(json);
  if (data === undefined) throw new RegistryError("The response of the registry is not a domain");
  const name = data.ldhName?.toLowerCase().replace(/\.$/u, "");
  if (name !== undefined && name !== domain)
    throw new RegistryError(`The registry answered for another domain, "${name}"`);
  return {
    expiresAt: findExpiry(data.events, now),
    statuses: data.status.map((status) => status.toLowerCase().replaceAll(/[-_]/gu, " ")),
  };
}

/** The registration, or undefined of a domain that is not registered. @throws RegistryError, ProbeFailure */
export async function readDomain(
  run: Try,
  { server, domain }: { readonly server: string; readonly domain: string },
): Promise<Registration | undefined> {
  const base = server.endsWith("/") ? server : `${server}/`;
  try {
    const answer = await follow(run, new URL(`domain/${domain}`, base));
    const now = run.context.clock.now();
    if (answer.status === 404) return undefined;
    if (answer.status === 200 && answer.unread === undefined && answer.ending === "whole")
      return toRegistration(answer, { domain, now });
    if (answer.status !== 200)
      throw new RegistryError(
        `The registry responded with ${answer.status} ${answer.statusText}`.trim(),
        toWait(answer.retryAfter, now),
      );
    throw new RegistryError(answer.unread ?? "The response of the registry ended too early");
  } catch (error) {
    if (error instanceof RegistryError) throw error;
    const failure = run.toFailure(error);
    if (failure.fault === "forbidden" || failure.fault === "unsupported") throw failure;
    throw new RegistryError(`Registry: ${failure.message}`);
  }
}
