/** A page for programs, in the shape of version 2 of Statuspage's public API, as its clients read it. All pure. */
import { toIsoTime, toIsoTimeIfAny } from "../../../kit/text/iso-time.ts";
import type { ShownComponent, ShownPage } from "../board.ts";
import type { Indicator } from "../component-status.ts";
import type { PostRecord } from "../schema.ts";

export interface SummaryGiven {
  readonly page: ShownPage;
  /** Where people find the page. */
  readonly url: string;
  readonly timeZone: string;
  /** The state of all in a sentence. */
  readonly description: string;
  readonly now: number;
}

/** That API has no value for "unknown": what is not known to work does not count as working. */
const indicators = {
  none: "none",
  unknown: "minor",
  maintenance: "maintenance",
  minor: "minor",
  major: "major",
  critical: "critical",
} as const satisfies Record<Indicator, string>;

function toPage({ page: { record }, url, timeZone, now }: SummaryGiven) {
  return { id: record.id, name: record.title, url, time_zone: timeZone, updated_at: toIsoTime(now) };
}

function toComponent(given: SummaryGiven, component: Omit<ShownComponent, "source">, position: number) {
  const { record } = given.page;
  const { id, name, status, description } = component;
  return {
    id,
    name,
    status,
    position,
    page_id: record.id,
    description: description === "" ? null : description,
    created_at: toIsoTime(record.createdAt),
    updated_at: toIsoTime(record.updatedAt),
    start_date: null,
    showcase: component.showsHistory,
    group_id: component.group === "" ? null : toGroupId(given.page, component.group),
    group: false,
    only_show_if_degraded: false,
  };
}

/** A group is known by the first of its components. */
function toGroupId({ components }: ShownPage, group: string): string {
  return `grp_${components.find((each) => each.group === group)?.id.slice(4) ?? ""}`;
}

function listComponents(given: SummaryGiven) {
  return given.page.components.map((component, at) => toComponent(given, component, at + 1));
}

function toUpdate(given: SummaryGiven, post: PostRecord, at: number) {
  const update = post.updates[at];
  if (update === undefined) return [];
  const names = new Map(given.page.components.map(({ id, name }) => [id, name]));
  const time = toIsoTime(update.at);
  const affected = Object.entries(update.components).flatMap(([code, status]) => {
    const name = names.get(code);
    return name === undefined ? [] : [{ code, name, new_status: status }];
  });
  return [
    {
      id: update.id,
      status: update.step,
      body: update.text,
      incident_id: post.id,
      created_at: time,
      updated_at: time,
      display_at: time,
      affected_components: affected.length === 0 ? null : affected,
    },
  ];
}

function toPost(given: SummaryGiven, post: PostRecord) {
  const { id, title, step, startedAt, endedAt, updates, components, plannedFrom, plannedTo } = post;
  const monitoring = updates.find((update) => update.step === "monitoring");
  return {
    id,
    name: title,
    status: step,
    page_id: given.page.record.id,
    impact: post.type === "maintenance" ? ("maintenance" as const) : post.impact,
    created_at: toIsoTime(post.createdAt),
    updated_at: toIsoTime(post.updatedAt),
    started_at: toIsoTime(startedAt),
    monitoring_at: toIsoTimeIfAny(monitoring?.at) ?? null,
    resolved_at: toIsoTimeIfAny(endedAt) ?? null,
    shortlink: `${given.url}/incidents/${id}`,
    // The newest first, as that API has them.
    incident_updates: updates.flatMap((_, at) => toUpdate(given, post, updates.length - 1 - at)),
    components: listComponents(given).filter((component) => Object.hasOwn(components, component.id)),
    ...(plannedFrom === undefined ? {} : { scheduled_for: toIsoTime(plannedFrom) }),
    ...(plannedTo === undefined ? {} : { scheduled_until: toIsoTime(plannedTo) }),
  };
}

function listPosts(given: SummaryGiven, type: PostRecord["type"], posts: readonly PostRecord[]) {
  return posts.filter((post) => post.type === type).map((post) => toPost(given, post));
}

/** Posts that such an answer holds at most. */
const MAX_POSTS = 50;

/** Creates each response of that API. */
export const summaryFiles = {
  "summary.json": (given: SummaryGiven) => ({
    ...summaryFiles["status.json"](given),
    components: listComponents(given),
    incidents: listPosts(given, "incident", given.page.open),
    scheduled_maintenances: listPosts(given, "maintenance", given.page.open),
  }),
  "status.json": (given: SummaryGiven) => ({
    page: toPage(given),
    status: { indicator: indicators[given.page.indicator], description: given.description },
  }),
  "components.json": (given: SummaryGiven) => ({ page: toPage(given), components: listComponents(given) }),
  "incidents.json": (given: SummaryGiven) => ({
    page: toPage(given),
    incidents: listPosts(given, "incident", [...given.page.open, ...given.page.ended].slice(0, MAX_POSTS)),
  }),
  "scheduled-maintenances.json": (given: SummaryGiven) => ({
    page: toPage(given),
    scheduled_maintenances: listPosts(
      given,
      "maintenance",
      [...given.page.open, ...given.page.ended].slice(0, MAX_POSTS),
    ),
  }),
};
export type SummaryFile =
  | "summary.json"
  | "status.json"
  | "components.json"
  | "incidents.json"
  | "scheduled-maintenances.json";
