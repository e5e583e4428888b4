/** One payment provider: what its kind asks for, what buyers read, where its notices go, and a test. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { basePath } from "../../app/path.ts";
import { navigate } from "../../app/route.ts";
import { findText, text, withHint } from "../../app/texts.ts";
import { Button, Checkbox, TextField } from "../../ui/controls.tsx";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { Badge, CopyBox, Crumbs, FieldGroup, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { useQuery } from "../../ui/console/query.ts";
import { checkSession } from "../../ui/console/session.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import { Icon } from "../../ui/icons.tsx";
import { type FormPart, bindText, bindTick } from "../../ui/forms/bind.ts";
import { SITE } from "../site/site-data.ts";
import { errorsBelow } from "../../ui/forms/field-errors.ts";
import { TranslationsField } from "../ui/translations-field.tsx";
import { KindFields } from "./kind-fields.tsx";
import {
  type KindView,
  type ProviderView,
  type ProvidersSite,
  DEMO,
  KINDS,
  isGeneric,
  toKindTitle,
} from "./provider-data.ts";
import { type ProviderForm, type Stored, toBlank, toEdited } from "./provider-form.ts";
import { ProviderNotes } from "./provider-notes.tsx";
import { ProviderRemoval } from "./provider-removal.tsx";
import { ProviderTest } from "./provider-test.tsx";

const LIST = "/admin/providers";
const POINTERS = [
  "/word",
  "/title",
  "/options",
  "/credentials",
  "/payUrlTemplate",
  "/instructions",
  "/expiryMinutes",
  "/translations",
];

type Part = FormPart<ProviderForm>;

function NameFields(props: Part & { isNew: boolean; isDemo: boolean }): JSX.Element {
  const { isNew, isDemo } = props;
  return (
    <FieldGroup title={text("shop.ui.nameAndState")}>
      <TextField {...withHint("shop.providers.title")} maxLength={120} {...bindText(props, "title")} />
      {isNew && (
        <TextField
          {...withHint("shop.providers.word")}
          autoComplete="off"
          maxLength={40}
          {...bindText(props, "word")}
        />
      )}
      {isDemo && (
        <div class="admin-note is-warn">
          <Icon name="alert" />
          <span>{text("shop.providers.demo.warning")}</span>
        </div>
      )}
      <Checkbox
        label={text(isDemo ? "shop.providers.demo.enabled" : "shop.ui.enabled")}
        {...bindTick(props, "enabled")}
      />
    </FieldGroup>
  );
}

function OwnFields(props: Part): JSX.Element {
  return (
    <>
      <Checkbox label={text("shop.providers.requireSecret")} {...bindTick(props, "requireWebhookSecret")} />
      <TextField {...withHint("shop.providers.payUrl")} {...bindText(props, "payUrlTemplate")} />
    </>
  );
}

function BuyerFields(props: Part & { site: ProvidersSite }): JSX.Element {
  const { form, errors, onChange, site } = props;
  return (
    <>
      <FieldGroup title={text("shop.providers.buyers")}>
        <TextField
          {...withHint("shop.providers.instructions")}
          long
          maxLength={2_000}
          {...bindText(props, "instructions")}
        />
        <TextField
          label={text("shop.providers.expiry")}
          hint={text("shop.providers.expiry.hint", { minutes: site.orderExpiryMinutes })}
          inputMode="numeric"
          {...bindText(props, "expiryMinutes")}
        />
      </FieldGroup>
      <FieldGroup title={text("shop.site.translations")} hint={text("shop.site.translations.hint")}>
        <TranslationsField
          languages={site.languages}
          words={[
            { name: "title", label: text("shop.providers.title"), maxLength: 120 },
            {
              name: "instructions",
              label: text("shop.providers.instructions"),
              long: true,
              maxLength: 2_000,
            },
          ]}
          own={{ title: form.title, instructions: form.instructions }}
          value={form.translations}
          errorAt={errorsBelow(errors, "/translations")}
          onChange={(translations) => onChange({ translations })}
        />
      </FieldGroup>
    </>
  );
}

/** Where the service sends its notices, as its own settings want it. */
function NoticeAddress({ provider }: { provider: ProviderView }): JSX.Element {
  const isLocal = /^(?:localhost|127\.|\[::1\])/u.test(location.hostname);
  return (
    <section class="admin-panel stack-small beside-form" aria-labelledby="provider-address">
      <h2 id="provider-address">{text("shop.providers.webhook")}</h2>
      <p class="field-hint">{text("shop.providers.webhook.hint")}</p>
      <CopyBox
        label={text("shop.providers.webhook")}
        value={`${location.origin}${basePath}${provider.webhookPath}`}
      />
      {isLocal && <p class="field-hint">{text("shop.providers.webhook.local")}</p>}
    </section>
  );
}

interface EditorProps {
  readonly kind: KindView;
  readonly site: ProvidersSite;
  readonly stored: Stored;
  readonly onSaved: () => void;
}

