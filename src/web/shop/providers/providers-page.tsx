/** All payment providers in the order in which buyers see them. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button, IconButton } from "../../ui/controls.tsx";
import { Dialog } from "../../ui/controls-dialog.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { Ago, Badge, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, showProblem, useTask } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { moveItem } from "../../ui/forms/moves.ts";
import { Icon } from "../../ui/icons.tsx";
import { SITE } from "../site/site-data.ts";
import {
  type KindView,
  type ProviderView,
  type ProvidersSite,
  DEMO,
  KINDS,
  ORDER,
  isUsable,
  toKindTitle,
} from "./provider-data.ts";
import { ProviderNotes } from "./provider-notes.tsx";

/** How a provider fares, of GET /api/admin/system-status. */
interface Status {
  readonly word: string;
  readonly lastNoticeAt?: string;
  readonly openReviews: number;
  readonly isSilent: boolean;
}

/** The first currencies of a list that may be long. */
function toShort(currencies: readonly string[]): string {
  return currencies.length > 4 ? `${currencies.slice(0, 4).join(", ")} …` : currencies.join(", ");
}

function KindDialog(props: {
  kinds: readonly KindView[];
  currency: string;
  onClose: () => void;
}): JSX.Element {
  const { kinds, currency, onClose } = props;
  return (
    <Dialog title={text("shop.providers.add")} wide onClose={onClose}>
      <ul class="plain-list kind-list">
        {kinds.map(({ kind, title, currencies }) => (
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

function Condition({
  provider,
  status,
}: {
  provider: ProviderView;
  status: Status | undefined;
}): JSX.Element {
  const { enabled, word } = provider;
  if (!enabled) return <Badge>{text("shop.ui.off")}</Badge>;
  if (!isUsable(provider)) return <Badge kind="warn">{text("shop.providers.noInstructions")}</Badge>;
  return (
    <>
      <Badge kind={word === DEMO || status?.isSilent === true ? "warn" : "good"}>{text("shop.ui.on")}</Badge>
      {status?.isSilent === true && <p class="field-hint">{text("shop.providers.silent")}</p>}
      {status?.lastNoticeAt !== undefined && (
        <p class="field-hint">
          {text("shop.providers.lastNotice")} <Ago at={status.lastNoticeAt} />
        </p>
      )}
      {(status?.openReviews ?? 0) > 0 && (
        <p class="field-hint">
          <a href="/admin/payments">{text("shop.providers.reviews", { count: status?.openReviews ?? 0 })}</a>
        </p>
      )}
    </>
  );
}

function toColumns(options: {
  kinds: readonly KindView[];
  providers: readonly ProviderView[];
  statuses: readonly Status[];
  busy: boolean;
  onMove: (from: number, to: number) => void;
}): readonly TableColumn<ProviderView>[] {
  const { kinds, providers, statuses, busy, onMove } = options;
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
    {
      key: "order",
      label: text("shop.providers.order"),
      silent: true,
      cell: (provider) => {
        const at = providers.indexOf(provider);
        const name = provider.title;
        return (
          <span class="move-buttons">
            <IconButton
              icon="up"
              label={text("admin.move.up", { name })}
              disabled={busy || at === 0}
              onClick={() => onMove(at, at - 1)}
            />
            <IconButton
              icon="down"
              label={text("admin.move.down", { name })}
              disabled={busy || at === providers.length - 1}
              onClick={() => onMove(at, at + 1)}
            />
          </span>
        );
      },
    },
  ];
}

function List(props: {
  site: ProvidersSite;
  kinds: readonly KindView[];
  onChange: () => Promise<void>;
}): JSX.Element {
  const { site, kinds, onChange } = props;
  const { data } = usePolled<{ readonly providers: readonly Status[] }>("/api/admin/system-status", 0);
  const task = useTask();
  const providers = site.paymentProviders;
  async function move(from: number, to: number): Promise<void> {
    const words = moveItem(providers, { from, to }).map(({ word }) => word);
    await adminRequest(ORDER, { method: "POST", body: { words, version: site.version } });
    await onChange();
  }
  const columns = toColumns({
    kinds,
    providers,
    statuses: data?.providers ?? [],
    busy: task.busy,
    onMove: (from, to) => void task.run(() => move(from, to).catch(showProblem)),
  });
  return (
    <>
      {!providers.some(({ enabled }) => enabled) && (
        <div class="admin-note is-warn">
          <Icon name="alert" />
          <span>{text("shop.providers.noneOn")}</span>
        </div>
      )}
      {providers.map((provider) => (
        <ProviderNotes
          key={provider.word}
          provider={provider}
          kind={kinds.find(({ kind }) => kind === provider.kind)}
          currency={site.currency}
        />
      ))}
      <div class="settings-table">
        <Table
          caption={text("shop.nav.providers")}
          columns={columns}
          rows={providers}
          keyOf={({ word }) => word}
        />
      </div>
    </>
  );
}

/** The section without a provider in its address. */
export function ProvidersPage(): JSX.Element {
  const site = usePolled<ProvidersSite>(SITE, 0);
  const kinds = usePolled<{ readonly items: readonly KindView[] }>(KINDS, 0);
  const [isAdding, setAdding] = useState(false);
  const error = site.error ?? kinds.error;
  const isThere = site.data?.paymentProviders.some(({ word }) => word === DEMO) === true;
  const offered = kinds.data?.items.filter(({ kind }) => kind !== DEMO || !isThere) ?? [];
  return (
    <>
      <PageHead title={text("shop.nav.providers")} hint={text("shop.providers.hint")}>
        <Button
          kind="primary"
          icon="plus"
          disabled={kinds.data === undefined}
          onClick={() => setAdding(true)}
        >
          {text("shop.providers.add")}
        </Button>
      </PageHead>
      {error && (
        <ErrorNote
          message={toMessage(error)}
          onRetry={() => void Promise.all([site.refresh(), kinds.refresh()])}
        />
      )}
      {site.data === undefined && error === undefined && <p class="empty">{text("page.loading")}</p>}
      {site.data && kinds.data && <List site={site.data} kinds={kinds.data.items} onChange={site.refresh} />}
      {isAdding && (
        <KindDialog kinds={offered} currency={site.data?.currency ?? ""} onClose={() => setAdding(false)} />
      )}
    </>
  );
}
