/** Resources that applications may request tokens for: the install's services, and those that administrators register. */
import type { JSX } from "preact";
import {
  type ResourceView,
  builtInResources,
  resourceChangeSchema,
  resourceFieldsSchema,
} from "../../../auth/resources/schema.ts";
import { text } from "../../app/texts.ts";
import { makeForm } from "../../ui/resource/form.ts";
import { listKind } from "../../ui/resource/group-kinds.tsx";
import type { Resource } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { NewResourcePage, ResourcePage } from "../../ui/resource/resource-page.tsx";
import { Panel } from "../../ui/panel.tsx";

export const RESOURCES = "/api/admin/resources";
const services = ["auth", "shop", "monitor"] as const;

/** The built-in scopes of the installation's own services; read-only. */
function BuiltIn(): JSX.Element {
  return (
    <Panel small title={text("auth.resources.builtIn")}>
      <p class="field-hint">{text("auth.resources.builtIn.hint")}</p>
      <dl class="facts">
        {services.map((service) => (
          <div key={service}>
            <dt>
              {text(`auth.applications.resources.${service}`)} <code>{service}</code>
            </dt>
            <dd>{builtInResources[service].join(", ")}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

const fields = {
  title: { label: "admin.field.name", missing: "admin.fault.name", json: { required: true } },
  scopes: { kind: listKind() },
} as const;
const scopes = {
  title: "auth.resources.scopes",
  hint: "auth.resources.scopes.about",
  fields: ["scopes"],
} as const;

export const newResource = makeForm({
  schema: resourceFieldsSchema,
  words: "auth.resources",
  fields: { ...fields, identifier: { json: { min: 1 } } },
  panels: [{ title: "auth.resources.resource", fields: ["title", "identifier"] }, scopes],
});

export const resources: Resource<ResourceView, typeof resourceChangeSchema> = {
  api: RESOURCES,
  home: "/admin/resources",
  navigation: "auth.nav.resources",
  texts: "auth.resources",
  words: "auth.resources",
  write: "applications:write",
  schema: resourceChangeSchema,
  fields,
  panels: [{ title: "auth.resources.resource", fields: ["title"] }, scopes],
  idOf: ({ id }) => id,
  nameOf: ({ title }) => title,
  hintOf: ({ identifier }) => identifier,
  creation: { form: newResource },
  Below: BuiltIn,
  table: {
    class: "named-table",
    icon: "server",
    paging: "whole",
    columns: () => [
      {
        key: "title",
        label: text("admin.field.name"),
        cell: ({ id, title, identifier }) => (
          <>
            <a class="row-name" href={`/admin/resources/${id}`}>
              {title}
            </a>
            <br />
            <code class="field-hint break">{identifier}</code>
          </>
        ),
      },
      {
        key: "scopes",
        label: text("auth.resources.scopes"),
        cell: ({ scopes: own }) => own.map(({ name }) => name).join(", ") || "–",
      },
    ],
  },
};

/** The section. */
export function ResourcesPage({ id }: { id: string | undefined }): JSX.Element {
  if (id === undefined) return <ResourceList of={resources} />;
  return id === "new" ? <NewResourcePage of={resources} /> : <ResourcePage of={resources} id={id} key={id} />;
}
