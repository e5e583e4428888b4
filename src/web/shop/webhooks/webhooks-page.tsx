/** Webhooks: where the shop tells others of orders and stock, and what was sent. */
import type { JSX } from "preact";
import {
  type EndpointView,
  endpointChangeSchema,
  newEndpointSchema,
} from "../../../shop/webhooks-out/schema.ts";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { makeForm } from "../../ui/resource/form.ts";
import type { ItemTools, Resource } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { ResourcePage } from "../../ui/resource/resource-page.tsx";
import { choicesKind } from "../../ui/resource/set-kinds.tsx";
import { Deliveries } from "./deliveries.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import type { WebhookSecret } from "./webhook-data.ts";
import { FailingPanel, SecretPanel, TestPanel } from "./webhook-panels.tsx";
import { WebhookState } from "./webhook-state.tsx";

function Before({ view, mayWrite, begin }: ItemTools<EndpointView>): JSX.Element {
  return (
    <>
      <div>
        <WebhookState webhook={view} />
      </div>
      {mayWrite && view.enabled && view.failingSince !== undefined && (
        <FailingPanel webhook={view} onResumed={begin} />
      )}
    </>
  );
}

function After({ view, mayWrite, dirty, begin }: ItemTools<EndpointView>): JSX.Element {
  return (
    <>
      {mayWrite && <TestPanel webhook={view} dirty={dirty} />}
      {mayWrite && <SecretPanel webhook={view} onRotated={begin} />}
      <Deliveries id={view.id} />
    </>
  );
}

const types = { kind: choicesKind({ words: "shop.webhooks.event" }), label: "shop.webhooks.events" } as const;

/** A new one is on. */
export const newWebhook = makeForm({
  schema: newEndpointSchema,
  words: "shop.webhooks",
  fields: { types: { ...types, json: { initial: ["order.paid"] } }, enabled: false },
});

export const webhooks: Resource<EndpointView, typeof endpointChangeSchema> = {
  api: "/api/admin/webhooks",
  home: "/admin/webhooks",
  navigation: "shop.nav.webhooks",
  texts: "shop.webhooks",
  words: "shop.webhooks",
  write: "shop-settings:write",
  schema: endpointChangeSchema,
  fields: { types },
  panels: [{ title: "shop.webhooks.general", fields: ["url", "description", "types", "enabled"] }],
  idOf: ({ id }) => id,
  nameOf: ({ url }) => (URL.canParse(url) ? new URL(url).host : url),
  creation: {
    form: newWebhook,
    as: "dialog",
    Made: ({ made }: { made: WebhookSecret }) => (
      <SecretDialog secret={made.secret} onClose={() => navigate(`/admin/webhooks/${made.id}`)} />
    ),
  },
  Before,
  After,
  table: {
    class: "settings-table",
    paging: "whole",
    icon: "send",
    columns: () => [
      {
        key: "url",
        label: text("shop.webhooks.url"),
        cell: ({ id, url, description }) => (
          <>
            <a class="row-name break" href={`/admin/webhooks/${id}`}>
              {url}
            </a>
            {description !== "" && (
              <>
                <br />
                <span class="field-hint">{description}</span>
              </>
            )}
          </>
        ),
      },
      {
        key: "events",
        label: text("shop.webhooks.events"),
        number: true,
        cell: (view) => view.types.length,
      },
      {
        key: "state",
        label: text("admin.column.state"),
        cell: (view) => <WebhookState webhook={view} />,
      },
    ],
  },
};

/** The section. */
export function WebhooksPage({ id }: { id: string | undefined }): JSX.Element {
  return id === undefined ? <ResourceList of={webhooks} /> : <ResourcePage of={webhooks} id={id} key={id} />;
}
