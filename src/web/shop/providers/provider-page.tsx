/** One payment provider, or a new one: its form, the URL for its notifications, and a test payment. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { FieldsJson } from "../../../kit/fields/field-json.ts";
import type { AdminSite, ProviderView } from "../../../shop/settings/answer-schema.ts";
import type { ProviderKindView, ProviderKinds } from "../../../shop/payments/providers/answer-schema.ts";
import { ApiError } from "../../app/api.ts";
import { basePath } from "../../app/path.ts";
import { text } from "../../app/texts.ts";
import { Badge, CopyBox, Crumbs } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { useQuery } from "../../ui/console/query.ts";
import { adminRequest, checkSession } from "../../ui/console/session.ts";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { makeForm, nestFields } from "../../ui/resource/form.ts";
import type { Form } from "../../ui/resource/kind.ts";
import type { ItemTools, Resource } from "../../ui/resource/resource.ts";
import { NewResourcePage, ResourcePage } from "../../ui/resource/resource-page.tsx";
import { SITE } from "../site/site-data.ts";
import type { SiteFacts } from "../ui/site-facts.ts";
import { DEMO, KINDS, MANUAL, PROVIDERS, providerNoun, toKindTitle } from "./provider-data.ts";
import { toProviderForm } from "./provider-form.ts";
import { ProviderNotes } from "./provider-notes.tsx";
import { ProviderRemoval } from "./provider-removal.tsx";
import { ProviderTest } from "./provider-test.tsx";
import { Note } from "../../ui/console/note.tsx";
import { Panel } from "../../ui/panel.tsx";

/** Where the provider sends its notifications, as its own settings want it. */
function NoticeAddress({ provider }: { provider: ProviderView }): JSX.Element {
  const isLocal = /^(?:localhost|127\.|\[::1\])/u.test(location.hostname);
  return (
    <Panel
      small
      title={text("shop.providers.webhook")}
      hint={text("shop.providers.webhook.hint")}
      class="beside-form"
    >
      <CopyBox
        label={text("shop.providers.webhook")}
        value={`${location.origin}${basePath}${provider.webhookPath}`}
      />
      {isLocal && <p class="field-hint">{text("shop.providers.webhook.local")}</p>}
    </Panel>
  );
}

function OffMark({ view }: { view: ProviderView }): JSX.Element | null {
  return view.enabled ? null : <Badge kind="warn">{text("shop.ui.off")}</Badge>;
}

/** Defaults of a new provider: disabled until tested, unless there is nothing to test. */
function toInitial(kind: ProviderKindView, taken: readonly string[]): Form {
  const first = kind.kind === MANUAL ? "bank" : kind.kind;
  let word = first;
  for (let number = 2; taken.includes(word); number += 1) word = `${kind.kind}${number}`;
  return { word, title: toKindTitle(kind), enabled: kind.kind === MANUAL };
}

function takenFault(): ApiError {
  const message = text("fault.word.taken");
  return new ApiError(message, {
    status: 409,
    code: "already_exists",
    faults: [{ pointer: "/word", code: "taken", message }],
  });
}

/** Creates a provider; its word must be free when it is sent. @throws ApiError */
async function createProvider(
  kind: string,
  { word, ...fields }: Readonly<Record<string, unknown>>,
): Promise<ProviderView> {
  const { version, paymentProviders } = await adminRequest<AdminSite>(SITE);
  if (paymentProviders.some((provider) => provider.word === word)) throw takenFault();
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  const body = nestFields({ ...Object.fromEntries(given), kind });
  return adminRequest<ProviderView>(`${PROVIDERS}/${encodeURIComponent(String(word))}`, {
    method: "PUT",
    body,
    version,
  });
}

/** The resource for a kind. */
function toResource(kind: ProviderKindView, site: AdminSite): Resource<ProviderView, FieldsJson, SiteFacts> {
  const isDemo = kind.kind === DEMO;
  const Documentation = (): JSX.Element | null =>
    kind.documentation === "" ? null : (
      <a class="button" href={kind.documentation} target="_blank" rel="noopener noreferrer">
        {text("shop.providers.documentation")}
      </a>
    );
  return {
    ...providerNoun,
    ...toProviderForm(kind, { isNew: false }),
    table: {},
    toFields: (view) => ({
      ...view,
      credentials: Object.fromEntries(view.credentialsSet.map((name) => [name, true])),
    }),
    useContext: () => site,
    // The banner of the demo payment comes with the session.
    onSaved: () => void checkSession(),
    creation: {
      title: text("shop.providers.new", { kind: toKindTitle(kind) }),
      form: makeForm(toProviderForm(kind, { isNew: true })),
      initial: ({ paymentProviders }) =>
        toInitial(
          kind,
          paymentProviders.map(({ word }) => word),
        ),
      action: () => "admin.save",
      send: (fields) => createProvider(kind.kind, fields),
      Actions: Documentation,
    },
    ...(isDemo && { deletion: false }),
    Mark: OffMark,
    hintOf: () => toKindTitle(kind),
    Actions: Documentation,
    Before: ({ view }: ItemTools<ProviderView>) => (
      <>
        <ProviderNotes provider={view} kind={kind} currency={site.currency} />
        {isDemo && <Note kind="warn">{text("shop.providers.demo.warning")}</Note>}
      </>
    ),
    After: ({ view, dirty }: ItemTools<ProviderView>) => (
      <>
        {kind.can.includes("notices") && !isDemo && <NoticeAddress provider={view} />}
        {kind.can.includes("begin") && <ProviderTest provider={view} kind={kind} dirty={dirty} />}
      </>
    ),
    Delete: ProviderRemoval,
  };
}

function OfKind(props: { kind: ProviderKindView; site: AdminSite; id: string }): JSX.Element {
  const { kind, site, id } = props;
  const of = useMemo(() => toResource(kind, site), [kind.kind]);
  return id === "new" ? <NewResourcePage of={of} /> : <ResourcePage of={of} id={id} />;
}

/** The section with a provider in its address; "new" with a kind for one that is not there yet. */
export function ProviderPage({ id }: { id: string }): JSX.Element {
  const query = useQuery();
  const site = usePolled<AdminSite>(SITE, 0);
  const kinds = usePolled<ProviderKinds>(KINDS, 0);
  const error = site.error ?? kinds.error;
  const isThere = site.data !== undefined && kinds.data !== undefined;
  const stored = site.data?.paymentProviders.find(({ word }) => word === id);
  const wanted = stored?.kind ?? (id === "new" ? query.get("kind") : undefined);
  const kind = kinds.data?.items.find((one) => one.kind === wanted);
  if (site.data && kind) return <OfKind kind={kind} site={site.data} id={id} key={`${kind.kind} ${id}`} />;
  return (
    <>
      <Crumbs to={providerNoun.home} label={providerNoun.navigation} />
      {error && (
        <ErrorNote
          message={toMessage(error)}
          onRetry={() => void Promise.all([site.refresh(), kinds.refresh()])}
        />
      )}
      {!isThere && error === undefined && <p class="empty">{text("page.loading")}</p>}
      {isThere && <p class="empty">{text("shop.providers.unknown")}</p>}
    </>
  );
}
