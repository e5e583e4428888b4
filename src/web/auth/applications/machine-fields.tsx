/** What an application may administer in its own name, with a token from `client_credentials`. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { usePolled } from "../../ui/console/polled.ts";
import { FieldGroup, Loaded } from "../../ui/console/pieces.tsx";
import type { FormPart } from "../../ui/forms/bind.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { ScopeFields } from "../../ui/rights/scope-fields.tsx";
import type { Form } from "../../ui/settings/setting-specs.ts";
import { type RoleList, ROLES } from "../roles/role-data.ts";

export function MachineFields({ part }: { readonly part: FormPart<Form> }): JSX.Element {
  const { form, errors, onChange } = part;
  const scopes = Array.isArray(form["machineScopes"]) ? form["machineScopes"] : [];
  const roles = usePolled<RoleList>(ROLES, 0);
  return (
    <FieldGroup title={text("auth.applications.machine")} hint={text("auth.applications.machine.hint")}>
      <Loaded of={roles}>
        {({ items }) => (
          <ScopeFields
            label={text("auth.roles.scopes")}
            offered={items.find(({ everything }) => everything)?.scopes ?? []}
            scopes={scopes}
            error={findError(errors, "/machineScopes")}
            onChange={(machineScopes) => onChange({ machineScopes })}
          />
        )}
      </Loaded>
    </FieldGroup>
  );
}
