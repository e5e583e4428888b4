import type { JSX } from "preact";
import { toAuditList } from "../../ui/audit/audit-list.tsx";
import { ResourceList } from "../../ui/resource/resource-list.tsx";

function findPlace(action: string, target: string): string | undefined {
  if (action.startsWith("user.") && target.startsWith("usr_")) return `/admin/users/${target}`;
  if (action.startsWith("settings.")) return `/admin/settings?tab=${encodeURIComponent(target)}`;
  return undefined;
}

export const audit = toAuditList({
  navigation: "auth.nav.audit",
  areas: ["user.", "invite.", "client.", "group.", "settings.", "outbox.", "sessions.", "console."],
  useTarget:
    () =>
    ({ action, target }) => ({ name: target, href: findPlace(action, target) }),
});

/** The section. */
export function AuditPage(): JSX.Element {
  return <ResourceList of={audit} />;
}
