/**
 * The sections of the console of accounts. To add one: its page in a folder of its own, loaded lazily here; its label
 * "auth.nav.<name>" and its texts "auth.<name>.…" in src/texts/<language>/web-auth.json, which come with the first section
 * that is opened. Filters, pages and open tabs live in the address (useQuery of ui/console/query.ts); requests go
 * through adminRequest, lists through usePages, forms through useEditor. A section stays within 25 KB gzipped
 * (test/web/bundle.test.ts).
 */
import { lazySection } from "../ui/console-page/lazy-section.ts";
import type { Section } from "../ui/console/frame.tsx";
import { OverviewPage } from "./overview/overview-page.tsx";

const UsersPage = lazySection(() => import("./users/users-page.tsx"), "UsersPage");
const UserPage = lazySection(() => import("./users/user-page.tsx"), "UserPage");
const ApprovalsPage = lazySection(() => import("./approvals/approvals-page.tsx"), "ApprovalsPage");
const InvitesPage = lazySection(() => import("./invites/invites-page.tsx"), "InvitesPage");
const GroupsPage = lazySection(() => import("./groups/groups-page.tsx"), "GroupsPage");
const GroupPage = lazySection(() => import("./groups/group-page.tsx"), "GroupPage");
const RolesPage = lazySection(() => import("./roles/roles-page.tsx"), "RolesPage");
const ResourcesPage = lazySection(() => import("./resources/resources-page.tsx"), "ResourcesPage");
const ApplicationsPage = lazySection(
  () => import("./applications/applications-page.tsx"),
  "ApplicationsPage",
);
const ApplicationPage = lazySection(() => import("./applications/application-page.tsx"), "ApplicationPage");
const ProvidersPage = lazySection(() => import("./providers/providers-page.tsx"), "ProvidersPage");
const SettingsPage = lazySection(() => import("./settings/settings-page.tsx"), "SettingsPage");
const OutboxPage = lazySection(() => import("./outbox/outbox-page.tsx"), "OutboxPage");
const MailsPage = lazySection(() => import("./mails/mails-page.tsx"), "MailsPage");
const ApiKeysPage = lazySection(() => import("../ui/rights/api-keys-page.tsx"), "ApiKeysPage");
const AuditPage = lazySection(() => import("./audit/audit-page.tsx"), "AuditPage");

/** In the order of the navigation. */
export const sections: readonly Section[] = [
  {
    name: "overview",
    scope: "users:read",
    label: "auth.nav.overview",
    icon: "bars",
    page: () => <OverviewPage />,
  },
  {
    name: "users",
    scope: "users:read",
    label: "auth.nav.users",
    icon: "people",
    page: (id) => (id === undefined ? <UsersPage /> : <UserPage id={id} key={id} />),
  },
  {
    name: "approvals",
    scope: "users:read",
    label: "auth.nav.approvals",
    icon: "approve",
    page: () => <ApprovalsPage />,
  },
  {
    name: "invites",
    scope: "users:read",
    label: "auth.nav.invites",
    icon: "send",
    page: () => <InvitesPage />,
  },
  {
    name: "groups",
    scope: "users:read",
    label: "auth.nav.groups",
    icon: "rules",
    page: (id) => (id === undefined ? <GroupsPage /> : <GroupPage id={id} key={id} />),
  },
  { name: "roles", scope: "users:read", label: "auth.nav.roles", icon: "lock", page: () => <RolesPage /> },
  {
    name: "applications",
    scope: "applications:read",
    label: "auth.nav.applications",
    icon: "grid",
    page: (id) => (id === undefined ? <ApplicationsPage /> : <ApplicationPage id={id} key={id} />),
  },
  {
    name: "resources",
    scope: "applications:read",
    label: "auth.nav.resources",
    icon: "server",
    page: (id) => <ResourcesPage id={id} />,
  },
  {
    name: "providers",
    scope: "auth-settings:read",
    label: "auth.nav.providers",
    icon: "key",
    page: (id) => <ProvidersPage id={id} />,
  },
  {
    name: "settings",
    scope: "auth-settings:read",
    label: "admin.nav.settings",
    icon: "gear",
    page: () => <SettingsPage />,
  },
  {
    name: "outbox",
    scope: "administrator",
    label: "auth.nav.outbox",
    icon: "mail",
    page: () => <OutboxPage />,
  },
  {
    name: "mails",
    scope: "auth-settings:read",
    label: "auth.nav.mails",
    icon: "edit",
    page: () => <MailsPage />,
  },
  {
    name: "api-keys",
    scope: "administrator",
    label: "admin.nav.apiKeys",
    icon: "plug",
    page: () => <ApiKeysPage />,
  },
  { name: "audit", scope: "audit:read", label: "auth.nav.audit", icon: "history", page: () => <AuditPage /> },
];
