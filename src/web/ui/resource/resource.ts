/**
 * A kind of record that administrators keep, said once: where it is, its fields, its list and its actions. The pages are
 * made of it by resource-list.tsx and resource-page.tsx. A whole example and what each part means: docs/console-pages.md.
 */
import type { ComponentChildren, JSX } from "preact";
import type { ApiError } from "../../app/api.ts";
import { type TextName, text } from "../../app/texts.ts";
import { adminRequest, mayUse } from "../console/session.ts";
import type { TableColumn, TableOrder } from "../controls-table.tsx";
import type { Choice } from "../controls.tsx";
import type { IconName } from "../icons.tsx";
import { isSame } from "../forms/conflict.ts";
import { type Edited, tellSaved } from "../forms/parsed.ts";
import {
  type FieldForm,
  type FieldSource,
  type MadeForm,
  type Slot,
  makeForm,
  nestFields,
  pickFields,
  readForm,
  toTyped,
} from "./form.ts";
import type { Form } from "./kind.ts";

/** Actions of a list, for its parts. */
export interface ListTools<View> {
  /** Whether the person may change anything: without it, show no button that does. */
  readonly mayWrite: boolean;
  readonly refresh: () => Promise<void>;
  /** Asks for a new one in a dialog; undefined where there is none, or for who may not. */
  readonly add: (() => void) | undefined;
  /** Sends fields of one row; what is wrong is said above the list. */
  readonly change: (view: View, fields: object) => void;
  /** Sends the rows in another order, where the table can be arranged. */
  readonly arrange: (views: readonly View[]) => void;
  /** Whether a change is on its way. */
  readonly isBusy: boolean;
  /** Shows the dialog of one, where the resource has `Item`; `what` says which, where there are several. */
  readonly open: (view: View, what?: string) => void;
  /** Shows the form of one in a dialog, for a resource without pages of its own. */
  readonly edit: (view: View) => void;
  /** Asks before one is deleted. */
  readonly remove: (view: View) => void;
  /** Shows what was made by `creation.Made`, in the place of any other dialog. */
  readonly showMade: (made: object) => void;
}

/** Props of the parts above and below a list. */
export interface ListPart<View> {
  readonly tools: ListTools<View>;
  /** All that were loaded. */
  readonly items: readonly View[];
  readonly isLoading: boolean;
}

/** For the parts of an item's page. */
export interface ItemTools<View> {
  readonly view: View;
  readonly mayWrite: boolean;
  /** Whether the form has unsaved changes. */
  readonly dirty: boolean;
  readonly refresh: () => Promise<void>;
  /** Shows what an action has made of it. */
  readonly begin: (view: View) => void;
}

/** How many there are of each value of a filter, as answers have it beside `items`. */
export type Counts = Readonly<Record<string, number>>;

export interface ListState<View> {
  readonly items: readonly View[];
  /** All that were loaded, before a list that comes whole is filtered here. */
  readonly all: readonly View[];
  readonly isLoading: boolean;
  /** There is more behind what was loaded, though that may be nothing. */
  readonly hasMore?: boolean;
  readonly error: ApiError | undefined;
  readonly refresh: () => Promise<void>;
  readonly counts?: Counts | undefined;
  /** Buttons that lead on. */
  readonly more: JSX.Element | null;
}

export interface ListSection<View> {
  readonly key: string;
  readonly title?: string | undefined;
  /** Of the row with its title. */
  readonly class?: string;
  readonly rows: readonly View[];
}

/** Props of a section's head; without `ticks` no row can be ticked. */
export interface SectionHeadProps<View> {
  readonly section: ListSection<View>;
  readonly idOf: (view: View) => string;
  readonly ticks: Ticks | undefined;
  /** How many columns there are. */
  readonly width: number;
}

/** Which rows are ticked. */
export interface Ticks {
  readonly ticked: ReadonlySet<string>;
  /** With the IDs of all rows in their order, all from the last one that was changed to this. */
  readonly tick: (id: string, isTicked: boolean, among?: readonly string[]) => void;
  readonly set: (ids: readonly string[]) => void;
  readonly clear: () => void;
}

