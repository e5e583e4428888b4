/** A center in a process of its own with one account, for clients that others wrote. */
import assert from "node:assert/strict";
import { z } from "zod";
import { findFreePort } from "../../support/free-ports.ts";
import { type Page, createVisitor } from "../../support/page-visitor.ts";
import { type Programs, type Runner, createPrograms } from "../../support/program.ts";

const ADMIN_TOKEN = "admin-token-of-the-laboratory";
export const PASSWORD = "correct horse battery staple";
export const USERNAME = "ann";

const userSchema = z.object({ id: z.string() });
const clientSchema = z.object({ secret: z.string().optional() });
const claimsSchema = z.object({ sub: z.string(), name: z.string(), email: z.string() });

/** The configuration of an application, as CLIENT in its environment. */
export interface ClientConfig {
  readonly issuer: string;
  readonly id: string;
  readonly secret: string | undefined;
  /** Where the application is, without a slash at its end. */
  readonly url: string;
  readonly port: number;
}

/** A person at a browser without a screen; what leads to an app's own scheme is not opened, and is the page's address. */
export interface Person {
  /** Opens an address, or sends a form to it, and follows; gives the password where the center asks for it. */
  enter(address: string, form?: Readonly<Record<string, string>>): Promise<Page & { isAsked: boolean }>;
  /** Allows what the page of the center asks. */
  allow(page: Page): Promise<Page>;
  /** Signs out at the center, which tells the applications. */
  signOut(): Promise<void>;
}

export interface Lab {
  readonly issuer: string;
  /** Registers an application on a free port, with fields beside its id and name, which may use its address. */
  register(id: string, toFields: (url: string) => Readonly<Record<string, unknown>>): Promise<ClientConfig>;
  /** Registers a resource, with scopes that applications may request there. */
  registerResource(identifier: string, scopes: readonly string[]): Promise<void>;
  /** Changes fields of an application. */
  change(id: string, fields: Readonly<Record<string, unknown>>): Promise<void>;
  openPerson(): Person;
  /** Throws unless these are the claims of the account. */
  checkClaims(said: unknown): void;
  stop(): Promise<void>;
}

/** One trial of one client. */
export interface Trial {
  readonly name: string;
  /** Runs it; resolves with what was done. Rejects when the client is not content. */
  run(lab: Lab): Promise<string>;
}

/** The value of a hidden field of the page. */
function readHidden({ body }: Page, name: string): string {
  const found = new RegExp(`type="hidden" name="${name}" value="([^"]*)"`, "u").exec(body)?.[1];
  return (found ?? "").replaceAll("&amp;", "&");
}

function createPerson(issuer: string): Person {
  const visitor = createVisitor();
  return {
    enter: async (address, form) => {
      const page = await visitor.open(address, form);
      if (page.url.origin !== issuer || page.url.pathname !== "/sign-in") return { ...page, isAsked: false };
      const fields = { identifier: USERNAME, password: PASSWORD, rd: readHidden(page, "rd") };
      return { ...(await visitor.open(`${issuer}/sign-in`, fields)), isAsked: true };
    },
    allow: (page) => {
      const action =
        /<form[^>]* action="(\/oauth\/authorize[^"]*)"/u.exec(page.body)?.[1] ?? page.url.pathname;
      const hidden = [...page.body.matchAll(/type="hidden" name="(\w+)"/gu)].map(([, name = ""]) => name);
      const fields = Object.fromEntries(hidden.map((name) => [name, readHidden(page, name)]));
      return visitor.open(new URL(action, issuer).href, { ...fields, answer: "allow" });
    },
    signOut: async () => {
      const { url } = await visitor.open(`${issuer}/sign-out`, {});
      assert.equal(url.pathname, "/signed-out");
    },
  };
}

/** Starts the center on this runtime, or as told. */
export async function openLab(runner?: Runner): Promise<Lab> {
  const port = await findFreePort();
  const issuer = `http://localhost:${port}`;
  const programs: Programs = await createPrograms(["auth"], runner);
  const run = programs.run({
    LOG_LEVEL: "warn",
    AUTH_PORT: String(port),
    AUTH_PUBLIC_URL: issuer,
    ADMIN_TOKEN,
    // The applications that it tells of sign-outs are on loopback.
    NOTIFY_PRIVATE: "1",
  });
  const url = await programs.authUrl(run);
  async function admin<T>(schema: z.ZodType<T>, path: string, body: object, isChange = false): Promise<T> {
    const answer = await fetch(url + path, {
      method: isChange ? "PATCH" : "POST",
      headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
    return schema.parse(await answer.json());
  }
  const account = { username: USERNAME, email: `${USERNAME}@example.org`, password: PASSWORD };
  const { id: sub } = await admin(userSchema, "/api/admin/users", { ...account, emailVerified: true });
  return {
    issuer,
    register: async (id, toFields) => {
      const own = await findFreePort();
      const at = `http://127.0.0.1:${own}`;
      const fields = { id, name: id, ...toFields(at) };
      const { secret } = await admin(clientSchema, "/api/admin/clients", fields);
      return { issuer, id, secret, url: at, port: own };
    },
    change: async (id, fields) => {
      await admin(z.object({}), `/api/admin/clients/${id}`, fields, true);
    },
    registerResource: async (identifier, names) => {
      const scopes = names.map((name) => ({ name, title: name }));
      await admin(z.object({}), "/api/admin/resources", { identifier, title: identifier, scopes });
    },
    openPerson: () => createPerson(issuer),
    checkClaims: (said) => {
      const { email } = account;
      assert.deepEqual(claimsSchema.parse(said), { sub, name: USERNAME, email });
    },
    stop: () => programs.dispose(),
  };
}
