/** Kinds of fields that only applications have: who may use one, where it may act, and what few may turn off. */
import type { Items } from "../../ui/console/paged.ts";
import type { JSX } from "preact";
import type { GroupView } from "../../../auth/groups/schema.ts";
import { type ResourceView, builtInResources } from "../../../auth/resources/schema.ts";
import { findText, text } from "../../app/texts.ts";
import { Checkbox } from "../../ui/controls.tsx";
import { Loaded } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { type KindOf, type Shown, type Typed, toTexts } from "../../ui/resource/kind.ts";
import { sayPlain, switchKind } from "../../ui/resource/kinds.tsx";
import { tagsKind } from "../../ui/resource/set-kinds.tsx";
import { GROUPS, useEvery } from "./application-data.ts";
import { Note } from "../../ui/console/note.tsx";

interface Ticked {
  readonly value: string;
  readonly label: string;
}

function TickGroup(props: {
  label: string;
  error: string | undefined;
  choices: readonly Ticked[];
  chosen: readonly string[];
  onToggle: (value: string, isChosen: boolean) => void;
}): JSX.Element {
  const { label, error, choices, chosen, onToggle } = props;
  return (
    <div class="tick-list" role="group" aria-label={label}>
      {choices.map((choice) => (
        <Checkbox
          key={choice.value}
          label={choice.label}
          checked={chosen.includes(choice.value)}
          onChange={(isChosen) => onToggle(choice.value, isChosen)}
        />
      ))}
      {error && <span class="field-error">{error}</span>}
    </div>
  );
}

function GroupTicks<C>({ label, error, value, onChange }: Shown<C>): JSX.Element {
  const allowed = toTexts(value);
  const groups = useEvery<GroupView>(GROUPS);
  const known = groups.items.map(({ id, title }) => ({ value: id, label: title }));
  // One that is gone stays in sight, so that it can be taken out.
  const gone = allowed.filter((id) => !known.some((group) => group.value === id));
  const all = [...known, ...gone.map((id) => ({ value: id, label: id }))];
  return (
    <>
      {groups.error && <ErrorNote message={toMessage(groups.error)} onRetry={groups.refresh} />}
      {all.length === 0 && !groups.busy && !groups.error && (
        <p>
          {text("auth.applications.groups.none")}{" "}
          <a href="/admin/groups">{text("auth.applications.groups.make")}</a>
        </p>
      )}
      {all.length > 0 && (
        <TickGroup
          label={label}
          error={error}
          choices={all}
          chosen={allowed}
          onToggle={(id, isAllowed) =>
            onChange(isAllowed ? [...allowed, id] : allowed.filter((one) => one !== id))
          }
        />
      )}
      <p class="field-hint" role="status">
        {text(
          allowed.length === 0 ? "auth.applications.groups.everybody" : "auth.applications.groups.members",
        )}
      </p>
    </>
  );
}

/** Members of the ticked groups, or everybody while none is ticked; `heading` where no panel has the label. */
export function groupsKind<C>({ heading = false }: { heading?: boolean } = {}): KindOf<C> {
  return (json) => ({
    ...tagsKind<C>(json),
    Field: (props) =>
      heading ? (
        <section class="stack-small" aria-label={props.label}>
          <h3>{props.label}</h3>
          <GroupTicks {...props} />
        </section>
      ) : (
        <GroupTicks {...props} />
      ),
  });
}

const services = ["auth", "shop", "monitor"] as const;

/** A resource, or one of its scopes, as a line such as "shop" or "shop purchases:read". */
function listLines(registered: readonly ResourceView[]): Ticked[] {
  const own = services.map((service) => ({
    identifier: service,
    title: text(`auth.applications.resources.${service}`),
    scopes: builtInResources[service].map((name) => ({ name, title: name })),
  }));
  return [...own, ...registered].flatMap(({ identifier, title, scopes }) => [
    { value: identifier, label: `${title} (${identifier})` },
    ...scopes.map(({ name, title: opens }) => ({
      value: `${identifier} ${name}`,
      label: opens === name ? `${title} · ${name}` : `${title} · ${name}: ${opens}`,
    })),
  ]);
}

/** With a scope comes its resource, and with a resource go its scopes. */
function toggle(chosen: readonly string[], line: string, isChosen: boolean): readonly string[] {
  const [resource = ""] = line.split(" ");
  if (isChosen) return [...new Set([...chosen, resource, line])];
  return chosen.filter((one) => one !== line && !(line === resource && one.startsWith(`${line} `)));
}

function ResourceTicks<C>({ label, error, value, onChange }: Shown<C>): JSX.Element {
  const chosen = toTexts(value);
  const resources = usePolled<Items<ResourceView>>("/api/admin/resources", 0);
  return (
    <Loaded of={resources}>
      {({ items }) => (
        <TickGroup
          label={label}
          error={error}
          choices={listLines(items)}
          chosen={chosen}
          onToggle={(line, isChosen) => onChange(toggle(chosen, line, isChosen))}
        />
      )}
    </Loaded>
  );
}

function toLines(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    const { id, scopes } = Object(one) as { id?: unknown; scopes?: unknown };
    const names = Array.isArray(scopes) ? scopes.map(String) : [];
    return [String(id), ...names.map((scope) => `${String(id)} ${scope}`)];
  });
}

function readLines(typed: Typed): readonly { id: string; scopes: readonly string[] }[] {
  const all = new Map<string, string[]>();
  for (const line of toTexts(typed)) {
    const [id = "", scope] = line.split(" ");
    const scopes = all.get(id) ?? [];
    all.set(id, scope === undefined ? scopes : [...scopes, scope]);
  }
  return Array.from(all, ([id, scopes]) => ({ id, scopes }));
}

/** Resources that it may request, each with its scopes. */
export function requestableKind<C>(): KindOf<C> {
  return () => ({
    blank: [],
    toTyped: toLines,
    read: (typed) => ({ value: readLines(typed) }),
    Field: (props) => <ResourceTicks {...props} />,
    say: (value) => sayPlain(toLines(value)),
  });
}

/** A switch that is on, with what happens when it is not. */
export function guardedSwitchKind<C>(): KindOf<C> {
  return (json) => {
    const kind = switchKind<C>(json);
    return {
      ...kind,
      Field: (props) => (
        <>
          {props.value === false && <Note kind="warn">{findText(`${props.words}.off`)}</Note>}
          <kind.Field {...props} />
        </>
      ),
    };
  };
}