/** Props of a list's custom rows. */
export interface RowsPart<View> {
  readonly items: readonly View[];
  readonly tools: ListTools<View>;
}

/** A filter, kept in the address and sent in the request. */
export type ListFilter = DrawnFilter | LinkFilter;

/** Links to the list set it. */
export interface LinkFilter {
  readonly name: string;
  readonly as: "link";
}

export interface DrawnFilter {
  readonly name: string;
  readonly label: TextName;
  /**
   * A choice, all in sight or in a list; a text; behind "More filters" a day, too.
   */
  readonly as?: "segments" | "list" | "text" | "day";
  /** Another drawing, such as `FilterChips`. */
  readonly Draw?: Slot<FilterProps>;
  /** The values of a choice, where they are not those of `query`; "" narrows nothing. */
  readonly values?: readonly string[];
  /** Words of a value: "<words>.<value>", of none `any` or "<words>.any". */
  readonly words?: string;
  readonly any?: TextName;
  /** The choices, where they are known only now. */
  readonly useChoices?: () => readonly Choice<string>[];
  /** Turns the typed value into the value that is sent, "" for none, or into several query parameters; `get` reads other filters. */
  readonly toAsked?: (
    typed: string,
    get: (name: string) => string,
  ) => string | Readonly<Record<string, string>>;
  /** The value that asks for those without any, such as those in no group: it is sent as an empty one. */
  readonly none?: string;
  /** Behind "More filters". */
  readonly seldom?: true;
}

export interface FilterProps {
  readonly filter: DrawnFilter;
  readonly table: TableQuery;
  /** How many there are of each value, where the answer says it. */
  readonly counts: Counts | undefined;
}

/** An action on all ticked rows, one request each. */
export interface BulkAction<View> {
  readonly label: TextName;
  readonly danger?: boolean;
  readonly work: (view: View) => Promise<unknown>;
}

/** Props of the bulk bar. */
export interface BulkPart<View> {
  /** Those that are ticked and in sight. */
  readonly views: readonly View[];
  /** All that were loaded. */
  readonly items: readonly View[];
  readonly mayWrite: boolean;
  /** Ticks all that are in sight; undefined when they are. */
  readonly tickAll: (() => void) | undefined;
  /** Something was done: clears the selection and reloads the list. */
  readonly done: () => Promise<void>;
  readonly refresh: () => Promise<void>;
  readonly clear: () => void;
}

/** Which rows a list asks for, and how they come. */
export interface TableQuery {
  /**
   * "pages": a page with the way to the next, in the address. "more": all that were asked for, one below the other.
   * "every": all pages at once. "whole": the service gives everything in one answer.
   */
  readonly paging?: "pages" | "more" | "every" | "whole";
  /** Of a list that comes whole, or by `usePaging`: how often it is reloaded while the page is visible, in ms. */
  readonly pollMs?: number;
  /** The label of the search; its text is `q` of the request. */
  readonly search?: TextName;
  readonly filters?: readonly ListFilter[];
  /** The schema of the request: choices and bounds of the filters are its own. */
  readonly query?: FieldSource;
  /** A choice of the order, sent as `sort`; `query` knows the orders and the first of them. "<words>.<order>" names each. */
  readonly sorts?: { readonly label: TextName; readonly words: string };
  /** How the service sorts at first; columns that are `sortable` send `sort`: "title", "-title". */
  readonly order?: TableOrder;
  /** A button that reloads the list, for rows that change by themselves. */
  readonly reload?: true;
  /** Ways to take the list away as CSV: the filters are put to the path. `found`: the label while it is narrowed. */
  readonly exports?: readonly {
    readonly label: TextName;
    readonly found?: TextName;
    readonly path: string;
    readonly file: string;
    /** Sent besides the filters. */
    readonly also?: Readonly<Record<string, string>>;
  }[];
}

