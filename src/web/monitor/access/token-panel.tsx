/** Viewers' links or tokens for /metrics: what there is, a new one, and its end. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import {
  type AccessTokenView,
  type MadeAccessToken,
  newAccessTokenSchema,
} from "../../../monitor/access/view-schema.ts";
import { text } from "../../app/texts.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { DoneDialog } from "../../ui/console/form-dialog.tsx";
import { Ago, Badge, CopyBox, Moment } from "../../ui/console/pieces.tsx";
import type { Items } from "../../ui/console/paged.ts";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { type MadeForm, makeForm } from "../../ui/resource/form.ts";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { type KindOf, toText } from "../../ui/resource/kind.ts";
import { timeKind } from "../../ui/resource/kinds.tsx";
import { second } from "../../app/now.ts";

const TOKENS = "/api/admin/access-tokens";

type Scope = AccessTokenView["scope"];

function MadeDialog({ made, onClose }: { made: MadeAccessToken; onClose: () => void }): JSX.Element {
  const { scope, name, url, token } = made;
  return (
    <DoneDialog title={name} onClose={onClose}>
      <p class="admin-note is-warn">
        <Icon name="key" />
        <span>{text(`admin.tokens.${scope}.once`)}</span>
      </p>
      <CopyBox label={text(`admin.tokens.${scope}.value`)} value={url ?? token} />
    </DoneDialog>
  );
}

/** The day on which it ends; it counts until that day begins here. */
const dayKind: KindOf<unknown> = (json) => ({
  ...timeKind(json),
  Field: ({ label, hint, error, value, onChange }) => (
    <TextField label={label} hint={hint} error={error} type="date" value={toText(value)} onInput={onChange} />
  ),
});

function toForm(scope: Scope): MadeForm<unknown> {
  return makeForm({
    schema: newAccessTokenSchema,
    words: "admin.tokens",
    fields: {
      scope: false,
      name: {
        label: "admin.field.name",
        hint: `admin.tokens.${scope}.nameHint`,
        missing: "admin.fault.name",
      },
      expiresAt: { kind: dayKind, label: "admin.tokens.end" },
    },
  });
}

const forms: Readonly<Record<Scope, MadeForm<unknown>>> = {
  view: toForm("view"),
  metrics: toForm("metrics"),
};

function AddDialog(props: {
  scope: Scope;
  onMade: (made: MadeAccessToken) => void;
  onClose: () => void;
}): JSX.Element {
  const { scope, onMade, onClose } = props;
  return (
    <FieldsDialog
      title={text(`admin.tokens.${scope}.add`)}
      action={text("admin.tokens.make")}
      form={forms[scope]}
      context={undefined}
      send={async (fields) =>
        onMade(await adminRequest<MadeAccessToken>(TOKENS, { method: "POST", body: { ...fields, scope } }))
      }
      onClose={onClose}
    />
  );
}

function TokenRow({ token, onDelete }: { token: AccessTokenView; onDelete: () => void }): JSX.Element {
  const { name, createdAt, expiresAt, lastUsedAt } = token;
  const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= second.value;
  return (
    <li class="token-row">
      <div class="token-name">
        <strong class="break">{name}</strong>
        {isOver && (
          <Badge kind="warn" icon="calendar">
            {text("admin.tokens.over")}
          </Badge>
        )}
      </div>
      <dl class="token-facts">
        <div>
          <dt>{text("admin.tokens.created")}</dt>
          <dd>
            <Moment at={createdAt} />
          </dd>
        </div>
        <div>
          <dt>{text("admin.tokens.ends")}</dt>
          <dd>{expiresAt === undefined ? text("admin.tokens.never") : <Moment at={expiresAt} />}</dd>
        </div>
        <div>
          <dt>{text("admin.tokens.used")}</dt>
          <dd>{lastUsedAt === undefined ? text("admin.tokens.unused") : <Ago at={lastUsedAt} />}</dd>
        </div>
      </dl>
      <Button small icon="trash" kind="danger" onClick={onDelete}>
        {text("admin.delete")}
      </Button>
    </li>
  );
}

type Opened =
  | { readonly kind: "add" }
  | { readonly kind: "made"; readonly made: MadeAccessToken }
  | { readonly kind: "delete"; readonly token: AccessTokenView };

/** All tokens of a scope. */
export function TokenPanel({ scope }: { scope: Scope }): JSX.Element {
  const { data, error, refresh } = usePolled<Items<AccessTokenView>>(TOKENS, 0);
  const [opened, setOpened] = useState<Opened | undefined>();
  const close = (): void => setOpened(undefined);
  const items = data?.items.filter((token) => token.scope === scope) ?? [];
  return (
    <section class="admin-panel stack-small" aria-labelledby={`tokens-${scope}`}>
      <div class="admin-head">
        <h2 id={`tokens-${scope}`}>{text(`admin.tokens.${scope}`)}</h2>
        <span class="spacer" />
        <Button icon="plus" onClick={() => setOpened({ kind: "add" })}>
          {text(`admin.tokens.${scope}.add`)}
        </Button>
      </div>
      <p class="field-hint">{text(`admin.tokens.${scope}.hint`)}</p>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {data && items.length === 0 && <p class="quiet-text">{text(`admin.tokens.${scope}.none`)}</p>}
      {items.length > 0 && (
        <ul class="plain-list token-list">
          {items.map((token) => (
            <TokenRow token={token} key={token.id} onDelete={() => setOpened({ kind: "delete", token })} />
          ))}
        </ul>
      )}
      {opened?.kind === "add" && (
        <AddDialog
          scope={scope}
          onClose={close}
          onMade={(made) => {
            setOpened({ kind: "made", made });
            void refresh();
          }}
        />
      )}
      {opened?.kind === "made" && <MadeDialog made={opened.made} onClose={close} />}
      {opened?.kind === "delete" && (
        <DeleteDialog
          title={text(`admin.tokens.${scope}.delete`)}
          path={`${TOKENS}/${opened.token.id}`}
          name={opened.token.name}
          onDone={refresh}
          onClose={close}
        >
          {text(`admin.tokens.${scope}.delete.text`, { name: opened.token.name })}
        </DeleteDialog>
      )}
    </section>
  );
}
