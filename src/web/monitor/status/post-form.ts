/** What is posted on a status page, as forms hold it, and back. */
import type { PostView } from "../../../monitor/status/post-schema.ts";
import type { ComponentStatus, Impact } from "../../../monitor/status/schema.ts";
import type { TextName } from "../../app/texts.ts";
import { parseLocal, toDateTimeText } from "../../ui/forms/local-time.ts";
import type { ParsedForm } from "../../ui/forms/parsed.ts";

/** What components are said to be; those that are left out are not spoken of. */
export type ComponentWords = Readonly<Record<string, ComponentStatus>>;

export interface UpdateForm {
  readonly step: PostView["step"];
  readonly text: string;
  readonly components: ComponentWords;
  readonly notifies: boolean;
}

export interface PostForm extends UpdateForm {
  readonly type: PostView["type"];
  readonly title: string;
  /** "": as bad as what it does to components. */
  readonly impact: Impact | "";
  readonly isDraft: boolean;
  /** Local dates and times of planned maintenance. */
  readonly from: string;
  readonly to: string;
}

/** An empty form. */
export function newPost(type: PostView["type"]): PostForm {
  return {
    type,
    title: "",
    impact: "",
    isDraft: false,
    from: "",
    to: "",
    text: "",
    components: {},
    notifies: true,
    step: type === "incident" ? "investigating" : "scheduled",
  };
}

type Faults = Map<string, TextName>;

/** When maintenance is planned for; `before` keeps seconds that a field does not show. */
function parsePlan(
  { type, from, to }: Pick<PostForm, "type" | "from" | "to">,
  faults: Faults,
  before: Pick<PostView, "plannedFrom" | "plannedTo"> = {},
): Pick<PostView, "plannedFrom" | "plannedTo"> {
  if (type === "incident") return {};
  const plannedFrom = parseLocal(from, before.plannedFrom);
  const plannedTo = parseLocal(to, before.plannedTo);
  if (plannedFrom === undefined) faults.set("/plannedFrom", "admin.fault.moment");
  if (plannedTo === undefined) faults.set("/plannedTo", "admin.fault.moment");
  else if (plannedFrom !== undefined && Date.parse(plannedFrom) >= Date.parse(plannedTo))
    faults.set("/plannedTo", "admin.fault.after");
  return { plannedFrom, plannedTo };
}

/** What is sent to make a post, or what is wrong with the form. */
export function parsePost(form: PostForm): ParsedForm<object> {
  const faults: Faults = new Map();
  const { type, step, components, notifies, isDraft, impact } = form;
  const title = form.title.trim();
  const words = form.text.trim();
  if (title === "") faults.set("/title", "admin.fault.title");
  if (words === "") faults.set("/update/text", "admin.fault.missing");
  const plan = parsePlan(form, faults);
  if (faults.size > 0) return { ok: false, faults };
  return {
    ok: true,
    fields: {
      type,
      title,
      isDraft,
      notifies,
      ...plan,
      ...(impact === "" ? {} : { impact }),
      update: { step, text: words, components },
    },
  };
}

/** What can be changed of a post itself. */
export type PostHeadForm = Pick<PostForm, "type" | "title" | "from" | "to"> & { readonly impact: Impact };

/** The form that shows it. */
export function toPostHead({ type, title, impact, plannedFrom, plannedTo }: PostView): PostHeadForm {
  return { type, title, impact, from: toDateTimeText(plannedFrom), to: toDateTimeText(plannedTo) };
}

/** What is sent to change it, or what is wrong with the form. */
export function parsePostHead(form: PostHeadForm, before: PostView): ParsedForm<object> {
  const faults: Faults = new Map();
  const title = form.title.trim();
  if (title === "") faults.set("/title", "admin.fault.title");
  const plan = parsePlan(form, faults, before);
  return faults.size > 0
    ? { ok: false, faults }
    : { ok: true, fields: { title, impact: form.impact, ...plan } };
}

/** What is sent as an update, or what is wrong with the form. */
export function parseUpdate({ step, text, components, notifies }: UpdateForm): ParsedForm<object> {
  if (text.trim() === "") return { ok: false, faults: new Map([["/text", "admin.fault.missing"]]) };
  return { ok: true, fields: { step, text: text.trim(), components, notifies } };
}