export interface ResourceTable<View> extends TableQuery {
  /** Draws the filters where there are more than choices in a line, such as `MoreFilters`; `items` are all that were loaded. */
  readonly Filters?: Slot<{
    table: TableQuery;
    items: readonly View[];
    counts: Counts | undefined;
    refresh: () => Promise<void>;
  }>;
  /** Of a list that comes whole: filters, searches and sorts it here, by what the address says. */
  readonly narrow?: (items: readonly View[], asked: Readonly<Record<string, string>>) => readonly View[];
  /** Rows to draw before somebody asks for all of them. */
  readonly firstRows?: number;
  /** Called each time the list is drawn; it may use hooks, such as for what all rows share. */
  readonly columns?: (tools: ListTools<View>, items: readonly View[]) => readonly TableColumn<View>[];
  /** Another way in which rows come, such as `usePolledList`. */
  readonly usePaging?: (
    path: string,
    options: { idOf: (view: View) => string; pollMs: number },
  ) => ListState<View>;
  /** Groups of rows, each below its title; one without a title has none. */
  readonly sections?: {
    /** It may use hooks. */
    readonly of: (items: readonly View[]) => readonly ListSection<View>[];
    /** `SectionHead`, which only such lists need. */
    readonly Head: Slot<SectionHeadProps<View>>;
  };
  readonly rowClass?: (view: View) => string;
  /** Draws each of them, an item of a list, in the place of a table's row; `tick` selects it for bulk actions. */
  readonly Card?: Slot<{ view: View; tools: ListTools<View>; tick: ComponentChildren }>;
  /** Draws all of them, such as a tree, in the place of a table. */
  readonly Rows?: Slot<RowsPart<View>>;
  /** Replaces the text of an empty list. */
  readonly Nothing?: Slot<{ tools: ListTools<View> }>;
  readonly bulk?: readonly BulkAction<View>[];
  /** Whether the user may tick rows; by default, if they may change them. */
  readonly mayTick?: () => boolean;
  /** The bar of what is done to ticked rows, where that is not one request each. */
  readonly Bulk?: Slot<BulkPart<View>>;
  /** Accessible name of a row's checkbox; the row's name by default. */
  readonly tickName?: (view: View) => string;
  /** The label of a tick above the rows, for all of them: {count}. */
  readonly tickAll?: TextName;
  /** Lets people put the rows in an order, which this sends. */
  readonly arrange?: (views: readonly View[]) => Promise<unknown>;
  /** At most so many may be ticked. */
  readonly bulkMax?: number;
  /** Class that sets the widths of its columns. */
  readonly class?: string;
  readonly icon?: IconName;
}

/** How a new one comes to be. */
export interface Creation<C> {
  /** Another form than the one that is edited. */
  readonly form?: MadeForm<C>;
  /** A page at "<home>/new", or a dialog of the list. */
  readonly as?: "page" | "dialog";
  /** Initial values that depend on the context. */
  readonly initial?: (context: C) => Form;
  /** Label of the submit button; "<texts>.make" or "<texts>.add" by default. */
  readonly action?: (form: Form) => TextName;
  /** Where it is not POST of the fields to `api`. */
  readonly send?: (fields: Readonly<Record<string, unknown>>) => Promise<unknown>;
  /** Shown in the place of going on to the new one's page. */
  readonly Made?: Slot<{ made: never; onClose: () => void }>;
  /** The title of the page, where it is not a text of the resource. */
  readonly title?: string;
  /** Further buttons at the head of the page. */
  readonly Actions?: Slot<object>;
  /** Asks in its own way; `onMade` gets what `Made` shows, or the new one. */
  readonly Dialog?: Slot<{
    onMade: (made: object) => void;
    /** Reloads the list, where the dialog itself shows what was made. */
    refresh: () => Promise<void>;
    onClose: () => void;
  }>;
  /** The list stays: a new one has no page of its own. */
  readonly stays?: true;
  readonly icon?: IconName;
}

