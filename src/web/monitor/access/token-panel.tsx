/** Viewers' links or tokens for /metrics: what there is, a new one, and its end. */
import type { JSX } from "preact";
import {
  type AccessTokenView,
  type MadeAccessToken,
  newAccessTokenSchema,
} from "../../../monitor/access/view-schema.ts";
import { second } from "../../app/now.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { DoneDialog } from "../../ui/console/form-dialog.tsx";
import { Note } from "../../ui/console/note.tsx";
import { Ago, Badge, CopyBox, Moment } from "../../ui/console/pieces.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { Facts } from "../../ui/facts.tsx";
import { dayKind } from "../../ui/resource/day-kind.tsx";
import type { ListTools, Resource } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";

const TOKENS = "/api/admin/access-tokens";

type Scope = AccessTokenView["scope"];

function MadeDialog({ made, onClose }: { made: MadeAccessToken; onClose: () => void }): JSX.Element {
  const { scope, name, url, token } = made;
  return (
    <DoneDialog title={name} onClose={onClose}>
      <Note kind="warn" icon="key">
        {text(`admin.tokens.${scope}.once`)}
      </Note>
      <CopyBox label={text(`admin.tokens.${scope}.value`)} value={url ?? token} />
    </DoneDialog>
  );
}

function TokenRow({
  token,
  tools,
}: {
  token: AccessTokenView;
  tools: ListTools<AccessTokenView>;
}): JSX.Element {
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
      <Facts
        class="token-facts"
        facts={[
          [text("admin.tokens.created"), <Moment at={createdAt} />],
          [
            text("admin.tokens.ends"),
            expiresAt === undefined ? text("admin.tokens.never") : <Moment at={expiresAt} />,
          ],
          [
            text("admin.tokens.used"),
            lastUsedAt === undefined ? text("admin.tokens.unused") : <Ago at={lastUsedAt} />,
          ],
        ]}
      />
      <Button small icon="trash" kind="danger" onClick={() => tools.remove(token)}>
        {text("admin.delete")}
      </Button>
    </li>
  );
}

function toTokens(scope: Scope): Resource<AccessTokenView, typeof newAccessTokenSchema> {
  return {
    api: TOKENS,
    home: "/admin/access",
    navigation: `admin.tokens.${scope}`,
    texts: `admin.tokens.${scope}`,
    words: "admin.tokens",
    write: "administrator",
    idOf: ({ id }) => id,
    nameOf: ({ name }) => name,
    schema: newAccessTokenSchema,
    fields: {
      scope: false,
      name: {
        label: "admin.field.name",
        hint: `admin.tokens.${scope}.nameHint`,
        missing: "admin.fault.name",
      },
      expiresAt: { kind: dayKind(), label: "admin.tokens.end" },
    },
    creation: {
      as: "dialog",
      action: () => "admin.tokens.make",
      send: (fields) => adminRequest<MadeAccessToken>(TOKENS, { method: "POST", body: { ...fields, scope } }),
      Made: MadeDialog,
    },
    table: {
      paging: "whole",
      narrow: (items) => items.filter((token) => token.scope === scope),
      Rows: ({ items, tools }) => (
        <ul class="plain-list token-list">
          {items.map((token) => (
            <TokenRow token={token} tools={tools} key={token.id} />
          ))}
        </ul>
      ),
    },
  };
}

export const tokens = { view: toTokens("view"), metrics: toTokens("metrics") };

/** All tokens of a scope. */
export function TokenPanel({ scope }: { scope: Scope }): JSX.Element {
  return <ResourceList of={tokens[scope]} head="section" />;
}
