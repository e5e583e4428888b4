/**
 * Sign-ins of people who are signed in at the center already, beside oidc-provider with its memory adapter, and introspection.
 * `npm run bench -- openid`
 */
import assert from "node:assert/strict";
import { z } from "zod";
import { type AuthProgram, browser, startAuthProgram } from "./auth-program.ts";
import { type LoadOptions, type LoadResult, runLoad } from "./load.ts";
import { type Bench, type Effort, median } from "./measure.ts";
import type { OpenidTarget } from "./openid-plan.ts";
import { type ProcessUsage, PEER_PASSWORD, startOidcProvider } from "./peer-process.ts";

const PEOPLE = 32;
const CONNECTIONS = 32;
const SESSIONS = 10_000;
const REDIRECT = "http://127.0.0.1:1/callback";
const VERIFIER = "v".repeat(43);
const PEER = "oidc-provider, memory adapter";
const FORM = "application/x-www-form-urlencoded";

/** A center to ask. */
interface Side {
  readonly url: string;
  readonly target: OpenidTarget;
  /** The introspection endpoint, and the tokens to check. */
  readonly introspection: { readonly path: string; readonly tokens: readonly string[] };
  usage(): Promise<ProcessUsage>;
  stop(): Promise<void>;
}

const clientSchema = z.object({ secret: z.string() });

async function toTarget(
  paths: Pick<OpenidTarget, "tokenPath" | "userinfoPath"> & { readonly authorize: string },
  { secret, cookies }: { secret: string; cookies: string[] },
): Promise<OpenidTarget> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(VERIFIER));
  const query = new URLSearchParams({
    client_id: "bench",
    redirect_uri: REDIRECT,
    response_type: "code",
    scope: "openid profile email",
    state: "s",
    nonce: "n",
    code_challenge: Buffer.from(digest).toString("base64url"),
    code_challenge_method: "S256",
  });
  const { authorize, ...others } = paths;
  return {
    ...others,
    authorizePath: `${authorize}?${query.toString()}`,
    cookies,
    basic: `Basic ${btoa(`bench:${secret}`)}`,
    redirectUri: REDIRECT,
    verifier: VERIFIER,
  };
}

