/** What narrows the list of checks: words, states, group, tag and kind, all kept in the address. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Chip, Select } from "../../ui/controls.tsx";
import { useQuery } from "../../ui/console/query.ts";
import { SearchField } from "../../ui/filters/search-field.tsx";
import { type CheckCounts, type CheckFilter, NO_GROUP, countAll } from "./check-list.ts";
import { checkKinds } from "../../../monitor/checks/schema.ts";
import { kindText, listedStates } from "../pieces/check-words.ts";
import type { CheckNames } from "./check-data.ts";

interface FilterProps {
  readonly filter: CheckFilter;
  readonly counts: CheckCounts | undefined;
  readonly names: CheckNames;
  readonly onFilter: (change: Partial<CheckFilter>) => void;
}

function StateChips({ filter, counts, onFilter }: FilterProps): JSX.Element {
  return (
    <>
      <Chip
        pressed={filter.state === ""}
        count={counts && countAll(counts)}
        onClick={() => onFilter({ state: "" })}
      >
        {text("admin.kind.all")}
      </Chip>
      {listedStates.map((state) => {
        const count = counts?.[state] ?? 0;
        if (count === 0 && filter.state !== state) return null;
        return (
          <Chip
            key={state}
            count={count}
            pressed={filter.state === state}
            onClick={() => onFilter({ state: filter.state === state ? "" : state })}
          >
            {text(`admin.check.state.${state}`)}
          </Chip>
        );
      })}
    </>
  );
}

/** One choice among names; nothing where there are none. */
function NameSelect(props: {
  label: string;
  any: string;
  value: string;
  choices: readonly { readonly value: string; readonly label: string }[];
  onChange: (value: string) => void;
}): JSX.Element | null {
  const { label, any, value, choices, onChange } = props;
  if (choices.length === 0) return null;
  // A name of the address that is gone by now is still what the list is narrowed by.
  const known = value === "" || choices.some((choice) => choice.value === value);
  const all = [{ value: "", label: any }, ...choices, ...(known ? [] : [{ value, label: value }])];
  return <Select label={label} value={value} choices={all} onChange={onChange} />;
}

function toNamed(names: readonly string[]): readonly { readonly value: string; readonly label: string }[] {
  return names.map((value) => ({ value, label: value }));
}

/** The bar. */
export function CheckFilters(props: FilterProps): JSX.Element {
  const { filter, names, onFilter } = props;
  const query = useQuery();
  const noGroup = { value: NO_GROUP, label: text("fleet.noGroup") };
  return (
    <div class="admin-filters">
      <SearchField query={query} label={text("admin.checks.find")} maxLength={100} />
      <StateChips {...props} />
      <NameSelect
        label={text("admin.field.group")}
        any={text("admin.checks.any.group")}
        value={filter.group}
        choices={names.groups.length === 0 ? [] : [...toNamed(names.groups), noGroup]}
        onChange={(group) => onFilter({ group })}
      />
      <NameSelect
        label={text("admin.field.tags")}
        any={text("admin.checks.any.tag")}
        value={filter.tag}
        choices={toNamed(names.tags)}
        onChange={(tag) => onFilter({ tag })}
      />
      <NameSelect
        label={text("admin.check.kind")}
        any={text("admin.checks.any.kind")}
        value={filter.kind}
        choices={checkKinds.map((value) => ({ value, label: kindText(value) }))}
        onChange={(kind) => onFilter({ kind })}
      />
    </div>
  );
}
