/**
 * The lists in effect: those of the machine itself, then those that the monitor has for it, which the agent asks for in
 * its reports. They hold names and patterns, and choose among what the agent reads anyway.
 */
import { textOf } from "../kit/thrown.ts";
import { valueAt } from "./details/json.ts";
import { type NameFilter, listExactNames, parseNameFilter } from "../kit/text/name-filter.ts";
import {
  type ListName,
  type NameFilters,
  type NameLists,
  chooseNothing,
  listNames,
  noLists,
} from "./name-filter.ts";

const MAX_LIST = 500;
/** The revision of empty lists. */
const NO_LISTS = "0";

export interface Choices {
  readonly filters: NameFilters;
  /** Names that a list includes without a pattern. */
  names(list: ListName): readonly string[];
  /** Whether a list says anything. */
  isSet(list: ListName): boolean;
  /** Of the monitor's lists that are in effect; "0" before there are some. */
  readonly revision: string;
  /** Applies "REVISION JSON" from the monitor. @throws Error on invalid lists; the previous ones stay in use */
  take(text: string): void;
}

function readLists(json: string): NameLists {
  const given: unknown = JSON.parse(json);
  const lists: Record<ListName, string> = { ...noLists };
  for (const name of listNames) {
    const list = valueAt(given, name) ?? "";
    const isList = typeof list === "string" && list.length <= MAX_LIST;
    if (!isList || (list !== "" && parseNameFilter(list) === undefined))
      throw new Error(`"${name}" is not a list of names`);
    lists[name] = list;
  }
  return lists;
}

/** Starts with the machine's own lists, which win over the monitor's. */
export function createChoices(own: NameLists): Choices {
  let given = noLists;
  let revision = NO_LISTS;
  const parse = (lists: NameLists, name: ListName) => parseNameFilter(lists[name]) ?? chooseNothing;
  const chosen = listNames.map((name) => {
    const of: { readonly own: NameFilter; given: NameFilter } = {
      own: parse(own, name),
      given: chooseNothing,
    };
    return { name, of };
  });
  const filters = Object.fromEntries(
    chosen.map(({ name, of }) => [name, (text: string) => of.own(text) ?? of.given(text)]),
  );
  return {
    // `as`: the entries are those of the names.
    filters: filters as NameFilters,
    names: (list) => listExactNames(`${given[list]},${own[list]}`),
    isSet: (list) => given[list] !== "" || own[list] !== "",
    get revision() {
      return revision;
    },
    take(text) {
      const [, next = "", json = ""] = /^([0-9a-z]{1,32}) (\{.*)$/su.exec(text) ?? [];
      try {
        given = readLists(json);
      } catch (error) {
        throw new Error(`The lists of the monitor cannot be used: ${textOf(error)}`, { cause: error });
      }
      for (const { name, of } of chosen) of.given = parse(given, name);
      revision = next;
    },
  };
}
