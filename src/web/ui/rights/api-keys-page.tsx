/** API keys of a service: which there are, a new one, changes and revoking. The same page in every console. */
import type { JSX } from "preact";
import type { FieldsJson } from "../../../kit/fields/field-json.ts";
import { type ApiKeyList, type ApiKeyView, apiKeyChangeSchema } from "../../../records/rights/view-schema.ts";
import { second } from "../../app/now.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../controls.tsx";
import { DeleteDialog } from "../console/delete-dialog.tsx";
import { Ago, Badge, Moment } from "../console/pieces.tsx";
import { usePolled } from "../console/polled.ts";
import { Facts } from "../facts.tsx";
import { toDateText } from "../forms/local-time.ts";
import { dayKind } from "../resource/day-kind.tsx";
import { toFields } from "../resource/field-source.ts";
import { makeForm } from "../resource/form.ts";
import { type KindOf, toTexts } from "../resource/kind.ts";
import { sayPlain } from "../resource/kinds.tsx";
import { type ListTools, type Resource, toItemPath } from "../resource/resource.ts";
import { ResourceList } from "../resource/resource-list.tsx";
import { CreatedKey } from "./created-key.tsx";
import { ScopeFields } from "./scope-fields.tsx";
import { describeScopes } from "./scope-words.ts";

const API_KEYS = "/api/admin/api-keys";
const DAYS = 90;
const DAY_MS = 86_400_000;

/** The scopes that keys of the service can have. */
type Offered = readonly string[];

const scopesKind: KindOf<Offered> = () => ({
  blank: [],
  toTyped: () => [],
  read: (typed) =>
    toTexts(typed).length === 0 ? { fault: "admin.keys.scopes.none" } : { value: toTexts(typed) },
  Field: ({ label, error, context, value, onChange }) => (
    <ScopeFields label={label} offered={context} scopes={toTexts(value)} error={error} onChange={onChange} />
  ),
  say: sayPlain,
});

const { name, networks, expiresAt } = toFields(apiKeyChangeSchema);
const ends = { label: "admin.keys.end", kind: dayKind<Offered>() } as const;
const named = { missing: "admin.fault.name", json: { required: true } } as const;
const networksRule = { json: { placeholder: "203.0.113.0/24" } } as const;

export const newKey = makeForm<FieldsJson, Offered>({
  schema: {
    name: { kind: "text", ...name },
    expiresAt: { ...expiresAt, kind: "time" },
    networks: { kind: "tags", ...networks },
    scopes: { kind: "tags" },
  },
  words: "admin.keys",
  fields: { name: named, expiresAt: ends, networks: networksRule, scopes: { kind: scopesKind } },
});

function KeyFacts({ apiKey }: { apiKey: ApiKeyView }): JSX.Element {
  const { createdAt, expiresAt, lastUsedAt, lastUsedFrom, owner } = apiKey;
  return (
    <Facts
      class="token-facts"
      facts={[
        [
          text("admin.keys.created"),
          <>
            <Moment at={createdAt} />
            <br />
            <span class="break">{owner}</span>
          </>,
        ],
        [
          text("admin.keys.expires"),
          expiresAt === undefined ? text("admin.tokens.never") : <Moment at={expiresAt} />,
        ],
        [
          text("admin.keys.used"),
          <>
            {lastUsedAt === undefined ? text("admin.tokens.unused") : <Ago at={lastUsedAt} />}
            <br />
            <span class="break">{lastUsedFrom}</span>
          </>,
        ],
      ]}
    />
  );
}

function KeyRow(props: { apiKey: ApiKeyView; tools: ListTools<ApiKeyView> }): JSX.Element {
  const { apiKey, tools } = props;
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
        <Button small icon="edit" onClick={() => tools.edit(apiKey)}>
          {text("admin.edit")}
        </Button>
        <Button small icon="trash" kind="danger" onClick={() => tools.remove(apiKey)}>
          {text("admin.keys.revoke")}
        </Button>
      </div>
    </li>
  );
}

export const apiKeys: Resource<ApiKeyView, typeof apiKeyChangeSchema, Offered> = {
  api: API_KEYS,
  home: "/admin/api-keys",
  navigation: "admin.nav.apiKeys",
  texts: "admin.keys",
  words: "admin.keys",
  write: "administrator",
  schema: apiKeyChangeSchema,
  fields: { name: named, expiresAt: ends, networks: networksRule },
  panels: [
    {
      fields: ["name", "expiresAt", "networks"],
      Below: () => <p class="field-hint">{text("admin.keys.edit.hint")}</p>,
    },
  ],
  idOf: ({ id }) => id,
  nameOf: (apiKey) => apiKey.name,
  useContext: () => usePolled<ApiKeyList>(API_KEYS, 0).data?.scopes,
  creation: {
    as: "dialog",
    form: newKey,
    initial: () => ({ expiresAt: toDateText(Date.now() + DAYS * DAY_MS) }),
    Made: CreatedKey,
  },
  Delete: ({ view, onDone, onClose }) => (
    <DeleteDialog
      title={text("admin.keys.revoke.title")}
      action={text("admin.keys.revoke")}
      path={toItemPath(apiKeys, view.id)}
      name={view.name}
      onDone={onDone}
      onClose={onClose}
    >
      {text("admin.keys.revoke.text", { name: view.name })}
    </DeleteDialog>
  ),
  table: {
    paging: "whole",
    icon: "plug",
    Rows: ({ items, tools }) => (
      <section class="admin-panel" aria-label={text("admin.nav.apiKeys")}>
        <ul class="plain-list token-list">
          {items.map((apiKey) => (
            <KeyRow key={apiKey.id} apiKey={apiKey} tools={tools} />
          ))}
        </ul>
      </section>
    ),
  },
};

/** The page. */
export function ApiKeysPage(): JSX.Element {
  return <ResourceList of={apiKeys} />;
}
