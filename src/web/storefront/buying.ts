/**
 * Comforts of the pages on which people buy: sums that follow what is chosen, buttons that copy, and a page that waits
 * for a payment. Every page works without.
 */
import { parseOwnPage } from "../pages/own-html.ts";

/** How long to rest between questions. */
const REST_MS = 3_000;
/** Parts of the page that a new response replaces; the rest keeps what was typed. */
const REPLACED = ["#checkout-shipping", "#checkout-sums", "#address-shipping", "#address-billing"];

/** Puts a button to a text that copies it. */
function addCopyButton(place: HTMLElement): void {
  const { copy: text = "", word = "", done = "", label = "" } = place.dataset;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button no-print";
  button.textContent = word;
  button.setAttribute("aria-label", `${word}: ${label}`);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    button.textContent = done;
    setTimeout(() => {
      button.textContent = word;
    }, 2_000);
  };
  button.addEventListener("click", () => void copy().catch(() => undefined));
  place.append(button);
}

function prepareCopies(): void {
  // Without a secure address there is no clipboard: what is to be copied can be selected.
  if (!("clipboard" in navigator)) return;
  for (const place of document.querySelectorAll<HTMLElement>("[data-copy]")) addCopyButton(place);
}

/** Asks the server for the sums of what is chosen now. */
async function update(form: HTMLFormElement): Promise<void> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  body.set("do", "update");
  const response = await fetch(form.action, { method: "POST", body });
  const page = parseOwnPage(await response.text());
  for (const selector of REPLACED) {
    const [before, now] = [document.querySelector(selector), page.querySelector(selector)];
    // What has the focus is not taken away: it says the same.
    if (before === null || now === null || before.contains(document.activeElement)) continue;
    if (before instanceof HTMLElement && now instanceof HTMLElement && now.dataset["of"] !== undefined) {
      // Of the same country: what is typed there stays.
      if (before.dataset["of"] === now.dataset["of"]) continue;
      before.dataset["of"] = now.dataset["of"];
    }
    before.replaceChildren(...now.childNodes);
  }
}

function prepareUpdates(): void {
  const form = document.querySelector<HTMLFormElement>("form.checkout");
  if (form === null) return;
  let last = Promise.resolve();
  form.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLElement) || target.dataset["update"] === undefined) return;
    // One after the other, so that the last answer is that of the last choice.
    last = last.then(() => update(form)).catch(() => undefined);
  });
}

/** The status of the order; undefined if unknown. */
async function ask(path: string, was: string): Promise<string | undefined> {
  const response = await fetch(`${path}?was=${encodeURIComponent(was)}`);
  if (!response.ok) return undefined;
  const answer: unknown = await response.json();
  const isAnswer = typeof answer === "object" && answer !== null && "state" in answer;
  return isAnswer && typeof answer.state === "string" ? answer.state : undefined;
}

/** Waits until the order is another one than the page shows, and shows it. */
async function wait(path: string, was: string): Promise<void> {
  for (;;) {
    const now = await ask(path, was).catch(() => undefined);
    if (now !== undefined && now !== was) {
      location.replace(location.pathname);
      return;
    }
    // Answered at once where too many wait.
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
}

prepareCopies();
prepareUpdates();
const waiting = document.querySelector<HTMLElement>("[data-wait]");
if (waiting !== null) void wait(waiting.dataset["wait"] ?? "", waiting.dataset["was"] ?? "");
// On the way to a payment service that wants a form: the button does the same.
document.querySelector<HTMLFormElement>("form[data-send]")?.requestSubmit();
