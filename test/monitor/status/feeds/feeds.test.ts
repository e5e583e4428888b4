/** The documents of feeds: their contents, and what cannot be injected. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toAtom } from "../../../../src/monitor/status/feeds/atom.ts";
import { toCalendar } from "../../../../src/monitor/status/feeds/calendar.ts";
import { cutUtf8 } from "../../../../src/monitor/status/feeds/cut-octets.ts";
import {
  type PostRecord,
  type StatusPageRecord,
  statusPageFieldsSchema,
} from "../../../../src/monitor/status/schema.ts";
import { START } from "../../../support/fixed-clock.ts";
import { toPost } from "../followers/followers-fixture.ts";

const hour = 3_600_000;
const pageUrl = "https://status.example.org";
const page: StatusPageRecord = {
  ...statusPageFieldsSchema.parse({
    slug: "main",
    title: "Nörd & <Wind>",
    components: [{ id: "cmp_web", name: "Web; site", source: { type: "manual" } }],
  }),
  id: "stp_1",
  version: 1,
  createdAt: START,
  updatedAt: START,
};

function toMaintenance(more: Partial<PostRecord> = {}): PostRecord {
  const said = {
    id: "upd_m",
    step: "scheduled",
    text: "One; two,\nthree\\",
    at: START,
    components: {},
  } as const;
  return toPost(START, {
    id: "mnt_1",
    type: "maintenance",
    title: "Updates",
    step: "scheduled",
    updates: [said],
    plannedFrom: START + hour,
    plannedTo: START + 2 * hour,
    ...more,
  });
}

describe("the Atom feed", () => {
  it("has an entry for each update, the newest first, with ids that stay", () => {
    const first = { id: "upd_1", step: "investigating", text: "One", at: START, components: {} } as const;
    const last = { id: "upd_2", step: "resolved", text: "Two", at: START + 1, components: {} } as const;
    const feed = toAtom({ page, pageUrl, posts: [toPost(START, { updates: [first, last] })] });
    const ids = [...feed.matchAll(/<id>([^<]+)<\/id>/gu)].map(([, id]) => id);
    assert.deepEqual(ids, ["urn:trivet:stp_1", "urn:trivet:inc_1:upd_2", "urn:trivet:inc_1:upd_1"]);
    assert.match(feed, /<updated>2026-01-31T12:00:00\.001Z<\/updated><author>/u);
  });

  it("escapes what was written, twice where it is HTML, and leaves out what XML cannot hold", () => {
    const said = {
      id: "upd_1",
      step: "investigating",
      text: "<b>]]>\u0001\uFFFE",
      at: START,
      components: {},
    } as const;
    const feed = toAtom({ page, pageUrl, posts: [toPost(START, { title: "</title>&", updates: [said] })] });
    assert.match(feed, /<title>&lt;\/title&gt;&amp; — Investigating<\/title>/u);
    assert.match(feed, /&lt;p&gt;&amp;lt;b&amp;gt;\]\]&amp;gt;&lt;\/p&gt;/u);
    assert.doesNotMatch(feed, /[\u0001\uFFFE]/u);
  });

  it("has a bounded number of entries, and none of drafts", () => {
    const many = Array.from({ length: 150 }, (_, n) => toPost(START + n, { id: `inc_${n}` }));
    const feed = toAtom({ page, pageUrl, posts: [...many, toPost(START, { id: "inc_x", state: "draft" })] });
    assert.equal(feed.split("<entry>").length - 1, 100);
    assert.doesNotMatch(feed, /inc_x/u);
  });
});

describe("the calendar", () => {
  it("has planned maintenance in UTC, with escaped texts", () => {
    const text = toCalendar(
      {
        page,
        pageUrl,
        posts: [toMaintenance({ components: { cmp_web: "under_maintenance" } }), toPost(START)],
      },
      START,
    );
    assert.equal(text.split("BEGIN:VEVENT").length - 1, 1);
    for (const line of [
      "UID:mnt_1@stp_1",
      "DTSTART:20260131T130000Z",
      "DTEND:20260131T140000Z",
      "STATUS:CONFIRMED",
      String.raw`DESCRIPTION:One\; two\,\nthree\\\n\nWeb\; site`,
    ])
      assert.ok(text.includes(`\r\n${line}\r\n`), line);
  });

  it("tells what was called off, what ended early, and forgets what is long over", () => {
    const make = (more: Partial<PostRecord>): string =>
      toCalendar({ page, pageUrl, posts: [toMaintenance({ state: "ended", ...more })] }, START);
    assert.match(make({ endedAt: START }), /STATUS:CANCELLED/u);
    const early = make({ endedAt: START + 1.5 * hour });
    assert.match(early, /DTEND:20260131T133000Z/u);
    assert.match(early, /STATUS:CONFIRMED/u);
    const old = { plannedFrom: START - 100 * 24 * hour, plannedTo: START - 91 * 24 * hour };
    assert.doesNotMatch(make({ ...old, endedAt: old.plannedTo }), /VEVENT/u);
  });

  it("folds lines at 75 octets, never within a character", () => {
    const text = toCalendar(
      { page, pageUrl, posts: [toMaintenance({ title: "数据库维护🛠".repeat(20) })] },
      START,
    );
    const encoder = new TextEncoder();
    for (const line of text.split("\r\n")) assert.ok(encoder.encode(line).length <= 75, line);
    assert.ok(text.replaceAll("\r\n ", "").includes("数据库维护🛠".repeat(20)));
    assert.deepEqual(cutUtf8("aaé", { first: 3, further: 2 }), ["aa", "é"]);
  });
});
