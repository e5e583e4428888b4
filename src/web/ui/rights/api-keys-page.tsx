/** API keys of a service: which there are, a new one, changes and revoking. The same page in every console. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ApiKeyList, ApiKeyView, CreatedApiKey } from "../../../records/rights/view-schema.ts";
import { second } from "../../app/now.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../controls.tsx";
import { Empty } from "../empty.tsx";
import { DeleteDialog } from "../console/delete-dialog.tsx";
import { Ago, Badge, Loaded, Moment, PageHead } from "../console/pieces.tsx";
import { usePolled } from "../console/polled.ts";
import { AddKeyDialog, CreatedKeyDialog, EditKeyDialog, API_KEYS } from "./api-key-dialogs.tsx";
import { describeScopes } from "./scope-words.ts";

type Opened =
  | { readonly kind: "add" }
  | { readonly kind: "created"; readonly created: CreatedApiKey }
  | { readonly kind: "edit"; readonly apiKey: ApiKeyView }
  | { readonly kind: "revoke"; readonly apiKey: ApiKeyView };

function KeyFacts({ apiKey }: { apiKey: ApiKeyView }): JSX.Element {
  const { createdAt, expiresAt, lastUsedAt, lastUsedFrom, owner } = apiKey;
  return (
    <dl class="token-facts">
      <div>
        <dt>{text("admin.keys.created")}</dt>
        <dd>
          <Moment at={createdAt} />
          <br />
          <span class="break">{owner}</span>
        </dd>
      </div>
      <div>
        <dt>{text("admin.keys.expires")}</dt>
        <dd>{expiresAt === undefined ? text("admin.tokens.never") : <Moment at={expiresAt} />}</dd>
      </div>
      <div>
        <dt>{text("admin.keys.used")}</dt>
        <dd>
          {lastUsedAt === undefined ? text("admin.tokens.unused") : <Ago at={lastUsedAt} />}
          <br />
          <span class="break">{lastUsedFrom}</span>
        </dd>
      </div>
    </dl>
  );
}

function KeyRow(props: { apiKey: ApiKeyView; onEdit: () => void; onRevoke: () => void }): JSX.Element {
  const { apiKey, onEdit, onRevoke } = props;
  const { name, hint, scopes, networks, expiresAt } = apiKey;
  const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= second.value;
  return (
    <li class="token-row">
      <div>
        <div class="token-name">
          <strong class="break">{name}</strong>
          {isOver && (
            <Badge kind="warn" icon="calendar">
              {text("admin.tokens.over")}
            </Badge>
          )}
        </div>
        <code class="quiet-text">{hint}…</code>
        <ul class="plain-list">
          {describeScopes(scopes).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        {networks.length > 0 && (
          <p class="field-hint break">{text("admin.keys.from", { networks: networks.join(", ") })}</p>
        )}
      </div>
      <KeyFacts apiKey={apiKey} />
      <div class="button-row">
        <Button small icon="edit" onClick={onEdit}>
          {text("admin.edit")}
        </Button>
        <Button small icon="trash" kind="danger" onClick={onRevoke}>
          {text("admin.keys.revoke")}
        </Button>
      </div>
    </li>
  );
}

function KeyList(props: { list: ApiKeyList; onOpen: (opened: Opened) => void }): JSX.Element {
  const { list, onOpen } = props;
  if (list.items.length === 0)
    return (
      <Empty icon="plug" title={text("admin.keys.none")} hint={text("admin.keys.none.hint")}>
        <Button kind="primary" icon="plus" onClick={() => onOpen({ kind: "add" })}>
          {text("admin.keys.add")}
        </Button>
      </Empty>
    );
  return (
    <section class="admin-panel" aria-label={text("admin.nav.apiKeys")}>
      <ul class="plain-list token-list">
        {list.items.map((apiKey) => (
          <KeyRow
            key={apiKey.id}
            apiKey={apiKey}
            onEdit={() => onOpen({ kind: "edit", apiKey })}
            onRevoke={() => onOpen({ kind: "revoke", apiKey })}
          />
        ))}
      </ul>
    </section>
  );
}

/** The page. */
export function ApiKeysPage(): JSX.Element {
  const list = usePolled<ApiKeyList>(API_KEYS, 0);
  const [opened, setOpened] = useState<Opened | undefined>();
  const close = (): void => setOpened(undefined);
  const { refresh } = list;
  return (
    <>
      <PageHead title={text("admin.nav.apiKeys")} hint={text("admin.keys.hint")}>
        {list.data !== undefined && list.data.items.length > 0 && (
          <Button kind="primary" icon="plus" onClick={() => setOpened({ kind: "add" })}>
            {text("admin.keys.add")}
          </Button>
        )}
      </PageHead>
      <Loaded of={list}>{(data) => <KeyList list={data} onOpen={setOpened} />}</Loaded>
      {opened?.kind === "add" && list.data && (
        <AddKeyDialog
          offered={list.data.scopes}
          onClose={close}
          onCreated={(created) => {
            setOpened({ kind: "created", created });
            void refresh();
          }}
        />
      )}
      {opened?.kind === "created" && <CreatedKeyDialog created={opened.created} onClose={close} />}
      {opened?.kind === "edit" && <EditKeyDialog apiKey={opened.apiKey} onDone={refresh} onClose={close} />}
      {opened?.kind === "revoke" && (
        <DeleteDialog
          title={text("admin.keys.revoke.title")}
          action={text("admin.keys.revoke")}
          path={`${API_KEYS}/${opened.apiKey.id}`}
          name={opened.apiKey.name}
          onDone={refresh}
          onClose={close}
        >
          {text("admin.keys.revoke.text", { name: opened.apiKey.name })}
        </DeleteDialog>
      )}
    </>
  );
}
