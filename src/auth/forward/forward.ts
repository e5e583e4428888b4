/**
 * Sign-ins of browsers at sites that a proxy protects. A site's cookie names the session and is signed for this site:
 * it opens nothing else, nothing is stored for it, and all that ends the session ends it.
 */
import { isSameText } from "../../kit/secrets/same-text.ts";
import { fromBase64Url, toBase64Url } from "../../kit/text/base64.ts";
import type { ReadTx } from "../../store/store.ts";
import { type MissingStep, findMissingStep } from "../applications/may-use.ts";
import type { ClientRecord } from "../applications/schema.ts";
import { type Subject, isFirstParty } from "../sessions/subject.ts";
import type { AuthDeps } from "../base/deps.ts";
import { clients, origins } from "../applications/records.ts";
import { sessions as sessionRecords } from "../sessions/records.ts";
import type { Jwts } from "../sessions/jwt.ts";
import type { Activity } from "../sessions/activity.ts";
import type { BrowserSessions } from "../sessions/browser-sessions.ts";
import { createAssertions } from "./assertions.ts";
import { findLive } from "../sessions/live-sessions.ts";
import { type Sessions } from "../sessions/sessions.ts";
import { loadSettings } from "../settings/settings.ts";

/** From the first visit to the return from the sign-in, in seconds; people leave pages open. */
export const BEGIN_SECONDS = 86_400;

/** A protected site with the application that it belongs to. */
export interface Site {
  readonly origin: string;
  readonly client: ClientRecord;
}

/** Credentials of a browser or a program at a site. */
export interface Shown {
  readonly cookie: string | undefined;
  /** An access token of the center. */
  readonly accessToken: string | undefined;
  /** Where the request comes from, as the proxy says. */
  readonly address: string;
}

/** The visitor of a site, and whether they may use it. */
export interface Visitor {
  readonly subject: Subject;
  /** The missing requirement; undefined if the visitor may use the application now. */
  readonly missing: MissingStep | undefined;
  /** When the site's cookie was made, epoch milliseconds; undefined for who came with an access token. */
  readonly cookieAt: number | undefined;
}

/** State from before the sign-in. */
export interface Begun {
  readonly path: string;
  /** When the browser began, epoch milliseconds. */
  readonly atMs: number;
  /** The site knew the person, who went away to prove more. */
  readonly isStepUp: boolean;
}

interface ForwardDeps extends Pick<AuthDeps, "store" | "clock" | "expiry" | "box"> {
  readonly jwts: Jwts;
  readonly sessions: Sessions;
  readonly browserSessions: BrowserSessions;
  readonly activity: Activity;
}

async function findSite(tx: ReadTx, origin: string): Promise<Site | undefined> {
  const owner = await tx.get(origins, origin);
  const client = owner && (await tx.get(clients, owner.clientId));
  return client && { origin, client };
}

/** An application as a proxy names it, with the site that it asks about if that is one of the application's. */
export interface NamedSite {
  readonly client: ClientRecord;
  readonly site: Site | undefined;
}

/** State that is carried to the sign-in and back, signed for a site and a browser, which `mark` identifies. */
function createStates({ box, expiry }: Pick<ForwardDeps, "box" | "expiry">) {
  const sign = (body: string, { origin, mark }: { origin: string; mark: string }): string =>
    box.mac([body, origin, mark].join("\n"), "forward-state");
  return {
    /** A state with which the browser comes back to `path`. */
    make: ({ path, isStepUp }: Omit<Begun, "atMs">, place: { origin: string; mark: string }): string => {
      const body = `${toBase64Url(new TextEncoder().encode(path))}.${expiry.now()}${isStepUp ? "s" : ""}`;
      return `${body}.${sign(body, place)}`;
    },
    /** The state, or undefined unless this browser began at this site within a day. */
    read: (state: string, place: { origin: string; mark: string }): Begun | undefined => {
      const parts = /^(([\w-]{1,2000})\.(\d{1,15})(s?))\.([\w-]{43})$/u.exec(state);
      const [, body = "", path = "", at = "", step = "", mac = ""] = parts ?? [];
      if (!isSameText(mac, sign(body, place))) return undefined;
      const atMs = Number(at);
      if (atMs + BEGIN_SECONDS * 1_000 < expiry.now()) return undefined;
      return { path: new TextDecoder().decode(fromBase64Url(path)), atMs, isStepUp: step !== "" };
    },
  };
}

