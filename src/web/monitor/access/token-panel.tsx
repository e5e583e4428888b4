/** Viewers' links or tokens for /metrics: what there is, a new one, and its end. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AccessTokenView } from "../../../monitor/access/view-schema.ts";
import { text, withHint } from "../../app/texts.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { DoneDialog, FormDialog } from "../../ui/console/form-dialog.tsx";
import { findError } from "../../ui/forms/field-errors.ts";
import { parseLocal } from "../../ui/forms/local-time.ts";
import { Ago, Badge, CopyBox, Moment } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { second } from "../../app/now.ts";
import { type MadeToken, type TokenList, TOKENS } from "./access-data.ts";

type Scope = AccessTokenView["scope"];

function MadeDialog({ made, onClose }: { made: MadeToken; onClose: () => void }): JSX.Element {
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

function AddDialog(props: {
  scope: Scope;
  onMade: (made: MadeToken) => void;
  onClose: () => void;
}): JSX.Element {
  const { scope, onMade, onClose } = props;
  const [name, setName] = useState("");
  const [end, setEnd] = useState("");
  const task = useTask();
  async function make(): Promise<void> {
    const body = { scope, name: name.trim(), ...(end === "" ? {} : { expiresAt: parseLocal(end) }) };
    onMade(await adminRequest<MadeToken>(TOKENS, { method: "POST", body }));
  }
  function submit(): void {
    if (name.trim() === "") task.refuse(new Map([["/name", text("admin.fault.name")]]));
    else void task.run(make);
  }
  return (
    <FormDialog
      title={text(`admin.tokens.${scope}.add`)}
      action={text("admin.tokens.make")}
      task={task}
      pointers={["/name", "/expiresAt"]}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={text("admin.field.name")}
        hint={text(`admin.tokens.${scope}.nameHint`)}
        required
        maxLength={100}
        value={name}
        error={findError(task.errors, "/name")}
        onInput={setName}
      />
      <TextField
        {...withHint("admin.tokens.end")}
        type="date"
        value={end}
        error={findError(task.errors, "/expiresAt")}
        onInput={setEnd}
      />
    </FormDialog>
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
  | { readonly kind: "made"; readonly made: MadeToken }
  | { readonly kind: "delete"; readonly token: AccessTokenView };

/** All tokens of a scope. */
export function TokenPanel({ scope }: { scope: Scope }): JSX.Element {
  const { data, error, refresh } = usePolled<TokenList>(TOKENS, 0);
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