/** How one is made and edited in a dialog of the list; it then has no page. */
export interface DialogEditing<View extends object, S extends FieldSource, C> {
  /** `ItemDialog`, which only such lists need. */
  readonly Editor: Slot<ItemDialogProps<View, S, C>>;
  /** Where it is not POST to `api` and PATCH of the item; without `view` it is a new one. */
  readonly save?: (fields: Readonly<Record<string, unknown>>, view: View | undefined) => Promise<View>;
  /** Tries what is typed before it is saved; gives what draws the outcome, with a way to try again. */
  readonly test?: (fields: Readonly<Record<string, unknown>>, view: View | undefined) => Promise<DrawTested>;
}

export interface ItemDialogProps<View extends object, S extends FieldSource, C> {
  readonly of: Resource<View, S, C>;
  /** Undefined for a new one. */
  readonly view: View | undefined;
  readonly onSaved: (saved: View) => Promise<void>;
  readonly onClose: () => void;
}

export type DrawTested = (again: () => void) => ComponentChildren;

/** Dialogs that the list opens: for a new one, for what was made, for one of them. */
export interface Opened<View> {
  readonly adding?: boolean;
  readonly made?: object;
  readonly item?: View;
  readonly what?: string | undefined;
  readonly edited?: View;
  readonly removed?: View;
}

/** A list of records that may have no form: those that only come about, such as customers. */
export interface Listing<View extends object> {
  /** GET here. */
  readonly api: `/api/admin/${string}`;
  /** Its name in the navigation, which is the title of its list. */
  readonly navigation: TextName;
  /** Texts of pages: "<texts>.none", ".none.hint", ".none.found", ".hint". */
  readonly texts: string;
  /** The scope that changes need, such as "products:write": who lacks it reads. */
  readonly write: string;
  readonly idOf: (view: View) => string;
  readonly nameOf: (view: View) => string;
  readonly table: ResourceTable<View>;
  /** Above and below the list. */
  readonly Above?: Slot<ListPart<View>>;
  readonly Below?: Slot<ListPart<View>>;
  /** Further buttons at the list's head. */
  readonly ListActions?: Slot<ListPart<View>>;
  /** The parameter of the address that holds the ID of the one whose dialog is open, for dialogs that a link opens. */
  readonly itemIn?: string;
  /** A dialog of one that the list opens. */
  readonly Item?: Slot<{
    view: View;
    what: string | undefined;
    tools: ListTools<View>;
    onClose: () => void;
  }>;
}

/**
 * Records that administrators keep: GET and POST at `api`, GET, PATCH and DELETE at its items. `View`: one as answers have
 * it. `S`: the schema of a change. `C`: what fields must know of the console. Texts besides those of the list: "<texts>.add",
 * ".new", ".make", ".edit", ".delete", ".delete.text", and ".unknown" where one is not found.
 */
export interface Resource<View extends object, S extends FieldSource, C = undefined>
  extends FieldForm<S, C>, Listing<View> {
  readonly home: `/admin/${string}`;
  /** Appended to the URL of each of its pages if two resources share `home`: "?kind=collections". */
  readonly search?: `?${string}`;
  /** The name of its list on one's page, where that is not `navigation`. */
  readonly crumb?: TextName;
  /** How often the page of one reloads it while it is visible, in ms: its parts show what is new, and so does the form while nothing is typed. */
  readonly pollMs?: number;
  /** Context of the fields, for the edited record or a new one; undefined while loading. */
  readonly useContext?: (view?: View) => C | undefined;
  /** False: the list adds none. */
  readonly creation?: Creation<C> | false;
  readonly dialog?: DialogEditing<View, S, C>;
  /** Sends only fields that differ, for records with many of them. */
  readonly sends?: "changes";
  /** The record as the form reads it, where that is not how answers have it. */
  readonly toFields?: (view: View) => object;
  /** Called once a change was sent. */
  readonly onSaved?: (saved?: View) => void;
  /** False: it cannot be deleted from its page. */
  readonly deletion?: false;
  /** Beside its name, and below it. */
  readonly Mark?: Slot<{ view: View }>;
  readonly hintOf?: (view: View) => string | undefined;
  /** Further buttons of its page. */
  readonly Actions?: Slot<ItemTools<View>>;
  /** Replaces the form on its page; the form is then in a dialog. */
  readonly Body?: Slot<ItemTools<View>>;
  /** Asks before it is deleted, where that takes more than a question. */
  readonly Delete?: Slot<{ view: View; onDone: () => Promise<void>; onClose: () => void }>;
  /** Above and below the form. */
  readonly Before?: Slot<ItemTools<View>>;
  readonly After?: Slot<ItemTools<View>>;
  /** Panels beside the form. */
  readonly Side?: Slot<ItemTools<View>>;
}