function createCookies({ box, expiry }: Pick<ForwardDeps, "box" | "expiry">) {
  const sign = (body: string, { origin, client }: Site): string =>
    box.mac([body, origin, client.id].join("\n"), "forward-cookie");
  return {
    make: ({ session }: Subject, site: Site): string => {
      const body = `${session.id}.${expiry.now()}`;
      return `${body}.${sign(body, site)}`;
    },
    read: (text: string, site: Site): { sessionId: string; atMs: number } | undefined => {
      const parts = /^((ses_[0-9a-z]{1,40})\.(\d{1,15}))\.([\w-]{43})$/u.exec(text);
      const [, body = "", sessionId = "", at = "", mac = ""] = parts ?? [];
      return isSameText(mac, sign(body, site)) ? { sessionId, atMs: Number(at) } : undefined;
    },
  };
}

export type Forward = ReturnType<typeof createForward>;

export function createForward(deps: ForwardDeps) {
  const { store, expiry, sessions, browserSessions, activity } = deps;
  const cookies = createCookies(deps);

  /** Tokens of first-party sign-ins open every site that the person may use; an application's only its own. */
  async function findByToken(accessToken: string, { client }: Site): Promise<Subject | undefined> {
    const subject = await sessions.find(accessToken);
    if (subject === undefined) return undefined;
    const { session } = subject;
    return isFirstParty(session) || session.clientId === client.id ? subject : undefined;
  }

  async function findByCookie(text: string, site: Site): Promise<[Subject, number] | undefined> {
    const read = cookies.read(text, site);
    if (read === undefined) return undefined;
    const subject = await store.read(async (tx) =>
      findLive(tx, await tx.get(sessionRecords, read.sessionId), expiry.now()),
    );
    if (subject === undefined) return undefined;
    await browserSessions.keep(subject);
    return [subject, read.atMs];
  }

  return {
    states: createStates(deps),
    /** Signs the user's assertion. Throws `unavailable`. */
    assert: createAssertions(deps),
    /** The cookie for this site. */
    toCookie: cookies.make,
    /** The site of an origin, or undefined when no application has it. */
    find: (origin: string): Promise<Site | undefined> => store.read((tx) => findSite(tx, origin)),
    /** The application of that id, or undefined when there is none. */
    findNamed: async (id: string, origin: string): Promise<NamedSite | undefined> => {
      const client = await store.read((tx) => tx.get(clients, id));
      if (client === undefined) return undefined;
      return { client, site: client.protectedOrigins.includes(origin) ? { origin, client } : undefined };
    },
    /** Whether proxies may ask without naming the application. */
    allowsUnnamed: async (): Promise<boolean> =>
      (await loadSettings(store, "registration")).unnamedForwardRoute,
    /**
     * The signed-in user, or undefined without one. Counts as a use of the application, and keeps the session from
     * idling.
     */
    identify: async (site: Site, { cookie, accessToken, address }: Shown): Promise<Visitor | undefined> => {
      const byToken = accessToken === undefined ? undefined : await findByToken(accessToken, site);
      const byCookie =
        byToken === undefined && cookie !== undefined ? await findByCookie(cookie, site) : undefined;
      const subject = byToken ?? byCookie?.[0];
      if (subject === undefined) return undefined;
      const { user, session, rules = {} } = subject;
      const missing = findMissingStep(site.client, { user, session, rules, address, nowMs: expiry.now() });
      if (missing === undefined) activity.note(subject, site.client.id);
      return { subject, missing, cookieAt: byCookie?.[1] };
    },
  };
}