function EditorHead({
  kind,
  stored,
  dirty,
}: {
  kind: KindView;
  stored: Stored;
  dirty: boolean;
}): JSX.Element {
  const [isDeleting, setDeleting] = useState(false);
  const { provider, isNew } = stored;
  return (
    <>
      <PageHead
        title={
          <>
            {isNew ? text("shop.providers.new", { kind: toKindTitle(kind) }) : provider.title}{" "}
            {!isNew && !provider.enabled && <Badge kind="warn">{text("shop.ui.off")}</Badge>}
          </>
        }
        hint={isNew ? undefined : toKindTitle(kind)}
      >
        {kind.documentation !== "" && (
          <a class="button" href={kind.documentation} target="_blank" rel="noopener noreferrer">
            {text("shop.providers.documentation")}
          </a>
        )}
        {!isNew && provider.word !== DEMO && (
          <Button icon="trash" kind="danger" disabled={dirty} onClick={() => setDeleting(true)}>
            {text("admin.delete")}
          </Button>
        )}
      </PageHead>
      {isDeleting && (
        <ProviderRemoval
          provider={provider}
          onDone={async () => navigate(LIST, { replace: true })}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}

function ProviderEditor({ kind, site, stored, onSaved }: EditorProps): JSX.Element {
  const taken = stored.isNew ? site.paymentProviders.map(({ word }) => word) : [];
  const editor = useEditor(
    stored,
    useMemo(
      () =>
        toEdited(kind, {
          taken,
          onSaved,
        }),
      [kind],
    ),
  );
  const { base, form, dirty, task } = editor;
  const { provider, isNew } = base;
  useEffect(() => {
    if (stored.isNew && !isNew) navigate(`${LIST}/${provider.word}`, { replace: true });
  }, [isNew]);
  useEffect(() => {
    if (stored.isNew) editor.change({ title: stored.provider.title });
  }, []);
  const part = { form, errors: task.errors, onChange: editor.change };
  const isDemo = provider.word === DEMO;
  return (
    <>
      <EditorHead kind={kind} stored={base} dirty={dirty} />
      {!isNew && <ProviderNotes provider={provider} kind={kind} currency={site.currency} />}
      <EditorForm label={provider.title} editor={editor} pointers={POINTERS}>
        <NameFields {...part} isNew={isNew} isDemo={isDemo} />
        {(kind.fields.length > 0 || isGeneric(provider)) && (
          <FieldGroup
            title={text("shop.providers.access")}
            hint={[
              findText(`shop.providers.how.${kind.kind}`) ?? "",
              text("shop.providers.access.hint"),
            ].join(" ")}
          >
            <KindFields {...part} kind={kind} credentialsSet={provider.credentialsSet} />
            {isGeneric(provider) && <OwnFields {...part} />}
          </FieldGroup>
        )}
        <BuyerFields {...part} site={site} />
      </EditorForm>
      {!isNew && kind.can.includes("notices") && !isDemo && <NoticeAddress provider={provider} />}
      {!isNew && kind.can.includes("begin") && <ProviderTest provider={provider} kind={kind} dirty={dirty} />}
    </>
  );
}

function toStored(site: ProvidersSite, id: string, kind: KindView | undefined): Stored | undefined {
  const { version, paymentProviders } = site;
  if (id === "new" && kind !== undefined) {
    const words = paymentProviders.map(({ word }) => word);
    return { version, provider: toBlank(kind, words), isNew: true };
  }
  const provider = paymentProviders.find(({ word }) => word === id);
  return provider && { version, provider, isNew: false };
}

/** The section with a provider in its address; "new" with a kind for one that is not there yet. */
export function ProviderPage({ id }: { id: string }): JSX.Element {
  const query = useQuery();
  const site = usePolled<ProvidersSite>(SITE, 0);
  const kinds = usePolled<{ readonly items: readonly KindView[] }>(KINDS, 0);
  const error = site.error ?? kinds.error;
  const wanted = site.data?.paymentProviders.find(({ word }) => word === id)?.kind ?? query.get("kind");
  const kind = kinds.data?.items.find((one) => one.kind === wanted);
  const stored = site.data && toStored(site.data, id, kind);
  const isThere = site.data !== undefined && kinds.data !== undefined;
  return (
    <>
      <Crumbs to={LIST} label="shop.nav.providers" />
      {error && (
        <ErrorNote
          message={toMessage(error)}
          onRetry={() => void Promise.all([site.refresh(), kinds.refresh()])}
        />
      )}
      {!isThere && error === undefined && <p class="empty">{text("page.loading")}</p>}
      {isThere && stored === undefined && <p class="empty">{text("shop.providers.unknown")}</p>}
      {site.data && kind && stored && (
        <ProviderEditor
          kind={kind}
          site={site.data}
          stored={stored}
          // The banner of the demo payment comes with the session.
          onSaved={() => void Promise.all([site.refresh(), checkSession()])}
          key={stored.isNew ? `new ${kind.kind}` : id}
        />
      )}
    </>
  );
}
