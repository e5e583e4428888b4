/** A status page as a form holds it, and back. */
import type { Component, StatusPageFields } from "../../../monitor/status/schema.ts";
import type { ParsedForm } from "../../ui/forms/parsed.ts";
import type { TextName } from "../../app/texts.ts";

/** A component as it is typed; `key` tells rows apart that have no id yet. */
export interface ComponentForm {
  readonly key: string;
  readonly id: string | undefined;
  readonly name: string;
  readonly description: string;
  readonly group: string;
  /** "manual", "check:…" or "server:…". */
  readonly source: string;
  /** What a manual one is. */
  readonly status: Extract<Component["source"], { type: "manual" }>["status"];
  readonly showsHistory: boolean;
  readonly showsLatency: boolean;
}

export interface PageForm {
  readonly title: string;
  readonly slug: string;
  readonly description: string;
  readonly host: string;
  readonly access: StatusPageFields["access"];
  readonly language: StatusPageFields["language"];
  readonly components: readonly ComponentForm[];
  readonly noIndex: boolean;
  readonly byMail: boolean;
  readonly byWebhook: boolean;
  readonly publishesAlerts: boolean;
  readonly showsMaintenance: boolean;
  readonly published: boolean;
  readonly customCss: string;
  readonly homeUrl: string;
}

let made = 0;

/** A component without a name, at the end of the list. */
export function newComponent(): ComponentForm {
  made += 1;
  return {
    key: `new-${made}`,
    id: undefined,
    name: "",
    description: "",
    group: "",
    source: "manual",
    status: "operational",
    showsHistory: true,
    showsLatency: false,
  };
}

function toSource(source: Component["source"]): string {
  if (source.type === "check") return `check:${source.checkId}`;
  return source.type === "server" ? `server:${source.serverId}` : "manual";
}

function fromSource({ source, status }: ComponentForm): Component["source"] {
  const id = source.slice(source.indexOf(":") + 1);
  if (source.startsWith("check:")) return { type: "check", checkId: id };
  return source.startsWith("server:") ? { type: "server", serverId: id } : { type: "manual", status };
}

/** The form that shows a page. */
export function toPageForm(fields: StatusPageFields): PageForm {
  const { subscribers, components, ...rest } = fields;
  return {
    ...rest,
    byMail: subscribers.mail,
    byWebhook: subscribers.webhook,
    components: components.map((component, at) => {
      const { id, name, description, group, source, showsHistory, showsLatency } = component;
      const status = source.type === "manual" ? source.status : "operational";
      const key = id ?? `at-${at}`;
      return {
        key,
        id,
        name,
        description,
        group,
        source: toSource(source),
        status,
        showsHistory,
        showsLatency,
      };
    }),
  };
}

/** A page's address made of its title: what an administrator would type. */
export function toSlug(title: string): string {
  return title
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .slice(0, 60)
    .split("-")
    .filter((part) => part !== "")
    .join("-");
}

/** The page that a form means, or what is wrong with it. */
export function parsePageForm(form: PageForm, before: StatusPageFields): ParsedForm<StatusPageFields> {
  const faults = new Map<string, TextName>();
  const { byMail, byWebhook, components, ...rest } = form;
  const title = form.title.trim();
  const slug = form.slug.trim();
  if (title === "") faults.set("/title", "admin.fault.title");
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/u.test(slug)) faults.set("/slug", "admin.status.fault.slug");
  for (const [at, { name }] of components.entries())
    if (name.trim() === "") faults.set(`/components/${at}/name`, "admin.fault.name");
  if (faults.size > 0) return { ok: false, faults };
  return {
    ok: true,
    fields: {
      ...before,
      ...rest,
      title,
      slug,
      host: form.host.trim(),
      homeUrl: form.homeUrl.trim(),
      subscribers: { mail: byMail, webhook: byWebhook },
      components: components.map((component) => {
        const { id, name, description, group, showsHistory, showsLatency } = component;
        const named = { name: name.trim(), description: description.trim(), group: group.trim() };
        const source = fromSource(component);
        return { ...(id === undefined ? {} : { id }), ...named, source, showsHistory, showsLatency };
      }),
    },
  };
}
