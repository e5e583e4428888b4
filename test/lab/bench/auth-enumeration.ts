/**
 * Whether the time of an answer tells that an address has an account: the same request for known and unknown
 * ones in turn, one at a time, each from another client address so that no limit plays a part.
 * `npm run bench -- auth-enumeration`
 */
import { type AuthProgram, startAuthProgram } from "./auth-program.ts";
import { type Bench, type BenchRow, median } from "./measure.ts";
import { PEER_PASSWORD } from "./peer-process.ts";

const ACCOUNTS = 5_000;
const WARM_UP = 50;
/** How far the medians may lie apart. */
const MOST = 0.1;

interface Probe {
  readonly name: string;
  readonly path: string;
  readonly status: number;
  body(address: string, n: number): unknown;
}

const probes: readonly Probe[] = [
  {
    name: "register",
    path: "/api/auth/register",
    status: 202,
    body: (email, n) => ({ email, username: `probe-${n}`, password: PEER_PASSWORD }),
  },
  { name: "password/forgot", path: "/api/auth/password/forgot", status: 202, body: (email) => ({ email }) },
  {
    name: "email/send-code",
    path: "/api/auth/email/send-code",
    status: 202,
    body: (email) => ({ email, purpose: "login" }),
  },
  {
    name: "login, wrong password",
    path: "/api/auth/login",
    status: 401,
    body: (identifier) => ({ identifier, password: "a wrong one of some length" }),
  },
];

let requests = 0;

/** Milliseconds that one answer took. */
async function time(program: AuthProgram, probe: Probe, address: string): Promise<number> {
  requests += 1;
  const from = `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}`;
  const startMs = performance.now();
  const response = await fetch(`${program.url}${probe.path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from },
    body: JSON.stringify(probe.body(address, requests)),
  });
  await response.arrayBuffer();
  const ms = performance.now() - startMs;
  if (response.status !== probe.status) throw new Error(`${probe.name} answered ${response.status}`);
  return ms;
}

async function compare(
  program: AuthProgram,
  probe: Probe,
  pairs: { first: number; count: number },
): Promise<BenchRow> {
  const known: number[] = [];
  const unknown: number[] = [];
  for (let n = pairs.first; n < pairs.first + pairs.count + WARM_UP; n += 1) {
    const knownMs = await time(program, probe, `person-${n}@example.org`);
    const unknownMs = await time(program, probe, `nobody-${n}@example.org`);
    if (n < pairs.first + WARM_UP) continue;
    known.push(knownMs);
    unknown.push(unknownMs);
  }
  const ours = median(known);
  const other = median(unknown);
  return {
    name: `${probe.name}, an address with an account, ${pairs.count} pairs`,
    unit: "ms",
    ours,
    other: { name: "without", value: other },
    target: "within 10 %",
    isReached: Math.abs(ours / other - 1) <= MOST,
  };
}

/** Medians for known and unknown addresses, route by route. */
export const benchEnumeration: Bench = async ({ rounds }) => {
  const program = await startAuthProgram({
    accounts: ACCOUNTS,
    sessions: ACCOUNTS,
    isVerificationRequired: true,
    env: { TRUSTED_PROXIES: "127.0.0.1" },
  });
  const count = 100 * rounds;
  try {
    const rows: BenchRow[] = [];
    // Each probe has its own accounts: no mailbox gets two emails in a minute.
    for (const [index, probe] of probes.entries())
      rows.push(await compare(program, probe, { first: index * (count + WARM_UP), count }));
    return rows;
  } finally {
    await program.stop();
  }
};
