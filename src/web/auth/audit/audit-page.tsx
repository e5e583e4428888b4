/** What administrators of accounts did. */
import type { JSX } from "preact";
import { type AuditWords, AuditSection } from "../../ui/audit/audit-section.tsx";

const words: AuditWords = {
  title: "auth.nav.audit",
  areas: ["user.", "invite.", "client.", "group.", "settings.", "outbox.", "sessions.", "console."],
  toPlace: ({ action, target }) => {
    if (action.startsWith("user.") && target.startsWith("usr_")) return `/admin/users/${target}`;
    if (action.startsWith("settings.")) return `/admin/settings?tab=${encodeURIComponent(target)}`;
    return undefined;
  },
};

/** The section. */
export function AuditPage(): JSX.Element {
  return <AuditSection words={words} />;
}