/** Whether a list has a form, to add one. */
export function isResource<View extends object, S extends FieldSource, C>(
  of: Listing<View> | Resource<View, S, C>,
): of is Resource<View, S, C> {
  return "schema" in of;
}

/** Where one of them is. */
export function toItemPath({ api }: { readonly api: string }, id: string): string {
  return `${api}/${encodeURIComponent(id)}`;
}

/** The address of its list, of one's page, or of the page for a new one. */
export function toAddress(
  { home, search = "" }: { readonly home: string; readonly search?: string },
  id?: string,
): string {
  return `${home}${id === undefined ? "" : `/${encodeURIComponent(id)}`}${search}`;
}

/** A text of the resource's pages. */
export function pageText({ texts }: { readonly texts: string }, name: string): string {
  // Each resource has these texts: test/web/resource/texts.test.ts.
  return text(`${texts}.${name}` as TextName);
}

/** Whether the person may change what the resource keeps. */
export function mayWrite({ write }: { readonly write: string }): boolean {
  return mayUse(write);
}

/** The version of one, where it has any. */
export function versionOf(view: object): number | undefined {
  const version: unknown = Reflect.get(view, "version");
  return typeof version === "number" ? version : undefined;
}

/**
 * Sends fields in place of `from`: all of them with the version; where it has none, or `sends` says so, those that differ.
 */
export async function sendChange<View extends object>(
  path: string,
  from: View,
  {
    fields,
    before,
    sends,
  }: { fields: object; before: Readonly<Record<string, unknown>>; sends?: "changes" | undefined },
): Promise<View> {
  const version = versionOf(from);
  const changed = Object.entries(fields).filter(([name, value]) => !isSame(value, before[name]));
  const body: unknown = nestFields(
    version === undefined || sends === "changes" ? Object.fromEntries(changed) : { ...fields },
  );
  return adminRequest<View>(path, { method: "PATCH", body, ...(version !== undefined && { version }) });
}

/** How one is edited. */
export function toEdited<View extends object, S extends FieldSource, C>(
  of: Resource<View, S, C>,
  context: C,
): Edited<View, Form, Readonly<Record<string, unknown>>> {
  const form = makeForm(of);
  const pick = (stored: View): Readonly<Record<string, unknown>> =>
    pickFields(form, of.toFields?.(stored) ?? stored);
  const pathOf = (view: View): string => toItemPath(of, of.idOf(view));
  return {
    pick,
    toForm: (fields) => toTyped(form, fields, context),
    parse: (typed, before) => readForm(form, typed, { context, before }),
    send: (from, fields) =>
      tellSaved(sendChange(pathOf(from), from, { fields, before: pick(from), sends: of.sends }), of.onSaved),
    reload: (view) => adminRequest<View>(pathOf(view)),
  };
}

/** Creates a new item from form values; null members are omitted. */
export async function sendNew<View extends object, S extends FieldSource, C>(
  of: Resource<View, S, C>,
  fields: Readonly<Record<string, unknown>>,
): Promise<View> {
  const send = of.creation === false ? undefined : of.creation?.send;
  // The answer is one of them, or what the resource's own `Made` takes.
  if (send !== undefined) return (await send(fields)) as View;
  const body = nestFields(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)));
  return adminRequest<View>(of.api, { method: "POST", body });
}
