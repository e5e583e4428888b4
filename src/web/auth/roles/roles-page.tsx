/** All roles, the built-in ones first: what they allow, and those of one's own created, changed and deleted. */
import type { JSX } from "preact";
import { type RoleView, roleFieldsSchema } from "../../../auth/roles/view-schema.ts";
import { text } from "../../app/texts.ts";
import { Badge } from "../../ui/console/pieces.tsx";
import { Button } from "../../ui/controls.tsx";
import { type Resource } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { describeScopes } from "../../ui/rights/scope-words.ts";
import { scopesKind } from "../../ui/rights/scopes-kind.tsx";
import { ROLES, toRoleName } from "./role-data.ts";

export const roles: Resource<RoleView, typeof roleFieldsSchema> = {
  api: ROLES,
  home: "/admin/roles",
  navigation: "auth.nav.roles",
  texts: "auth.roles",
  words: "auth.roles",
  write: "administrator",
  schema: roleFieldsSchema,
  fields: {
    name: { label: "admin.field.name", missing: "admin.fault.name" },
    scopes: { kind: scopesKind(), missing: "auth.roles.scopes.none" },
  },
  idOf: ({ id }) => id,
  nameOf: toRoleName,
  creation: { as: "dialog", stays: true },
  table: {
    class: "roles-table",
    paging: "whole",
    columns: ({ mayWrite, edit, remove }) => [
      {
        key: "name",
        label: text("admin.field.name"),
        cell: (role) => (
          <div class="token-name">
            <strong class="break">{toRoleName(role)}</strong>
            {role.builtIn && <Badge>{text("auth.roles.builtIn")}</Badge>}
          </div>
        ),
      },
      {
        key: "scopes",
        label: text("auth.roles.scopes"),
        cell: ({ everything, scopes }) =>
          everything ? text("auth.roles.everything") : describeScopes(scopes).join(" · "),
      },
      {
        key: "actions",
        label: text("admin.edit"),
        silent: true,
        cell: (role) =>
          !role.builtIn &&
          mayWrite && (
            <div class="button-row">
              <Button small icon="edit" onClick={() => edit(role)}>
                {text("admin.edit")}
              </Button>
              <Button small icon="trash" kind="danger" onClick={() => remove(role)}>
                {text("admin.delete")}
              </Button>
            </div>
          ),
      },
    ],
  },
};

/** The section. */
export function RolesPage(): JSX.Element {
  return <ResourceList of={roles} />;
}
