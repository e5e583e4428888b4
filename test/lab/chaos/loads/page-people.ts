/**
 * People at the pages of the auth center: they sign in by the form, are signed in at an application by OpenID Connect,
 * which renews its token and asks who they are, and sign out.
 */
import { z } from "zod";
import { ADMIN_TOKEN } from "../../../shop/kill-load.ts";
import { createVisitor } from "../../../support/page-visitor.ts";
import { ask } from "../requests.ts";
import type { Load } from "./load.ts";
import { type Persons, Refused, assertNow, keepOn } from "./patience.ts";

const PASSWORD = "correct horse battery staple";
const REDIRECT = "https://board.example.org/auth/callback";
const VERIFIER = "w".repeat(43);
const CLIENT = "board";
/** How many tokens are issued before a user signs out. */
const GRANTS_EACH = 2;

const tokensSchema = z.object({ access_token: z.string(), refresh_token: z.string() });
type Tokens = z.infer<typeof tokensSchema>;
type Visitor = ReturnType<typeof createVisitor>;

interface Person {
  readonly name: string;
  /** Signed in, as far as was acknowledged. */
  visitor?: Visitor | undefined;
  /** What was given to the application in this session. */
  grants: Grant[];
}

/** What an application was given: a code that is spent, and the token that it renewed last. */
interface Grant {
  readonly code: string;
  refreshToken: string;
  /** A renewal got no answer, so that the token may be spent, or a sign-out, which ends it. */
  isInDoubt: boolean;
  /** Of a session that was signed out. */
  isEnded?: boolean;
}

/** An address of its own for each person; the programs trust what 127.0.0.1 says. */
const toHeaders = (n: number) => ({ "x-forwarded-for": `10.9.${(n >> 8) & 255}.${n & 255}` });

