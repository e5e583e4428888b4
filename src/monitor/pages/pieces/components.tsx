/** @jsxImportSource hono/jsx */
/** Components of a page in their groups. */
import type { ShownComponent } from "../../status/board.ts";
import { type Shown, toContentLanguage } from "../shown/shown.ts";
import { DayBars, toPercentText } from "./day-bars.tsx";
import { LatencyChart } from "./latency-chart.tsx";
import { StatusTag } from "./status-tag.tsx";

/** A group in the order of its first component. */
interface Group {
  readonly name: string;
  readonly components: ShownComponent[];
}

/** Components in groups; those without one stay in place. */
export function toGroups(components: readonly ShownComponent[]): Group[] {
  const groups: Group[] = [];
  for (const component of components) {
    const { group } = component;
    const known =
      group === ""
        ? groups.findLast((each, at) => each.name === "" && at === groups.length - 1)
        : groups.find(({ name }) => name === group);
    if (known === undefined) groups.push({ name: group, components: [component] });
    else known.components.push(component);
  }
  return groups;
}

function Component({ shown, component }: { readonly shown: Shown; readonly component: ShownComponent }) {
  const { t } = shown;
  const { id, name, description, status, showsHistory, showsLatency } = component;
  const lang = toContentLanguage(shown);
  const data = showsHistory ? shown.days(component) : undefined;
  const points = showsLatency && component.source.type === "check" ? shown.latency(component) : undefined;
  return (
    <li class="component" id={id} data-live={id}>
      <div class="row">
        <h3 lang={lang}>{name}</h3>
        <StatusTag status={status} t={t} />
        {data === undefined ? <></> : <span class="push small muted num">{toPercentText(shown, data)}</span>}
      </div>
      {description === "" ? (
        <></>
      ) : (
        <p class="small muted" lang={lang}>
          {description}
        </p>
      )}
      {data === undefined ? <></> : <DayBars shown={shown} component={component} data={data} />}
      {points === undefined ? <></> : <LatencyChart shown={shown} points={points} />}
    </li>
  );
}

export function Components({ shown }: { readonly shown: Shown }) {
  const { page, t } = shown;
  if (page.components.length === 0) return <p class="muted">{t("page.empty")}</p>;
  return (
    <section class="stack systems" aria-labelledby="systems">
      <h2 id="systems" class="visually-hidden">
        {t("page.systems")}
      </h2>
      {toGroups(page.components).map(({ name, components }) => (
        <div class="component-group">
          {name === "" ? (
            <></>
          ) : (
            <p class="group-name" lang={toContentLanguage(shown)}>
              {name}
            </p>
          )}
          <ul class="components" aria-label={name === "" ? undefined : name}>
            {components.map((component) => (
              <Component shown={shown} component={component} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
