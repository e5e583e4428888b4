/**
 * Keeps a status page up to date while it is looked at: asks for it each minute, and puts what is new in the place of
 * what it was. Nothing moves under a reader: where the focus is, and what was opened, stays as it is.
 */
const EVERY_MS = 60_000;
const LIVE = "data-live";

/** Whether a reader is at work there. */
function isInUse(element: Element): boolean {
  return element.contains(document.activeElement) || element.querySelector("details[open]") !== null;
}

/** Takes over what changed. False when other parts came or went: then the whole is another page. */
function takeOver(fresh: Document): boolean {
  const listLive = (from: Document): Element[] => [...from.querySelectorAll(`[${LIVE}]`)];
  const toNames = (elements: readonly Element[]): string =>
    elements.map((each) => each.getAttribute(LIVE)).join(" ");
  const [present, next] = [listLive(document), listLive(fresh)];
  if (toNames(present) !== toNames(next)) return false;
  present.forEach((element, index) => {
    const other = next[index];
    if (other === undefined || element.outerHTML === other.outerHTML || isInUse(element)) return;
    element.replaceWith(other);
  });
  document.title = fresh.title;
  return true;
}

async function refresh(): Promise<void> {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const main = document.querySelector("main");
  const other = fresh.querySelector("main");
  if (takeOver(fresh) || main === null || other === null || isInUse(main)) return;
  main.replaceWith(other);
  document.title = fresh.title;
}

setInterval(() => {
  if (document.visibilityState !== "visible") return;
  // Without a network the page says when it was made; the next minute may have one.
  refresh().catch(() => undefined);
}, EVERY_MS);
