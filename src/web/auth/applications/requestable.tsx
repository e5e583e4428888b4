/** Where an application may act for a person: the install's services and registered resources, each with its scopes. */
import type { JSX } from "preact";
import type { ResourceFields } from "../../../auth/resources/schema.ts";
import { text } from "../../app/texts.ts";
import { Checkbox } from "../../ui/controls.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { FieldGroup, Loaded } from "../../ui/console/pieces.tsx";
import type { FormPart } from "../../ui/forms/bind.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import type { Form } from "../../ui/settings/setting-specs.ts";

export const RESOURCES = "/api/admin/resources";

export interface ResourcesView {
  readonly builtIn: readonly {
    readonly identifier: "auth" | "shop" | "monitor";
    readonly scopes: readonly string[];
  }[];
  readonly items: readonly (ResourceFields & { readonly id: string })[];
}

/** A resource, or one of its scopes, as a line. */
interface Choice {
  /** Such as "shop" or "shop purchases:read". */
  readonly line: string;
  readonly label: string;
}

function listChoices({ builtIn, items }: ResourcesView): Choice[] {
  const own = builtIn.map(({ identifier, scopes }) => ({
    identifier,
    title: text(`auth.applications.resources.${identifier}`),
    scopes: scopes.map((name) => ({ name, title: name })),
  }));
  return [...own, ...items].flatMap(({ identifier, title, scopes }) => [
    { line: identifier, label: `${title} (${identifier})` },
    ...scopes.map(({ name, title: opens }) => ({
      line: `${identifier} ${name}`,
      label: opens === name ? `${title} · ${name}` : `${title} · ${name}: ${opens}`,
    })),
  ]);
}

/** With a scope comes its resource, and with a resource go its scopes. */
function toggle(chosen: readonly string[], line: string, isChosen: boolean): readonly string[] {
  const [resource = ""] = line.split(" ");
  if (isChosen) return [...new Set([...chosen, resource, line])];
  return chosen.filter((one) => one !== line && !(line === resource && one.startsWith(`${line} `)));
}

/** The ticks. */
export function Requestable({ part }: { readonly part: FormPart<Form> }): JSX.Element {
  const { form, errors, onChange } = part;
  const chosen = Array.isArray(form["resources"]) ? form["resources"] : [];
  const error = findError(errors, "/resources");
  const resources = usePolled<ResourcesView>(RESOURCES, 0);
  const title = text("auth.applications.resources");
  return (
    <FieldGroup title={title} hint={text("auth.applications.resources.hint")}>
      <Loaded of={resources}>
        {(data) => (
          <div class="tick-list" role="group" aria-label={title}>
            {listChoices(data).map(({ line, label }) => (
              <Checkbox
                key={line}
                label={label}
                checked={chosen.includes(line)}
                onChange={(isChosen) => onChange({ resources: toggle(chosen, line, isChosen) })}
              />
            ))}
            {error && <span class="field-error">{error}</span>}
          </div>
        )}
      </Loaded>
    </FieldGroup>
  );
}
