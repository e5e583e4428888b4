/** The components of a status page in its form: what each shows, and their order. */
import type { CheckList } from "../../../monitor/checks/answer-schema.ts";
import type { CheckView } from "../../../monitor/checks/view-schema.ts";
import type { Component } from "../../../monitor/status/schema.ts";
import { text } from "../../app/texts.ts";
import { SelectField } from "../../ui/controls.tsx";
import { useLoaded } from "../../ui/console/polled.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { listKind } from "../../ui/resource/group-kinds.tsx";
import { type Form, type KindOf, memberText, toText } from "../../ui/resource/kind.ts";
import { sayPlain } from "../../ui/resource/kinds.tsx";
import { CHECKS } from "../checks/check-data.ts";
import { type ServerList, SERVERS } from "../server-data.ts";
import { componentStatusNames } from "./status-data.ts";

/** Checks on offer; a longer list would not help. */
const MAX_OFFERED = 1_000;

/** Sources of components. */
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

const nothing = { from: "manual", status: "operational", name: "" };

function toSource(source: Component["source"]): typeof nothing {
  if (source.type === "manual") return { ...nothing, status: source.status };
  return {
    ...nothing,
    from: source.type === "check" ? `check:${source.checkId}` : `server:${source.serverId}`,
  };
}

function fromSource(from: string, status: string): object {
  const id = from.slice(from.indexOf(":") + 1);
  if (from.startsWith("check:")) return { type: "check", checkId: id };
  return from.startsWith("server:") ? { type: "server", serverId: id } : { type: "manual", status };
}

/** The source of a component, and the status of a manual one. It keeps the name of the choice. */
const sourceKind: KindOf<Sources> = () => ({
  blank: nothing,
  // Views have it so.
  toTyped: (value) => toSource(value as Component["source"]),
  read: (typed) => ({ value: fromSource(memberText(typed, "from"), memberText(typed, "status")) }),
  Field: ({ label, error, value, context: { choices, names }, onChange }) => {
    const [from, status] = [memberText(value, "from"), memberText(value, "status")];
    const isKnown = choices.some((choice) => choice.value === from);
    const other = text(from === "manual" ? "admin.status.source.manual" : "admin.status.source.gone");
    return (
      <>
        <SelectField<string>
          label={label}
          error={error}
          value={from}
          choices={isKnown ? choices : [...choices, { value: from, label: other }]}
          onChange={(next) => onChange({ from: next, status, name: names.get(next) ?? "" })}
        />
        {from === "manual" && (
          <SelectField<string>
            label={text("admin.column.state")}
            value={status}
            choices={componentStatusNames.map((one) => ({
              value: one,
              label: text(`admin.status.is.${one}`),
            }))}
            onChange={(next) => onChange({ from, status: next, name: "" })}
          />
        )}
      </>
    );
  },
  say: sayPlain,
});

/** Not shown, and sent back as it came. */
const keptKind: KindOf<Sources> = () => ({
  blank: "",
  toTyped: (value) => (typeof value === "string" ? value : ""),
  read: (typed) => ({ value: typed === "" ? undefined : typed }),
  Field: () => null,
  say: sayPlain,
});

const isOfCheck = ({ source }: Form): boolean => memberText(source, "from").startsWith("check:");

/** The list. */
export const componentsKind: KindOf<Sources> = (json) => ({
  ...listKind<Sources>(
    {},
    {
      members: {
        id: { kind: keptKind },
        source: {
          kind: sourceKind,
          sets: (source, { name }): Form => (name === "" ? { name: memberText(source, "name") } : {}),
        },
        showsLatency: { when: isOfCheck, keep: true },
      },
      rows: [
        ["name", "source", "group"],
        ["showsHistory", "showsLatency"],
      ],
      nameOf: ({ name }) => (name === "" ? text("admin.status.components.new") : toText(name)),
    },
  )(json),
  say: (value) => sayPlain(Array.isArray(value) ? value.map(({ name }: Component) => name) : value),
});
