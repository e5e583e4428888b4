/** The components of a status page as a form holds them, and back. */
import type { Component } from "../../../monitor/status/schema.ts";
import { type Read, type Typed, isTypedGroup, isTypedList, memberText } from "../../ui/resource/kind.ts";

/** A component as it is typed; `key` tells rows apart that have no ID yet. */
export interface ComponentForm {
  readonly [name: string]: Typed;
  readonly key: string;
  /** "" of a new one. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly group: string;
  /** "manual", "check:…" or "server:…". */
  readonly source: string;
  /** The status of a manual one. */
  readonly status: string;
  readonly showsHistory: boolean;
  readonly showsLatency: boolean;
}

let made = 0;

/** A component without a name, at the end of the list. */
export function newComponent(): ComponentForm {
  made += 1;
  return {
    key: `new-${made}`,
    id: "",
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

function fromSource({ source, status }: ComponentForm): object {
  const id = source.slice(source.indexOf(":") + 1);
  if (source.startsWith("check:")) return { type: "check", checkId: id };
  return source.startsWith("server:") ? { type: "server", serverId: id } : { type: "manual", status };
}

/** The rows of the form. */
export function asComponents(typed: Typed): readonly ComponentForm[] {
  return (isTypedList(typed) ? typed : []).filter(isTypedGroup).map((row) => ({
    key: memberText(row, "key"),
    id: memberText(row, "id"),
    name: memberText(row, "name"),
    description: memberText(row, "description"),
    group: memberText(row, "group"),
    source: memberText(row, "source"),
    status: memberText(row, "status"),
    showsHistory: row["showsHistory"] === true,
    showsLatency: row["showsLatency"] === true,
  }));
}

/** The rows that show these components. */
export function toRows(components: readonly Component[]): readonly ComponentForm[] {
  return components.map((component, at) => {
    const { id = "", name, description, group, source, showsHistory, showsLatency } = component;
    return {
      key: id === "" ? `at-${at}` : id,
      id,
      name,
      description,
      group,
      source: toSource(source),
      status: source.type === "manual" ? source.status : "operational",
      showsHistory,
      showsLatency,
    };
  });
}

/** The components that the rows mean, or which of them lack a name. */
export function readRows(rows: readonly ComponentForm[]): Read {
  const nameless = [...rows.entries()].filter(([, { name }]) => name.trim() === "");
  if (nameless.length > 0)
    return { faults: new Map(nameless.map(([at]) => [`/${at}/name`, "admin.fault.name" as const])) };
  return {
    value: rows.map((row) => ({
      ...(row.id !== "" && { id: row.id }),
      name: row.name.trim(),
      description: row.description.trim(),
      group: row.group.trim(),
      source: fromSource(row),
      showsHistory: row.showsHistory,
      showsLatency: row.showsLatency,
    })),
  };
}
