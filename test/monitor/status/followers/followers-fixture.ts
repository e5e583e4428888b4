/** What tests of followers share: the parts over a store in memory, with a page, and a mail server that keeps what it gets. */
import { createLocalLimits } from "../../../../src/bus/shared-limit.ts";
import type { MailMessage } from "../../../../src/kit/mail/mail.ts";
import { silentLog } from "../../../../src/kit/observe/log.ts";
import type { OutboundOutcome, OutboundRequest } from "../../../../src/kit/outbound/outbound.ts";
import { createSecretBox } from "../../../../src/kit/secrets/secret-box.ts";
import { createFollowers } from "../../../../src/monitor/status/followers/followers.ts";
import { statusPages } from "../../../../src/monitor/status/records.ts";
import {
  type PostRecord,
  type StatusPageRecord,
  statusPageFieldsSchema,
} from "../../../../src/monitor/status/schema.ts";
import { createSettings } from "../../../../src/monitor/site/settings.ts";
import type { PostEvent } from "../../../../src/monitor/status/post-events.ts";
import { createFixedClock } from "../../../support/fixed-clock.ts";
import { createTestStore } from "../../fixtures.ts";

export const PAGE_URL = "https://monitor.example.org/status/main";

export interface FollowersFixture {
  readonly followers: ReturnType<typeof createFollowers>;
  readonly clock: ReturnType<typeof createFixedClock>;
  readonly store: ReturnType<typeof createTestStore>;
  readonly page: StatusPageRecord;
  readonly mails: MailMessage[];
  readonly requests: OutboundRequest[];
  /** What receivers of webhooks answer. */
  answer: (request: OutboundRequest) => OutboundOutcome;
  hasMailServer: boolean;
  /** Tells and sends all that is due. */
  deliver(): Promise<void>;
  /** Publishes on the page. */
  publish(more?: Partial<Omit<PostEvent, "post">> & { post?: Partial<PostRecord> }): Promise<void>;
}

export async function createFollowersFixture(fields: object = {}): Promise<FollowersFixture> {
  const clock = createFixedClock();
  const store = createTestStore();
  const box = createSecretBox("a secret of at least 32 characters");
  const mails: MailMessage[] = [];
  const requests: OutboundRequest[] = [];
  const page = await store.transact((tx) =>
    tx.insert(statusPages, {
      ...statusPageFieldsSchema.parse({
        slug: "main",
        title: "Northwind status",
        components: [
          { id: "cmp_web", name: "Website", source: { type: "manual" } },
          { id: "cmp_api", name: "API", source: { type: "manual" } },
        ],
        ...fields,
      }),
      id: "stp_1",
      createdAt: clock.now(),
      updatedAt: clock.now(),
    }),
  );
  const fixture: FollowersFixture = {
    followers: createFollowers({
      store,
      clock,
      box,
      log: silentLog,
      limits: createLocalLimits(clock),
      settings: createSettings({ store, clock }),
      address: { publicUrl: "https://monitor.example.org", toUrl: (url) => url },
      mail: {
        send: async (message) => {
          mails.push(message);
          return { status: "sent" };
        },
        try: async () => ({ ok: true, said: "" }),
      },
      findMailServer: async () => fixture.hasMailServer,
      outbound: {
        send: async (request) => {
          requests.push(request);
          return fixture.answer(request);
        },
      },
    }),
    clock,
    store,
    page,
    mails,
    requests,
    answer: () => ({ kind: "answered", status: 204, text: "" }),
    hasMailServer: true,
    deliver: async () => {
      for (let before = -1; before !== mails.length + requests.length;) {
        before = mails.length + requests.length;
        await fixture.followers.deliver();
      }
    },
    publish: (more = {}) =>
      store.transact(async (tx) => {
        const { post: given, ...rest } = more;
        const post = toPost(clock.now(), given);
        const update = post.updates.at(-1);
        if (update === undefined) throw new Error("A post says something");
        await fixture.followers.listener(tx, {
          type: "published",
          page,
          notifies: true,
          update,
          ...rest,
          post,
        });
      }),
  };
  return fixture;
}

/** A post of the page. */
export function toPost(now: number, more: Partial<PostRecord> = {}): PostRecord {
  return {
    id: "inc_1",
    version: 1,
    pageId: "stp_1",
    type: "incident",
    title: "Shop is slow",
    impact: "minor",
    state: "open",
    step: "investigating",
    components: {},
    alertIncidentIds: [],
    updates: [{ id: "upd_1", step: "investigating", text: "Pages take 8 seconds.", at: now, components: {} }],
    startedAt: now,
    createdAt: now,
    updatedAt: now,
    ...more,
  };
}

/** A subscription request from an address. */
export function ask(
  { followers, page }: FollowersFixture,
  address: string,
  more: { from?: string; componentIds?: string[]; way?: "mail" | "webhook" } = {},
): Promise<void> {
  const { from = "192.0.2.1", componentIds = [], way = "mail" } = more;
  return followers.asking.ask(page.id, {
    request: { way, address, componentIds, language: "en" },
    clientAddress: from,
  });
}

/** The id and the token of the link in a mail or a request. */
export function readLink(text: string): { id: string; token: string } {
  const found = /\/subscription\/(sub_[0-9a-z]+)\/([\w-]{43})/u.exec(text);
  if (found?.[1] === undefined || found[2] === undefined) throw new Error(`There is no link in: ${text}`);
  return { id: found[1], token: found[2] };
}

/** Makes an address follow the page, like its owner. */
export async function follow(
  fixture: FollowersFixture,
  address: string,
  more: { from?: string; componentIds?: string[]; way?: "mail" | "webhook" } = {},
): Promise<{ id: string; token: string }> {
  await ask(fixture, address, more);
  await fixture.deliver();
  const said = more.way === "webhook" ? fixture.requests.at(-1)?.body : fixture.mails.at(-1)?.text;
  const name = readLink(said ?? "");
  await fixture.followers.subscriptions.confirm(name);
  return name;
}
