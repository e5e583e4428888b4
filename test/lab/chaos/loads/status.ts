/**
 * An administrator of the monitor who makes checks of a target that answers, tells on a status page of incidents and
 * ends them, and adds people who follow the page by mail; and the mail server that takes what they are sent.
 */
import { createServer } from "node:http";
import { z } from "zod";
import { ADMIN_TOKEN } from "../../../shop/kill-load.ts";
import { type SmtpPeer, startSmtpPeer } from "../../../support/smtp-peer.ts";
import { type Surroundings, waitFor } from "../case.ts";
import { type Asking, ask } from "../requests.ts";
import type { Load } from "./load.ts";
import { type Persons, Refused, assertNow, keepOn } from "./patience.ts";

const STATUS_PAGES = "/api/admin/status-pages";
const CHECKS = "/api/admin/checks";
/** The rounds of checks come every 20 seconds at most; so many are enough to be always at one. */
const MAX_CHECKS = 60;
const MAX_FOLLOWERS = 3;
/** A mail that was being sent by a program that was killed is free again after two minutes. */
const MAILED_MS = 200_000;

const idSchema = z.object({ id: z.string() });
const postSchema = z.object({ id: z.string(), updates: z.array(z.object({ text: z.string() })) });
const checkSchema = z.object({ name: z.string(), standing: z.object({ state: z.string() }).optional() });

/** What was said on the page, and acknowledged. */
interface Post {
  readonly id: string;
  readonly title: string;
  /** Its updates, the first one too. */
  readonly said: string[];
  /** An update got no answer: it may be there. */
  doubted?: string;
  /** Followers who had been acknowledged before it. */
  readonly followers: readonly string[];
}

/** What the load needs beside the monitor. */
export interface StatusWorld {
  readonly mails: SmtpPeer;
  /** Answers every request with 200. */
  readonly targetUrl: string;
}

/** Starts the mail server and the target; they go with the part. */
export async function startStatusWorld(around: Pick<Surroundings, "onEnd">): Promise<StatusWorld> {
  const mails = await startSmtpPeer();
  around.onEnd(() => mails.close());
  const target = createServer((_, response) => response.end("fine"));
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  around.onEnd(() => {
    target.closeAllConnections();
    target.close();
  });
  const address = target.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { mails, targetUrl: `http://127.0.0.1:${port}/` };
}

/** What the programs need to reach it. */
export function toStatusEnv({ mails }: StatusWorld): Record<string, string> {
  return {
    SMTP_URL: `smtp://127.0.0.1:${mails.port}?from=status@example.org&security=none`,
    PUBLIC_URL: "https://monitor.example.org",
    CHECKS_PRIVATE: "1",
    NOTIFY_PRIVATE: "1",
  };
}

/** Creates the load. */
export function createStatusLoad(persons: Persons, { mails, targetUrl }: StatusWorld): Load {
  const checks = new Map<string, string>();
  const posts: Post[] = [];
  const followers: string[] = [];
  let pageId = "";
  let tried = 0;

  /** The answer's body. @throws Refused when it says "not now", or there was no answer */
  async function send(url: string, path: string, asking: Asking & { expect: number }): Promise<unknown> {
    const { status, json } = await ask(url + path, { headers: { "x-admin-token": ADMIN_TOKEN }, ...asking });
    if (status === 0) throw new Refused("no answer");
    assertNow(status);
    if (status !== asking.expect) throw new Error(`${path} answered ${status} ${JSON.stringify(json)}`);
    return json;
  }
  const post = (body: unknown, expect = 201): Asking & { expect: number } => ({
    method: "POST",
    body,
    expect,
  });

  async function addCheck(url: string, name: string): Promise<void> {
    const target = { kind: "http", url: targetUrl };
    const made = await send(url, CHECKS, post({ name, target, intervalSeconds: 20 }));
    checks.set(idSchema.parse(made).id, name);
  }
  async function addFollower(url: string, name: string): Promise<void> {
    const address = `${name}@example.org`;
    await send(url, `${STATUS_PAGES}/${pageId}/subscribers`, post({ address, hasConsent: true }));
    followers.push(address);
  }
  async function report(url: string, title: string): Promise<void> {
    const before = [...followers];
    const update = { step: "investigating", text: `${title} begins.` };
    const path = `${STATUS_PAGES}/${pageId}/posts`;
    const { id } = idSchema.parse(await send(url, path, post({ title, update })));
    const made: Post = { id, title, said: [update.text], followers: before };
    posts.push(made);
    const end = { step: "resolved", text: `${title} is over.` };
    made.doubted = end.text;
    await send(url, `${path}/${id}/updates`, post(end, 200));
    made.said.push(end.text);
    delete made.doubted;
  }

  async function checkPost(url: string, { id, title, said, doubted }: Post): Promise<string[]> {
    const found = postSchema.safeParse(
      await send(url, `${STATUS_PAGES}/${pageId}/posts/${id}`, { expect: 200 }),
    );
    const texts = found.success ? found.data.updates.map(({ text }) => text) : [];
    const known = texts.filter((text) => text !== doubted);
    const isThere =
      known.toSorted().join() === said.toSorted().join() && new Set(texts).size === texts.length;
    return isThere ? [] : [`"${title}" said ${said.join(" ")} and has ${texts.join(" ")}`];
  }
  /** Mails to followers that have not come. */
  function listMissing(): string[] {
    const sent = new Set<string>();
    for (const { to, raw } of mails.mails)
      for (const [text] of raw.replaceAll("=\r\n", "").matchAll(/thing-\d+ (?:begins|is over)\./gu))
        for (const address of to) sent.add(`"${text}" to ${address}`);
    return posts
      .flatMap(({ said, followers: told }) =>
        said.flatMap((text) => told.map((address) => `"${text}" to ${address}`)),
      )
      .filter((mail) => !sent.has(mail));
  }

  return {
    prepare: async (url) => {
      const made = await send(url, STATUS_PAGES, post({ slug: "main", title: "Northwind status" }));
      pageId = idSchema.parse(made).id;
      await addFollower(url, "first");
    },
    go: (url, isOver) =>
      keepOn(persons, {
        isOver,
        step: async () => {
          tried += 1;
          const name = `thing-${tried}`;
          if (tried % 5 === 1 && checks.size < MAX_CHECKS) await addCheck(url, name);
          else if (tried % 5 === 2 && followers.length < MAX_FOLLOWERS) await addFollower(url, name);
          else await report(url, name);
        },
      }),
    verify: async (url) => {
      const problems: string[] = [];
      for (const one of posts) problems.push(...(await checkPost(url, one)));
      for (const [id, name] of checks) {
        const found = checkSchema.safeParse(await send(url, `${CHECKS}/${id}`, { expect: 200 }));
        if (found.data?.name !== name) problems.push(`the check ${name} is lost`);
        if (found.data?.standing?.state === "down")
          problems.push(`the check ${name} is down, and its target was not`);
      }
      await waitFor(() => listMissing().length === 0, { limitMs: MAILED_MS, everyMs: 500 });
      const missing = listMissing();
      if (missing.length > 0)
        problems.push(`${missing.length} mails never came: ${missing.slice(0, 3).join(", ")}`);
      return problems;
    },
    counts: () => ({
      "checks made": checks.size,
      "incidents and ends told of": posts.reduce((sum, { said }) => sum + said.length, 0),
      followers: followers.length,
    }),
  };
}
