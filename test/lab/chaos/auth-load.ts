/**
 * Users of an auth center who refresh their tokens, edit their profiles and register, and record the responses, while
 * the center may be down or reject requests at any moment; and what it owes them afterward.
 */
import { z } from "zod";
import { ADMIN_TOKEN } from "../../shop/kill-load.ts";
import { pause } from "./case.ts";

const PASSWORD = "correct horse battery staple";
const PAUSE_MS = 40;
const NOT_NOW = [429, 503];

const tokensSchema = z.object({ accessToken: z.string(), refreshToken: z.string() });
const problemSchema = z.object({ code: z.string() });
const pageSchema = z.object({
  items: z.array(z.object({ username: z.string() })),
  nextCursor: z.string().optional(),
});
const profileSchema = z.object({ bio: z.string().nullish() });

interface Person {
  readonly name: string;
  tokens: z.infer<typeof tokensSchema>;
  bio: number;
  /** A request was on its way when the center went, and got no answer. */
  isInDoubt: boolean;
}

export interface AuthLoad {
  /** Lets people sign up and in; once, in the first life. */
  prepare(url: string): Promise<void>;
  /** Goes on until `isOver`; gives how often it was refused or got no answer. */
  go(url: string, isOver: () => boolean): Promise<number>;
  /** What was acknowledged and is not there, in words; none when all is well. */
  verify(url: string): Promise<string[]>;
  counts(): { readonly accounts: number; readonly refreshes: number; readonly changes: number };
}

interface Answer {
  readonly status: number;
  readonly json: unknown;
}

interface Sending {
  readonly method?: string;
  readonly token?: string;
  readonly body?: unknown;
}

/** Thrown for what has no answer, or the answer "not now". */
class NotNow extends Error {
  override readonly name = "NotNow";
}

async function send(url: string, { method = "POST", token, body }: Sending): Promise<Answer> {
  const headers = {
    "x-admin-token": ADMIN_TOKEN,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  try {
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(url, { method, headers, ...text });
    const json: unknown = await response.json().catch(() => undefined);
    return { status: response.status, json };
  } catch (error) {
    throw new NotNow(String(error));
  }
}

function assertStatus({ status, json }: Answer, wanted: number): unknown {
  if (NOT_NOW.includes(status)) throw new NotNow(String(status));
  if (status !== wanted) throw new Error(`${status} in place of ${wanted}: ${JSON.stringify(json)}`);
  return json;
}

async function signUp(url: string, name: string): Promise<void> {
  const body = { username: name, email: `${name}@example.org`, emailVerified: true, password: PASSWORD };
  const answer = await send(`${url}/api/admin/users`, { body });
  // What got no answer may have been done.
  if (answer.status !== 409) assertStatus(answer, 201);
}

async function signIn(url: string, name: string): Promise<z.infer<typeof tokensSchema>> {
  const body = { identifier: name, password: PASSWORD };
  return tokensSchema.parse(assertStatus(await send(`${url}/api/auth/login`, { body }), 200));
}

/** Spends the refresh token and writes the next number into the profile. */
async function renew(url: string, person: Person): Promise<"refreshed" | "reused"> {
  const { refreshToken } = person.tokens;
  const answer = await send(`${url}/api/auth/refresh`, { body: { refreshToken } });
  const problem = problemSchema.safeParse(answer.json);
  // Used up half a minute ago by a request without a response: only signing in helps, as for everyone.
  if (person.isInDoubt && answer.status === 401 && problem.data?.code === "refresh_reused") return "reused";
  person.tokens = tokensSchema.parse(assertStatus(answer, 200));
  person.isInDoubt = false;
  return "refreshed";
}

/** What is wrong with a person's token and profile. */
async function checkPerson(url: string, person: Person): Promise<string[]> {
  const { name } = person;
  try {
    if ((await renew(url, person)) === "reused") person.tokens = await signIn(url, name);
  } catch (error) {
    return [`the token of ${name} is lost: ${String(error)}`];
  }
  const { accessToken: token } = person.tokens;
  const { json } = await send(`${url}/api/auth/profile`, { method: "GET", token });
  const { bio } = profileSchema.parse(json);
  const isThere = Number(bio ?? 0) >= person.bio && Number(bio ?? 0) <= person.bio + 1;
  return isThere ? [] : [`${name} wrote ${person.bio} and finds ${bio ?? "nothing"}`];
}

/** What is wrong with the list of accounts. */
async function checkAccounts(url: string, accounts: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  let cursor: string | undefined = "";
  while (cursor !== undefined) {
    const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { json } = await send(`${url}/api/admin/users?limit=100${query}`, { method: "GET" });
    const page = pageSchema.parse(json);
    for (const { username } of page.items) found.add(username);
    cursor = page.nextCursor;
  }
  return accounts.filter((name) => !found.has(name)).map((name) => `the account of ${name} is lost`);
}

/** Creates a load of concurrent users; `stepMs` between two steps of one. */
export function createAuthLoad({ people, stepMs = 0 }: { people: number; stepMs?: number }): AuthLoad {
  const persons: Person[] = [];
  const accounts: string[] = [];
  const sum = { refreshes: 0, changes: 0, tried: 0 };

  async function step(url: string, person: Person): Promise<void> {
    const { name } = person;
    if ((await renew(url, person)) === "reused") person.tokens = await signIn(url, name);
    else sum.refreshes += 1;
    person.isInDoubt = false;
    const body = { bio: String(person.bio + 1) };
    const path = `${url}/api/auth/profile`;
    assertStatus(await send(path, { method: "PATCH", token: person.tokens.accessToken, body }), 200);
    person.bio += 1;
    sum.changes += 1;
    if (person.bio % 10 !== 0) return;
    sum.tried += 1;
    const newcomer = `new-${sum.tried}`;
    await signUp(url, newcomer);
    accounts.push(newcomer);
  }

  return {
    prepare: async (url) => {
      for (let n = 1; n <= people; n += 1) {
        const name = `person-${n}`;
        await signUp(url, name);
        accounts.push(name);
        persons.push({ name, tokens: await signIn(url, name), bio: 0, isInDoubt: false });
      }
    },
    go: async (url, isOver) => {
      let refused = 0;
      const live = async (person: Person): Promise<void> => {
        while (!isOver()) {
          await step(url, person).catch(async (error: unknown) => {
            if (!(error instanceof NotNow)) throw error;
            refused += 1;
            person.isInDoubt = true;
            await pause(PAUSE_MS);
          });
          if (stepMs > 0) await pause(stepMs);
        }
      };
      await Promise.all(persons.map(live));
      return refused;
    },
    verify: async (url) => {
      const problems: string[] = [];
      for (const person of persons) problems.push(...(await checkPerson(url, person)));
      problems.push(...(await checkAccounts(url, accounts)));
      return problems;
    },
    counts: () => ({ accounts: accounts.length, refreshes: sum.refreshes, changes: sum.changes }),
  };
}
