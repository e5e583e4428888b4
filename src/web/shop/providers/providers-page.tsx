/** Payment providers in the order in which buyers see them. */
import type { JSX } from "preact";
import type { SystemStatus } from "../../../shop/operation/answer-schema.ts";
import { type ProviderView, namedProviderSchema } from "../../../shop/settings/answer-schema.ts";
import type { ProviderKinds } from "../../../shop/payments/providers/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { Ago, Badge } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { showProblem } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { Dialog } from "../../ui/controls-dialog.tsx";
import type { TableColumn } from "../../ui/controls-table.tsx";
import type { ListPart, Resource } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { type SiteFacts, useSiteFacts } from "../ui/site-facts.ts";
import { DEMO, KINDS, isUsable, providerNoun, toKindTitle } from "./provider-data.ts";
import { ProviderNotes } from "./provider-notes.tsx";
import { Note } from "../../ui/console/note.tsx";

type Status = SystemStatus["webhooks"][number];

/** The first currencies of a list that may be long. */
function toShort(currencies: readonly string[]): string {
  return currencies.length > 4 ? `${currencies.slice(0, 4).join(", ")} …` : currencies.join(", ");
}

/** The kinds that can be added, as links to a new one of each. */
function KindDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const kinds = usePolled<ProviderKinds>(KINDS, 0).data?.items ?? [];
  const facts = useSiteFacts();
  const { currency = "", paymentProviders = [] } = facts ?? {};
  const hasDemo = paymentProviders.some(({ word }) => word === DEMO);
  return (
    <Dialog title={text("shop.providers.add")} wide onClose={onClose}>
      <ul class="plain-list kind-list">
        {kinds
          .filter(({ kind }) => kind !== DEMO || !hasDemo)
          .map(({ kind, title, currencies }) => (
            <li key={kind}>
              <a href={`/admin/providers/new?kind=${kind}`} onClick={onClose}>
                <strong>{toKindTitle({ kind, title })}</strong>
                {currencies?.includes(currency) === false && (
                  <span class="field-hint">
                    {text("shop.providers.takes", { takes: toShort(currencies), currency })}
                  </span>
                )}
              </a>
            </li>
          ))}
      </ul>
    </Dialog>
  );
}

function Condition({ provider, status }: { provider: ProviderView; status: Status | undefined }) {
  const { enabled, word } = provider;
  if (enabled === false) return <Badge>{text("shop.ui.off")}</Badge>;
  if (!isUsable(provider)) return <Badge kind="warn">{text("shop.providers.noInstructions")}</Badge>;
  const { isSilent = false, lastNoticeAt, openReviews = 0 } = status ?? {};
  return (
    <>
      <Badge kind={word === DEMO || isSilent ? "warn" : "good"}>{text("shop.ui.on")}</Badge>
      {isSilent && <p class="field-hint">{text("shop.providers.silent")}</p>}
      {lastNoticeAt !== undefined && (
        <p class="field-hint">
          {text("shop.providers.lastNotice")} <Ago at={lastNoticeAt} />
        </p>
      )}
      {openReviews > 0 && (
        <p class="field-hint">
          <a href="/admin/payments">{text("shop.providers.reviews", { count: openReviews })}</a>
        </p>
      )}
    </>
  );
}

function useColumns(): readonly TableColumn<ProviderView>[] {
  const kinds = usePolled<ProviderKinds>(KINDS, 0).data?.items ?? [];
  const statuses = usePolled<SystemStatus>("/api/admin/system-status", 0).data?.webhooks ?? [];
  return [
    {
      key: "title",
      label: text("shop.providers.title"),
      cell: ({ word, title, kind }) => (
        <>
          <a class="row-name" href={`/admin/providers/${word}`}>
            {title}
          </a>
          <br />
          <span class="field-hint">
            {toKindTitle(kinds.find((one) => one.kind === kind) ?? { kind, title: kind })}
          </span>
        </>
      ),
    },
    {
      key: "state",
      label: text("admin.column.state"),
      cell: (provider) => (
        <Condition provider={provider} status={statuses.find(({ word }) => word === provider.word)} />
      ),
    },
  ];
}

function Notes({ items, isLoading }: ListPart<ProviderView>): JSX.Element | null {
  const kinds = usePolled<ProviderKinds>(KINDS, 0).data?.items;
  const facts = useSiteFacts();
  if (isLoading || kinds === undefined || facts === undefined) return null;
  return (
    <>
      {!items.some(({ enabled }) => enabled) && <Note kind="warn">{text("shop.providers.noneOn")}</Note>}
      {items.map((provider) => (
        <ProviderNotes
          key={provider.word}
          provider={provider}
          kind={kinds.find(({ kind }) => kind === provider.kind)}
          currency={facts.currency}
        />
      ))}
    </>
  );
}

async function arrange(views: readonly ProviderView[]): Promise<void> {
  const body = { words: views.map(({ word }) => word), version: views[0]?.version };
  await adminRequest("/api/admin/site/provider-order", { method: "POST", body }).catch(showProblem);
}

/** Fields that all providers have; the rest depends on the kind. */
export const providers: Resource<ProviderView, typeof namedProviderSchema, SiteFacts> = {
  ...providerNoun,
  schema: namedProviderSchema,
  creation: { as: "dialog", Dialog: KindDialog },
  Above: Notes,
  table: { class: "settings-table", paging: "whole", columns: useColumns, arrange },
};

/** The section without a provider in its address. */
export function ProvidersPage(): JSX.Element {
  return <ResourceList of={providers} />;
}
