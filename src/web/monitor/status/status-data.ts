/** Shared by the pages about status pages: their source, requests, and texts. */
import type { PostView } from "../../../monitor/status/post-schema.ts";
import type { ComponentStatus } from "../../../monitor/status/schema.ts";
import type { BadgeKind } from "../../ui/console/pieces.tsx";

export const STATUS_PAGES = "/api/admin/status-pages";

type StatusPath = `${typeof STATUS_PAGES}/${string}`;

/** The path of one page's record. */
export function toStatusPath(id: string, action = ""): StatusPath {
  return `${STATUS_PAGES}/${encodeURIComponent(id)}${action}`;
}

/** The path of a page's posts. */
export function toPostsPath(pageId: string): StatusPath {
  return toStatusPath(pageId, "/posts");
}

/** The path of one post. */
export function toPostPath({ pageId, id }: Pick<PostView, "pageId" | "id">): string {
  return `${toPostsPath(pageId)}/${encodeURIComponent(id)}`;
}

/** Colors of components' states. */
export const statusKinds: Readonly<Record<ComponentStatus | "unknown", BadgeKind>> = {
  operational: "good",
  under_maintenance: "idle",
  degraded_performance: "warn",
  partial_outage: "warn",
  major_outage: "bad",
  unknown: "idle",
};

export const componentStatusNames = [
  "operational",
  "degraded_performance",
  "partial_outage",
  "major_outage",
  "under_maintenance",
] as const satisfies readonly ComponentStatus[];

export const stepNames = {
  incident: ["investigating", "identified", "monitoring", "resolved"],
  maintenance: ["scheduled", "in_progress", "verifying", "completed"],
} as const satisfies Record<PostView["type"], readonly PostView["step"][]>;
