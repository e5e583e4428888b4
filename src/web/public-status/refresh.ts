/**
 * Keeps a status page up to date while it is looked at: asks for it each minute, and puts what is new in the place of
 * what it was. Nothing moves under a reader: where the focus is, and what was opened, stays as it is.
 */
import { parseOwnPage } from "../pages/own-html.ts";

const EVERY_MS = 60_000;
const LIVE = "[data-live]";

/** Whether a reader is at work there. */
function isInUse(element: Element): boolean {
  return element.contains(document.activeElement) || element.querySelector("details[open]") !== null;
}

function toName(element: Element): string {
  return element.getAttribute("data-live") ?? element.getAttribute("aria-labelledby") ?? element.tagName;
}

/** Updates the parts of an element that the reader is using, but not the element itself. */
function takeParts(present: ParentNode, fresh: ParentNode): void {
  const byName = new Map([...fresh.querySelectorAll(LIVE)].map((part) => [toName(part), part]));
  for (const part of present.querySelectorAll(LIVE)) {
    const other = byName.get(toName(part));
    if (other !== undefined && !isInUse(part) && other.outerHTML !== part.outerHTML) part.replaceWith(other);
  }
}

/** Updates sections: adds new ones, removes old ones. */
function takeSections(main: Element, fresh: Element): void {
  const known = new Map([...main.children].map((section) => [toName(section), section]));
  let before: Element | undefined;
  for (const section of [...fresh.children]) {
    const name = toName(section);
    const present = known.get(name);
    known.delete(name);
    let placed = present ?? section;
    if (present === undefined) {
      if (before === undefined) main.prepend(section);
      else before.after(section);
    } else if (isInUse(present)) takeParts(present, section);
    else if (present.outerHTML !== section.outerHTML) {
      present.replaceWith(section);
      placed = section;
    }
    before = placed;
  }
  for (const gone of known.values()) if (!isInUse(gone)) gone.remove();
}

async function refresh(): Promise<void> {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!answer.ok) return;
  const fresh = parseOwnPage(await answer.text());
  const [main, other] = [document, fresh].map((each) => each.querySelector("main"));
  const [foot, otherFoot] = [document, fresh].map((each) => each.querySelector("footer"));
  if (main && other) takeSections(main, other);
  if (foot && otherFoot) takeParts(foot, otherFoot);
  document.title = fresh.title;
}

setInterval(() => {
  if (document.visibilityState !== "visible") return;
  // Without a network the page says when it was made; the next minute may have one.
  refresh().catch(() => undefined);
}, EVERY_MS);