/** Creates a load with this many people. */
export function createPagePeople(persons: Persons): Load {
  const people: Person[] = [];
  const grants: Grant[] = [];
  const signedOut: Visitor[] = [];
  const sum = { "sign-ins by the form": 0, "codes redeemed": 0, "OpenID renewals": 0, "sign-outs": 0 };
  let basic = "";
  let query = "";

  async function redeem(url: string, fields: Readonly<Record<string, string>>): Promise<Tokens | undefined> {
    const response = await fetch(`${url}/oauth/token`, {
      method: "POST",
      headers: { authorization: basic },
      body: new URLSearchParams(fields),
    });
    const body: unknown = await response.json();
    assertNow(response.status);
    if (response.status === 200) return tokensSchema.parse(body);
    if (Reflect.get(Object(body), "error") === "invalid_grant") return undefined;
    throw new Error(`the token endpoint answered ${response.status} ${JSON.stringify(body)}`);
  }
  const toCodeFields = (code: string) => ({
    grant_type: "authorization_code",
    code,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
  });

  async function signIn(url: string, person: Person, visitor: Visitor): Promise<void> {
    const page = await visitor.open(`${url}/sign-in`);
    assertNow(page.status);
    const entry = await visitor.open(`${url}/sign-in`, { identifier: person.name, password: PASSWORD });
    assertNow(entry.status);
    if (entry.url.pathname !== "/account") throw new Error(`a sign-in led to ${entry.url.pathname}`);
    person.visitor = visitor;
    person.grants = [];
    sum["sign-ins by the form"] += 1;
  }

  async function signOut(url: string, person: Person, visitor: Visitor): Promise<void> {
    // From here on the state is unknown, until it is acknowledged.
    person.visitor = undefined;
    for (const grant of person.grants) grant.isInDoubt = true;
    const kept = new Map(visitor.cookies);
    const page = await visitor.open(`${url}/sign-out`, {});
    assertNow(page.status);
    if (page.url.pathname !== "/signed-out") throw new Error(`a sign-out led to ${page.url.pathname}`);
    const again = createVisitor();
    for (const [name, value] of kept) again.cookies.set(name, value);
    signedOut.push(again);
    for (const grant of person.grants) grant.isEnded = true;
    sum["sign-outs"] += 1;
  }

  /** Through the center with the session's cookie, and back with a code, which the application redeems. */
  async function enter(url: string, person: Person, visitor: Visitor): Promise<void> {
    const [page, next] = await visitor.send(new URL(`${url}/oauth/authorize?${query}`));
    assertNow(page.status);
    const answer = next === undefined ? undefined : new URL(next, url).searchParams;
    if (answer?.get("error") === "temporarily_unavailable") throw new Refused("no code now");
    const code = answer?.get("code");
    if (code === undefined || code === null) throw new Error(`${person.name} was signed in and got no code`);
    const tokens = await redeem(url, toCodeFields(code));
    if (tokens === undefined) throw new Error("a fresh code was refused");
    const grant: Grant = { code, refreshToken: tokens.refresh_token, isInDoubt: true };
    grants.push(grant);
    person.grants.push(grant);
    sum["codes redeemed"] += 1;
    const renewed = await redeem(url, { grant_type: "refresh_token", refresh_token: grant.refreshToken });
    if (renewed === undefined) throw new Error("a fresh refresh token was refused");
    Object.assign(grant, { refreshToken: renewed.refresh_token, isInDoubt: false });
    sum["OpenID renewals"] += 1;
    const headers = { authorization: `Bearer ${renewed.access_token}` };
    const { status } = await ask(`${url}/oauth/userinfo`, { headers });
    if (status === 401) throw new Error("an access token of an answered renewal was refused");
  }

  async function checkGrant(
    url: string,
    { code, refreshToken, isInDoubt, isEnded }: Grant,
  ): Promise<string[]> {
    const problems: string[] = [];
    const renewed = await redeem(url, { grant_type: "refresh_token", refresh_token: refreshToken });
    if (renewed === undefined && !isInDoubt) problems.push("a refresh token of OpenID Connect is lost");
    if (renewed !== undefined && isEnded === true) problems.push("a sign-out left a refresh token");
    if ((await redeem(url, toCodeFields(code))) !== undefined) problems.push("a code was redeemed twice");
    return problems;
  }

  return {
    prepare: async (url) => {
      const headers = { "x-admin-token": ADMIN_TOKEN };
      const client = { id: CLIENT, name: "Board", redirectUris: [REDIRECT] };
      const made = await ask(`${url}/api/admin/clients`, { method: "POST", headers, body: client });
      const { secret } = z.object({ secret: z.string() }).parse(made.json);
      basic = `Basic ${btoa(`${CLIENT}:${secret}`)}`;
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(VERIFIER));
      query = new URLSearchParams({
        response_type: "code",
        client_id: CLIENT,
        redirect_uri: REDIRECT,
        state: "s",
        scope: "openid profile email",
        nonce: "n",
        code_challenge_method: "S256",
        code_challenge: Buffer.from(digest).toString("base64url"),
      }).toString();
      for (let n = 0; n < persons.count; n += 1) {
        const name = `visitor-${n}`;
        const body = {
          username: name,
          email: `${name}@example.org`,
          emailVerified: true,
          password: PASSWORD,
        };
        const { status } = await ask(`${url}/api/admin/users`, { method: "POST", headers, body });
        if (status !== 201) throw new Error(`an account was answered with ${status}`);
        people.push({ name, grants: [] });
      }
    },
    go: (url, isOver) =>
      keepOn(persons, {
        isOver,
        step: async (n) => {
          const person = people[n];
          if (person === undefined) return;
          const { visitor } = person;
          if (visitor === undefined) await signIn(url, person, createVisitor(toHeaders(n)));
          else if (person.grants.length >= GRANTS_EACH) await signOut(url, person, visitor);
          else await enter(url, person, visitor);
        },
      }),
    verify: async (url) => {
      const problems: string[] = [];
      for (const { name, visitor } of people) {
        if (visitor === undefined) continue;
        const page = await visitor.open(`${url}/account`);
        if (page.url.pathname !== "/account") problems.push(`the session of ${name} is lost`);
      }
      for (const visitor of signedOut) {
        const page = await visitor.open(`${url}/account`);
        if (page.url.pathname === "/account") problems.push("somebody who signed out is signed in");
      }
      for (const grant of grants) problems.push(...(await checkGrant(url, grant)));
      return problems;
    },
    counts: () => sum,
  };
}
