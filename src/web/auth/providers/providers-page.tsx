/** All other providers that people sign in by. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { Badge, PageHead } from "../../ui/console/pieces.tsx";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { Empty } from "../../ui/empty.tsx";
import { useEvery } from "../applications/application-data.ts";
import { AddProvider } from "./add-provider.tsx";
import { PROVIDERS, type ProviderView } from "./provider-form.ts";

function toColumns(): readonly TableColumn<ProviderView>[] {
  return [
    {
      key: "title",
      label: text("auth.providers.title"),
      cell: ({ id, title, enabled }) => (
        <>
          <a class="row-name" href={`/admin/providers/${id}`}>
            {title}
          </a>
          {!enabled && <Badge kind="warn">{text("auth.applications.off")}</Badge>}
          <br />
          <code class="field-hint break">{id}</code>
        </>
      ),
    },
    {
      key: "issuer",
      label: text("auth.providers.issuer"),
      cell: ({ issuer }) => <span class="break">{issuer}</span>,
    },
    {
      key: "registration",
      label: text("auth.providers.registration"),
      cell: ({ registration }) => text(`auth.providers.registration.${registration}`),
    },
  ];
}

/** The section without a provider in its address. */
export function ProvidersPage(): JSX.Element {
  const { items, busy, error, refresh } = useEvery<ProviderView>(PROVIDERS);
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <PageHead title={text("auth.nav.providers")} hint={text("auth.providers.hint")}>
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
          {text("auth.providers.add")}
        </Button>
      </PageHead>
      {error && <ErrorNote message={toMessage(error)} onRetry={refresh} />}
      {items.length === 0 && busy && <p class="empty">{text("page.loading")}</p>}
      {items.length === 0 && !busy && !error && (
        <Empty icon="key" title={text("auth.providers.none")} hint={text("auth.providers.none.text")} />
      )}
      {items.length > 0 && (
        <div class="named-table">
          <Table
            caption={text("auth.nav.providers")}
            columns={toColumns()}
            rows={items}
            keyOf={({ id }) => id}
          />
        </div>
      )}
      {isAdding && (
        <AddProvider
          onMade={({ id }) => navigate(`/admin/providers/${id}`)}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
}
