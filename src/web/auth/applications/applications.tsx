/** Applications: who may use each, how it signs people in, and its access policy. */
import type { JSX } from "preact";
import { type ApplicationView, clientChangeSchema } from "../../../auth/applications/schema.ts";
import type { GroupView } from "../../../auth/groups/schema.ts";
import { text } from "../../app/texts.ts";
import { lazy } from "../../pages/lazy.tsx";
import { Badge } from "../../ui/console/pieces.tsx";
import { mayUse } from "../../ui/console/session.ts";
import type { TableColumn } from "../../ui/controls-table.tsx";
import { choiceKind } from "../../ui/resource/kinds.tsx";
import type { Resource } from "../../ui/resource/resource.ts";
import { scopesKind } from "../../ui/rights/scopes-kind.tsx";
import { claimsKind } from "../claims/claims-kind.tsx";
import { answerKind } from "../pieces/answer-kind.ts";
import { APPLICATIONS, GROUPS, useEvery } from "./application-data.ts";
import { groupsKind, guardedSwitchKind, requestableKind } from "./application-kinds.tsx";

const Side = lazy(async () => (await import("./application-side.tsx")).ApplicationSide);
const Dialog = lazy(async () => (await import("./add-application.tsx")).AddApplication, null);
const Made = lazy(async () => (await import("./add-application.tsx")).MadeApplication, null);
const Refusals = lazy(async () => (await import("./refusals-panel.tsx")).RefusalsPanel, null);

function Mark({ view }: { view: ApplicationView }): JSX.Element | null {
  return view.enabled ? null : <Badge kind="warn">{text("auth.applications.off")}</Badge>;
}

/** Called when the list is drawn, so that all rows share one answer. */
function useColumns(): readonly TableColumn<ApplicationView>[] {
  const groups = useEvery<GroupView>(GROUPS);
  const titles = new Map(groups.items.map(({ id, title }) => [id, title]));
  return [
    {
      key: "name",
      label: text("admin.field.name"),
      cell: (view) => (
        <>
          <a class="row-name" href={`/admin/applications/${view.id}`}>
            {view.name}
          </a>
          <Mark view={view} />
          <br />
          <code class="field-hint break">{view.id}</code>
        </>
      ),
    },
    {
      key: "who",
      label: text("auth.applications.who"),
      cell: ({ allowedGroups }) =>
        allowedGroups.length === 0
          ? text("auth.applications.everybody")
          : allowedGroups.map((id) => titles.get(id) ?? id).join(", "),
    },
    {
      key: "address",
      label: text("admin.field.address"),
      cell: ({ launchUrl, protectedOrigins: [origin = "–"] }) => (
        <span class="break">{launchUrl === "" ? origin : launchUrl}</span>
      ),
    },
  ];
}

const siteDecides = answerKind("auth.policy.offline");

export const applications: Resource<ApplicationView, typeof clientChangeSchema> = {
  api: APPLICATIONS,
  home: "/admin/applications",
  navigation: "auth.nav.applications",
  texts: "auth.applications",
  words: "auth.applications",
  write: "applications:write",
  schema: clientChangeSchema,
  fields: {
    name: { label: "admin.field.name", missing: "admin.fault.name" },
    // The API alone: most programs publish theirs.
    jwks: false,
    policy: false,
  },
  panels: [
    { title: "auth.applications.about", fields: ["name", "launchUrl", "logoUrl", "enabled"] },
    {
      title: "auth.applications.who",
      fields: [{ name: "allowedGroups", label: "auth.applications.who", kind: groupsKind() }],
    },
    {
      title: "auth.applications.signIn",
      hint: "auth.applications.signIn.hint",
      fields: [
        "redirectUris",
        { name: "postLogoutRedirectUris", hint: "auth.applications.redirectUris.hint" },
        "clientType",
      ],
      fold: {
        title: "auth.applications.advanced",
        fields: [
          { name: "requirePkce", kind: guardedSwitchKind(), json: { initial: true } },
          { name: "claimsInIdToken", common: true },
          "idTokenAlgorithm",
          "consent",
          "accessTokenFormat",
          "backchannelLogoutUri",
          "tokenEndpointAuthMethod",
          "jwksUri",
          "requirePushedRequests",
          "deviceFlow",
          "audiences",
        ],
      },
    },
    {
      title: "auth.applications.resources",
      hint: "auth.applications.resources.hint",
      fields: [{ name: "resources", kind: requestableKind() }],
    },
    {
      title: "auth.applications.claims",
      hint: "auth.applications.claims.hint",
      fields: [{ name: "claims", label: "auth.groups.claims", kind: claimsKind(), hint: "" }],
    },
    {
      title: "auth.applications.machine",
      hint: "auth.applications.machine.hint",
      fields: [
        {
          name: "machineScopes",
          label: "auth.roles.scopes",
          kind: scopesKind(),
          when: ({ clientType }) => clientType === "confidential" && mayUse("administrator"),
        },
      ],
    },
    {
      title: "auth.policy.title",
      hint: "auth.policy.hint",
      fields: [
        {
          name: "policy/minimumAssurance",
          label: "auth.policy.assurance",
          kind: choiceKind({ as: "list" }),
        },
        { name: "policy/maxSignInAgeMinutes", label: "auth.policy.age" },
        { name: "policy/networks", label: "auth.policy.networks" },
        { name: "policy/twoFactorOutsideNetworks", label: "auth.policy.outside", kind: siteDecides },
        { name: "policy/accessTokenMinutes", label: "auth.policy.access" },
        { name: "policy/refreshTokenDays", label: "auth.policy.refresh" },
        { name: "policy/sessionDays", label: "auth.policy.session" },
        { name: "policy/offlineAccess", label: "auth.policy.offline", kind: siteDecides },
      ],
    },
    {
      title: "auth.applications.proxy",
      hint: "auth.applications.proxy.hint",
      fields: [{ name: "protectedOrigins", label: "auth.applications.origins" }],
    },
  ],
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  Mark,
  Side,
  creation: { as: "dialog", Dialog, Made },
  Below: () => <Refusals />,
  table: { class: "named-table", icon: "grid", paging: "every", columns: useColumns },
};
