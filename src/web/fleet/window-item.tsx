/** An item and a heading of a windowed list, each at its place. */
import type { ComponentChildren, JSX } from "preact";
import { memo } from "preact/compat";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { text } from "../app/texts.ts";
import type { Section } from "./selection.ts";

/** "table" makes items rows of a table. */
export type ListKind = "list" | "table";
export type DrawServer = (server: PublicServer) => ComponentChildren;

export interface WindowItemProps {
  readonly server: PublicServer;
  readonly index: number;
  readonly total: number;
  readonly kind: ListKind;
  /** px within the list. */
  readonly top: number;
  readonly start: number;
  readonly width: number;
  readonly height: number;
  readonly draw: DrawServer;
}

/** One server's place; drawn again only when the server or the place is another. */
export const WindowItem = memo(function WindowItem(props: WindowItemProps): JSX.Element {
  const { server, index, total, kind, top, start, width, height, draw } = props;
  const aria =
    kind === "list"
      ? { role: "listitem" as const, "aria-posinset": index + 1, "aria-setsize": total }
      : { role: "row" as const, "aria-rowindex": index + 2 };
  return (
    <div
      class="window-item"
      data-index={index}
      {...aria}
      style={{ insetBlockStart: top, insetInlineStart: start, inlineSize: width, blockSize: height }}
    >
      {draw(server)}
    </div>
  );
});

/** The heading of a group. */
export function WindowHeading(props: { section: Section; kind: ListKind; top: number }): JSX.Element {
  const { section, kind, top } = props;
  const words = (
    <>
      {section.group === "" ? text("fleet.noGroup") : section.group}
      <span class="section-count">{section.servers.length}</span>
    </>
  );
  if (kind === "list") {
    return (
      <h2 class="section-heading" style={{ insetBlockStart: top }}>
        {words}
      </h2>
    );
  }
  return (
    <div class="section-heading" role="row" style={{ insetBlockStart: top }}>
      <span role="cell">{words}</span>
    </div>
  );
}
