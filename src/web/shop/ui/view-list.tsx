/** Lists of the same records beside each other, such as those that need a decision and all; the address says which. */
import type { JSX } from "preact";
import { type TextName, findText, text } from "../../app/texts.ts";
import { PageHead } from "../../ui/console/pieces.tsx";
import { useQuery } from "../../ui/console/query.ts";
import { Segments } from "../../ui/controls.tsx";
import type { Listing } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";

/** One of the lists. Its texts begin with those of its view, which name it. */
export interface ListView<View extends object> {
  /** In the address: "?view=<name>". */
  readonly name: string;
  readonly of: Listing<View>;
  /** The query of GET, unless it lists the whole collection. */
  readonly path?: string;
}

/** The page with one of its lists; the first stands for an address without a view. */
export function ViewList<View extends object>(props: {
  label: TextName;
  views: readonly [ListView<View>, ...ListView<View>[]];
}): JSX.Element {
  const { label, views } = props;
  const query = useQuery();
  const [first] = views;
  const { name, of, path = of.api } = views.find((view) => view.name === query.get("view")) ?? first;
  const filters = views.flatMap((view) => (view.of.table.filters ?? []).map((filter) => filter.name));
  const none = Object.fromEntries([...filters, "cursor"].map((filter) => [filter, ""]));
  return (
    <>
      <PageHead title={text(of.navigation)} hint={findText(`${of.texts}.hint`)} />
      <Segments<string>
        label={text(label)}
        value={name}
        choices={views.map((view) => ({ value: view.name, label: findText(view.of.texts) ?? view.name }))}
        onChange={(next) => query.set({ ...none, view: next === first.name ? "" : next })}
      />
      <ResourceList of={of} path={path} head="none" key={name} />
    </>
  );
}
