/** What the list of accounts is narrowed to; the address keeps it. */
import type { JSX } from "preact";
import { MAX_SEARCH } from "../../../auth/admin/schema.ts";
import type { GroupView } from "../../../auth/groups/schema.ts";
import { type TextName, text } from "../../app/texts.ts";
import { Button, Select } from "../../ui/controls.tsx";
import { SearchField } from "../../ui/filters/search-field.tsx";
import type { Query } from "../../ui/console/query.ts";
import { GROUPS, useEvery } from "../applications/application-data.ts";
import { USERS } from "./user-data.ts";

const DAY_MS = 86_400_000;

/** Values in the address, each with its words; "" narrows nothing. */
const filters = {
  status: [
    ["", "auth.users.filter.status.any"],
    ["active", "auth.users.filter.status.active"],
    ["pending", "auth.users.filter.status.pending"],
    ["suspended", "auth.users.filter.status.suspended"],
    ["deleted", "auth.users.filter.status.deleted"],
  ],
  role: [
    ["", "auth.users.filter.role.any"],
    ["user", "auth.users.filter.role.user"],
    ["admin", "auth.users.filter.role.admin"],
  ],
  emailVerified: [
    ["", "auth.users.filter.emailVerified.any"],
    ["true", "auth.users.filter.emailVerified.true"],
    ["false", "auth.users.filter.emailVerified.false"],
  ],
  secondFactor: [
    ["", "auth.users.filter.secondFactor.any"],
    ["true", "auth.users.filter.secondFactor.true"],
    ["false", "auth.users.filter.secondFactor.false"],
  ],
  signedIn: [
    ["", "auth.users.filter.signedIn.any"],
    ["week", "auth.users.filter.signedIn.week"],
    ["quarter", "auth.users.filter.signedIn.quarter"],
    ["never", "auth.users.filter.signedIn.never"],
  ],
  sort: [
    ["", "auth.users.filter.sort.any"],
    ["oldest", "auth.users.filter.sort.oldest"],
    ["username", "auth.users.filter.sort.username"],
    ["lastSignIn", "auth.users.filter.sort.lastSignIn"],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [string, TextName])[]>>;
const names = ["status", "role", "emailVerified", "secondFactor", "signedIn", "sort"] as const;

/** A day in the past, whole, so that the address of the list stays the same while it is looked at. */
function daysAgo(days: number): string {
  return new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS).toISOString();
}

/** The address of the list that the query asks for. */
export function toListPath(query: Query): string {
  const asked = new URLSearchParams({ limit: "50" });
  for (const name of ["q", "group", "status", "role", "emailVerified", "secondFactor", "sort"])
    if (query.get(name) !== "") asked.set(name, query.get(name));
  const signedIn = query.get("signedIn");
  if (signedIn === "week") asked.set("signedInFrom", daysAgo(7));
  if (signedIn === "quarter") asked.set("signedInTo", daysAgo(90));
  if (signedIn === "never") asked.set("neverSignedIn", "true");
  return `${USERS}?${asked.toString()}`;
}

function FilterSelect({ name, query }: { name: (typeof names)[number]; query: Query }): JSX.Element {
  return (
    <Select<string>
      label={text(`auth.users.filter.${name}`)}
      value={query.get(name)}
      choices={filters[name].map(([value, label]) => ({ value, label: text(label) }))}
      onChange={(value) => query.set({ [name]: value })}
    />
  );
}

/** The groups that there are; one of the address that is not among them stays, so that it can be seen and left. */
function GroupFilter({ query }: { query: Query }): JSX.Element | null {
  const { items } = useEvery<GroupView>(GROUPS);
  const asked = query.get("group");
  const known = items.map(({ id, title }) => ({ value: id, label: title }));
  const isKnown = asked === "" || items.some(({ id }) => id === asked);
  const choices = isKnown ? known : [...known, { value: asked, label: asked }];
  if (choices.length === 0) return null;
  return (
    <Select<string>
      label={text("auth.nav.groups")}
      value={asked}
      choices={[{ value: "", label: text("auth.users.filter.group.any") }, ...choices]}
      onChange={(group) => query.set({ group })}
    />
  );
}

/** All of them in a row. */
export function UserFilters({ query }: { query: Query }): JSX.Element {
  const isNarrowed = ["q", "group", ...names].some((name) => query.get(name) !== "");
  const none = Object.fromEntries(["q", "group", ...names].map((name) => [name, ""]));
  return (
    <div class="admin-filters is-many">
      <SearchField query={query} label={text("auth.users.search")} maxLength={MAX_SEARCH} />
      {names.map((name) => (
        <FilterSelect name={name} query={query} key={name} />
      ))}
      <GroupFilter query={query} />
      {isNarrowed && (
        <Button kind="quiet" onClick={() => query.set(none)}>
          {text("auth.users.filter.clear")}
        </Button>
      )}
    </div>
  );
}
