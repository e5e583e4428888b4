/** The components of a status page in a form: what each shows, and their order. */
import { describeSchema } from "../../../kit/fields/describe.ts";
import { componentSchema } from "../../../monitor/status/schema.ts";
import type { JSX } from "preact";
import type { CheckList } from "../../../monitor/checks/answer-schema.ts";
import type { CheckView } from "../../../monitor/checks/view-schema.ts";
import { text } from "../../app/texts.ts";
import { Button, Checkbox, IconButton, SelectField, TextField } from "../../ui/controls.tsx";
import { useLoaded } from "../../ui/console/polled.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { moveItem } from "../../ui/forms/moves.ts";
import type { Shown, Typed } from "../../ui/resource/kind.ts";
import { CHECKS } from "../checks/check-data.ts";
import { type ServerList, SERVERS } from "../server-data.ts";
import { type ComponentForm, asComponents, newComponent } from "./component-form.ts";
import { componentStatusNames } from "./status-data.ts";

const bounds = describeSchema(componentSchema);

/** Checks that are offered; a longer list helps nobody to choose. */
const MAX_OFFERED = 1_000;

/** What a component can follow. */
export interface Sources {
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly names: ReadonlyMap<string, string>;
}

async function loadSources(): Promise<Sources> {
  const servers = await adminRequest<ServerList>(SERVERS);
  const checks: CheckView[] = [];
  let cursor: string | undefined;
  do {
    const more = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await adminRequest<CheckList>(`${CHECKS}?limit=200${more}`);
    checks.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined && checks.length < MAX_OFFERED);
  const named = [
    ...checks.map(({ id, name }) => ({
      value: `check:${id}`,
      name,
      label: text("admin.status.source.check", { name }),
    })),
    ...servers.items.map(({ id, name }) => ({
      value: `server:${id}`,
      name,
      label: text("admin.status.source.server", { name }),
    })),
  ];
  return {
    choices: [{ value: "manual", label: text("admin.status.source.manual") }, ...named],
    names: new Map(named.map(({ value, name }) => [value, name])),
  };
}

const noSources: Sources = { choices: [], names: new Map() };

/** Asked once, when the form opens. */
export function useSources(): Sources {
  return useLoaded("sources", { load: loadSources, everyMs: 0 }).data ?? noSources;
}

/** The choices with the present one, which may be gone. */
function withPresent({ choices }: Sources, value: string): Sources["choices"] {
  if (choices.some((choice) => choice.value === value)) return choices;
  const manual = value === "manual";
  return [
    ...choices,
    { value, label: text(manual ? "admin.status.source.manual" : "admin.status.source.gone") },
  ];
}

interface RowProps {
  readonly component: ComponentForm;
  readonly at: number;
  readonly count: number;
  readonly sources: Sources;
  readonly errorAt: (pointer: string) => string | undefined;
  readonly onChange: (change: { readonly [name: string]: Typed }) => void;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
}

/** What is shown of a component, its place, and its end. */
function RowActions(props: RowProps & { label: string }): JSX.Element {
  const { component, at, count, label, onChange, onMove, onRemove } = props;
  const { source, showsHistory, showsLatency } = component;
  return (
    <div class="button-row">
      <Checkbox
        label={text("admin.status.component.history")}
        checked={showsHistory}
        onChange={(checked) => onChange({ showsHistory: checked })}
      />
      {source.startsWith("check:") && (
        <Checkbox
          label={text("admin.status.component.latency")}
          checked={showsLatency}
          onChange={(checked) => onChange({ showsLatency: checked })}
        />
      )}
      <span class="spacer" />
      <IconButton
        icon="up"
        label={text("admin.move.up", { name: label })}
        disabled={at === 0}
        onClick={() => onMove(at - 1)}
      />
      <IconButton
        icon="down"
        label={text("admin.move.down", { name: label })}
        disabled={at === count - 1}
        onClick={() => onMove(at + 1)}
      />
      <IconButton icon="trash" label={text("admin.remove.named", { name: label })} onClick={onRemove} />
    </div>
  );
}

function ComponentRow(props: RowProps): JSX.Element {
  const { component, at, sources, errorAt, onChange } = props;
  const { name, group, description, source, status } = component;
  const label = name === "" ? text("admin.status.component.new") : name;
  return (
    <li class="stack-small status-component" aria-label={label}>
      <div class="field-row">
        <TextField
          label={text("admin.field.name")}
          value={name}
          maxLength={bounds.name.max}
          required
          error={errorAt(`/${at}/name`)}
          onInput={(value) => onChange({ name: value })}
        />
        <SelectField
          label={text("admin.status.component.source")}
          value={source}
          error={errorAt(`/${at}/source`)}
          choices={withPresent(sources, source)}
          onChange={(value) => {
            const named = name === "" ? sources.names.get(value) : undefined;
            onChange({ source: value, ...(named === undefined ? {} : { name: named }) });
          }}
        />
        <TextField
          label={text("admin.field.group")}
          value={group}
          maxLength={bounds.group.max}
          onInput={(value) => onChange({ group: value })}
        />
      </div>
      <TextField
        label={text("admin.field.description")}
        value={description}
        maxLength={bounds.description.max}
        onInput={(value) => onChange({ description: value })}
      />
      {source === "manual" && (
        <SelectField
          label={text("admin.column.state")}
          value={status}
          choices={componentStatusNames.map((value) => ({ value, label: text(`admin.status.is.${value}`) }))}
          onChange={(value) => onChange({ status: value })}
        />
      )}
      <RowActions {...props} label={label} />
    </li>
  );
}

/** The list, with what adds to it; `max` is as many as a page holds. */
export function ComponentList({
  max,
  value,
  errorAt,
  onChange,
}: Pick<Shown<unknown>, "value" | "errorAt" | "onChange"> & { max: number }): JSX.Element {
  const sources = useSources();
  const components = asComponents(value);
  return (
    <>
      {components.length > 0 && (
        <ol class="plain-list stack">
          {components.map((component, at) => (
            <ComponentRow
              key={component.key}
              component={component}
              at={at}
              sources={sources}
              errorAt={errorAt}
              count={components.length}
              onChange={(change) =>
                onChange(components.map((one) => (one.key === component.key ? { ...one, ...change } : one)))
              }
              onMove={(to) => onChange(moveItem(components, { from: at, to }))}
              onRemove={() => onChange(components.filter(({ key }) => key !== component.key))}
            />
          ))}
        </ol>
      )}
      <div class="button-row">
        <Button
          icon="plus"
          disabled={components.length >= max}
          onClick={() => onChange([...components, newComponent()])}
        >
          {text("admin.status.component.add")}
        </Button>
      </div>
    </>
  );
}
