/** The search of the documentation: loads its index when someone searches, and needs no server. */
import MiniSearch from "minisearch";
import { type Section, pickResults, searchOptions } from "./search-options.ts";

const MAX_FOUND = 12;

/** The root of the site: this script lies there. */
const own = document.currentScript;
const root = new URL(".", own instanceof HTMLScriptElement ? own.src : location.href);

declare global {
  /** Set by search-index.js. */
  var searchIndex: object | undefined;
}

/** As a script where the page was opened from the disk, which may fetch nothing. */
async function readIndex(): Promise<string> {
  const url = new URL("search-index.js", root);
  if (root.protocol !== "file:") {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`The search index is unavailable: ${response.status}`);
    return (await response.text()).replace("globalThis.searchIndex=", "");
  }
  await new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.addEventListener("load", resolve);
    script.addEventListener("error", reject);
    script.src = url.href;
    document.head.append(script);
  });
  return JSON.stringify(globalThis.searchIndex);
}

let loading: Promise<MiniSearch<Section>> | undefined;
function load(): Promise<MiniSearch<Section>> {
  loading ??= readIndex().then((text) => MiniSearch.loadJSON(text, searchOptions));
  // The next search tries again.
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

function toItem({ id, page, heading }: { id: string; page: string; heading: string }): HTMLLIElement {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = new URL(id, root).href;
  link.append(heading === "" ? page : heading);
  if (heading !== "") {
    const where = document.createElement("span");
    where.append(page);
    link.append(where);
  }
  item.append(link);
  return item;
}

function start(form: HTMLFormElement): void {
  const [input, found] = [form.querySelector("input"), form.querySelector<HTMLElement>(".found")];
  const [status, list] = [form.querySelector("[role=status]"), form.querySelector("ol")];
  if (input === null || found === null || status === null || list === null) return;
  const links = (): HTMLAnchorElement[] => [...list.querySelectorAll("a")];
  const close = (): void => {
    found.hidden = true;
  };

  async function show(): Promise<void> {
    const query = input?.value.trim() ?? "";
    if (query === "") return close();
    const index = await load().catch(() => undefined);
    // Typed on while the index came.
    if (query !== input?.value.trim()) return;
    const results = index?.search(query) ?? [];
    const shown = pickResults(results, MAX_FOUND);
    list?.replaceChildren(
      ...shown.map(({ id, page, heading }) =>
        toItem({ id: String(id), page: String(page), heading: String(heading) }),
      ),
    );
    const count = results.length === 1 ? "1 result" : `${results.length} results`;
    if (status !== null)
      status.textContent = index === undefined ? "Search is unavailable. Reload the page." : count;
    if (found !== null) found.hidden = false;
  }

  form.hidden = false;
  input.addEventListener("focus", () => void load().catch(() => undefined), { once: true });
  input.addEventListener("input", () => void show());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void show().then(() => links()[0]?.click());
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      close();
      input.focus();
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const all: HTMLElement[] = [input, ...links()];
    const at = all.findIndex((one) => one === document.activeElement);
    const next = all[at + (event.key === "ArrowDown" ? 1 : -1)];
    if (found.hidden || next === undefined) return;
    event.preventDefault();
    next.focus();
  });
  form.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) close();
  });
  // A result on this page leads to a heading without leaving.
  list.addEventListener("click", close);
}

const form = document.querySelector<HTMLFormElement>("form.search");
if (form !== null) start(form);