/** Signs a user in with the form; returns the session's cookies. */
async function signIn({ url }: AuthProgram, n: number): Promise<string> {
  const answer = await fetch(`${url}/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { ...browser, "content-type": FORM },
    body: new URLSearchParams({ identifier: `person-${n}@example.org`, password: PEER_PASSWORD }).toString(),
  });
  assert.equal(answer.status, 303, await answer.text());
  const given = answer.headers.getSetCookie().map((line) => line.slice(0, line.indexOf(";")));
  return [browser.cookie, ...given].join("; ");
}

async function startOurs(): Promise<Side> {
  const program = await startAuthProgram({ accounts: 1_000, sessions: SESSIONS });
  const made = await program.admin("/api/admin/clients", {
    id: "bench",
    name: "Bench",
    redirectUris: [REDIRECT],
  });
  const { secret } = clientSchema.parse(made);
  const cookies: string[] = [];
  for (let n = 0; n < PEOPLE; n += 1) cookies.push(await signIn(program, n));
  const paths = { authorize: "/oauth/authorize", tokenPath: "/oauth/token", userinfoPath: "/oauth/userinfo" };
  return {
    url: program.url,
    target: await toTarget(paths, { secret, cookies }),
    introspection: { path: "/api/auth/introspect", tokens: program.accessTokens },
    usage: () => program.usage(),
    stop: () => program.stop(),
  };
}

/** One access token of the peer: its memory holds the thousand records that were used last, and no more. */
async function getToken(url: string, target: OpenidTarget): Promise<string> {
  const headers = { cookie: target.cookies[0] ?? "" };
  const answer = await fetch(url + target.authorizePath, { headers, redirect: "manual" });
  const code = new URL(answer.headers.get("location") ?? "").searchParams.get("code") ?? "";
  const given = await fetch(url + target.tokenPath, {
    method: "POST",
    headers: { authorization: target.basic },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
    }),
  });
  return z.object({ access_token: z.string() }).parse(await given.json()).access_token;
}

async function startPeer(): Promise<Side> {
  const secret = "a-secret-of-the-benchmarks";
  const { url, cookies, usage, stop } = await startOidcProvider({
    people: PEOPLE,
    redirectUri: REDIRECT,
    secret,
  });
  const paths = { authorize: "/auth", tokenPath: "/token", userinfoPath: "/me" };
  const target = await toTarget(paths, { secret, cookies });
  const tokens = [await getToken(url, target)];
  return { url, target, introspection: { path: "/token/introspection", tokens }, usage, stop };
}

interface Result {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly cpuMs: number;
}

/** What one round took, for each of which `requests` belong together. @throws when an answer was a refusal */
async function measure(side: Side, load: LoadOptions, requests: number): Promise<Result> {
  const before = await side.usage();
  const result: LoadResult = await runLoad(load);
  const after = await side.usage();
  const refused = Object.keys(result.statuses).filter((status) => !["200", "302", "303"].includes(status));
  if (refused.length > 0 || result.errors > 0)
    throw new Error(`Refused: ${JSON.stringify(result.statuses)}, ${result.errors} errors`);
  const answers = Object.values(result.statuses).reduce((sum, count) => sum + count, 0);
  const cpuMs = (after.cpuMicroseconds - before.cpuMicroseconds) / 1_000 / (answers / requests);
  return { perSecond: result.perSecond / requests, p99Ms: result.p99Ms, cpuMs };
}

const signInLoad = ({ url, target }: Side, seconds: number): LoadOptions => ({
  url,
  connections: CONNECTIONS,
  seconds,
  warmupSeconds: 2,
  plan: new URL("openid-plan.ts", import.meta.url),
  planData: target,
});
const introspectionLoad = ({ url, target, introspection }: Side, seconds: number): LoadOptions => ({
  url: url + introspection.path,
  method: "POST",
  connections: 16,
  seconds,
  warmupSeconds: 1,
  headers: { authorization: target.basic, "content-type": FORM },
  body: "token={value}",
  values: introspection.tokens,
});

/** Both sides in turn; medians of each. */
async function compare(
  sides: readonly Side[],
  { seconds, rounds }: Effort,
  [toLoad, requests]: readonly [(side: Side, seconds: number) => LoadOptions, number],
): Promise<[ours: Result, peer: Result]> {
  const results = sides.map((): Result[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, side] of sides.entries())
      results[index]?.push(await measure(side, toLoad(side, seconds), requests));
  const [ours, peer] = results.map((all): Result => {
    const of = (name: keyof Result): number => median(all.map((one) => one[name]));
    return { perSecond: of("perSecond"), p99Ms: of("p99Ms"), cpuMs: of("cpuMs") };
  });
  if (ours === undefined || peer === undefined) throw new Error("A side is missing");
  return [ours, peer];
}

const describe = ({ cpuMs, p99Ms }: Result): string =>
  `${cpuMs.toFixed(2)} ms CPU each, p99 of a request ${p99Ms.toFixed(1)} ms`;

/** Sign-ins and introspection. */
export const benchOpenid: Bench = async (effort) => {
  const sides: Side[] = [];
  try {
    for (const start of [startOurs, startPeer]) sides.push(await start());
    const rows = [
      ["authorize, token and userinfo of a signed-in person", [signInLoad, 3], 300],
      ["introspection", [introspectionLoad, 1], 5_000],
    ] as const;
    const done = [];
    for (const [name, work, target] of rows) {
      const [ours, peer] = await compare(sides, effort, work);
      done.push({
        name,
        unit: "/s",
        ours: ours.perSecond,
        other: { name: PEER, value: peer.perSecond },
        target: `≥ ${target.toLocaleString("en")}/s`,
        isReached: ours.perSecond >= target,
        note: `${describe(ours)}; ${PEER} ${describe(peer)}`,
      });
    }
    return done;
  } finally {
    for (const side of sides) await side.stop();
  }
};
