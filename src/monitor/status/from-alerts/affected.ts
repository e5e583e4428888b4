/** Which components of a page alerts are about, and what is said of them. All pure. */
import { kindOf } from "../../alerts/kinds/kinds.ts";
import { toDurationText } from "../../alerts/words/amounts.ts";
import { noticeTexts } from "../../alerts/words/words.ts";
import type { IncidentRecord } from "../../alerts/schema.ts";
import { findWorst } from "../component-status.ts";
import type { NewPost } from "../post-schema.ts";
import {
  type ComponentStatus,
  type PostRecord,
  type StatusPageRecord,
  componentStatuses,
} from "../schema.ts";
import { statusTexts } from "../status-texts.ts";

/** Names in one text at most. */
const MAX_NAMES = 3;

/** Effects of alerts on components, by ID. */
export type Affected = Readonly<Record<string, ComponentStatus>>;

/** How a component is that an incident is about. */
function toStatus({ condition, found }: IncidentRecord): ComponentStatus {
  if (kindOf(condition).isOutage !== true) return "degraded_performance";
  return found?.isPartial === true ? "partial_outage" : "major_outage";
}

/** Whether an incident says that something is not available. */
export function isOutage({ condition }: IncidentRecord): boolean {
  return kindOf(condition).isOutage === true;
}

/** The components of a page that incidents are about. */
export function findAffected(
  { components }: Pick<StatusPageRecord, "components">,
  incidents: readonly IncidentRecord[],
): Affected {
  const found = components.flatMap(({ id, source }): readonly (readonly [string, ComponentStatus])[] => {
    const own = incidents.filter(
      ({ serverId, checkId }) =>
        (source.type === "check" && source.checkId === checkId) ||
        (source.type === "server" && source.serverId === serverId),
    );
    const worst = findWorst(own.map(toStatus));
    return id === undefined || own.length === 0 || worst === "unknown" ? [] : [[id, worst]];
  });
  return Object.fromEntries(found);
}

/** The names of components in one text, and how many they are. */
export function toNames(
  page: Pick<StatusPageRecord, "components" | "language">,
  ids: readonly string[],
): { readonly names: string; readonly count: number } {
  const t = statusTexts(page.language);
  const names = page.components.filter(({ id = "" }) => ids.includes(id)).map(({ name }) => name);
  const shown = names.slice(0, MAX_NAMES);
  const left = names.length - shown.length;
  return {
    names: [...shown, ...(left > 0 ? [t("post.more", { count: left })] : [])].join(t("post.comma")),
    count: names.length,
  };
}

/** An incident as it begins. `name`: of what it is about, where no component of the page is. */
export function toNewPost(
  page: Pick<StatusPageRecord, "components" | "language">,
  given: { incidents: readonly IncidentRecord[]; affected: Affected; isDraft: boolean; name?: string },
): NewPost {
  const { incidents, affected, isDraft, name = "" } = given;
  const t = statusTexts(page.language);
  const ids = Object.keys(affected);
  const named = ids.length === 0 ? { names: name, count: 1 } : toNames(page, ids);
  const isPartial = Object.values(affected).every((status) => status !== "major_outage") && ids.length > 0;
  const at = Math.min(...incidents.map(({ since }) => since));
  return {
    type: "incident",
    title: t("post.title", { ...named, part: isPartial ? "some" : "all" }).slice(0, 200),
    isDraft,
    notifies: true,
    update: { step: "investigating", text: t("post.investigating", named), at, components: { ...affected } },
    alertIncidentIds: incidents.map(({ id }) => id),
  };
}

/** Components that are worse by `affected` than a post says. */
export function findWorse({ components }: PostRecord, affected: Affected): Affected {
  const known = new Map(Object.entries(components));
  const rank = (status: ComponentStatus): number => componentStatuses.indexOf(status);
  const worse = Object.entries(affected).filter(
    ([id, status]) => rank(status) > rank(known.get(id) ?? "operational"),
  );
  return Object.fromEntries(worse);
}

/** Recovered components of a post: those of the page without an open incident. */
export function findBack(
  page: Pick<StatusPageRecord, "components">,
  { post: { components }, affected }: { post: PostRecord; affected: Affected },
): Affected {
  const known = new Set(page.components.map(({ id }) => id));
  const back = Object.entries(components).filter(
    ([id, status]) => known.has(id) && status !== "operational" && !Object.hasOwn(affected, id),
  );
  return Object.fromEntries(back.map(([id]) => [id, "operational" as const]));
}

/** How long an incident lasted, in the words of its page. */
export function toLastedText(
  { startedAt }: Pick<PostRecord, "startedAt">,
  { language, now }: { language: StatusPageRecord["language"]; now: number },
): string {
  return toDurationText(Math.max(0, Math.round((now - startedAt) / 1_000)), noticeTexts(language));
}
