/**
 * The cart without another page: what is added opens it in a drawer, and a changed quantity changes its sums. What is
 * shown is always the server's page of the cart; without this script its forms lead there.
 */
import { parseOwnPage } from "../pages/own-html.ts";
import { createDrawer } from "./drawer.ts";

const ADD = "form.buy";
const CHANGE = 'form[action$="/cart/change"]';
const CART_LINK = '.store-own [href$="/cart"]';

/** Changes go one after the other, so that the last answer is that of the last change. */
let last: Promise<unknown> = Promise.resolve();
let status: HTMLElement | undefined;

function read(form: HTMLFormElement): URLSearchParams {
  const values = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") values.append(name, value);
  return values;
}

async function send(form: HTMLFormElement, body: URLSearchParams): Promise<Document> {
  const response = await fetch(form.action, {
    method: "POST",
    body,
    headers: { accept: "text/html" },
    keepalive: true,
  });
  const page = parseOwnPage(await response.text());
  if (page.querySelector("main") === null) throw new Error(`The cart answered ${response.status}`);
  document.querySelector(CART_LINK)?.replaceChildren(...(page.querySelector(CART_LINK)?.childNodes ?? []));
  return page;
}

/** Says it to screen readers: they hear what changes in an element that is there already. */
function announce(place: HTMLElement, words: string): void {
  status ??= Object.assign(document.createElement("p"), { className: "for-readers", role: "status" });
  if (status.parentElement !== place) place.append(status);
  status.textContent = words;
}

/** Changes are sent at once: the button that sends them is for browsers without script. */
function takeOver(place: HTMLElement): void {
  for (const button of place.querySelectorAll<HTMLElement>(`${CHANGE} .cart-update`)) button.hidden = true;
}

/** Whether a field has been changed since it was sent. */
function isTyping(place: HTMLElement, sent: URLSearchParams): boolean {
  const field = document.activeElement;
  return field instanceof HTMLInputElement && place.contains(field) && field.value !== sent.get(field.name);
}

/** Shows the page of the cart in `place`, and leaves the focus where it was. */
function show(place: HTMLElement, page: Document): void {
  const id = document.activeElement?.id ?? "";
  place.replaceChildren(...(page.querySelector("main")?.children ?? []));
  takeOver(place);
  const again = id === "" ? null : place.querySelector<HTMLElement>(`#${CSS.escape(id)}`);
  (place.querySelector<HTMLElement>(".faults") ?? again ?? place).focus();
}

async function change(form: HTMLFormElement, [name, value] = ["do", "update"]): Promise<void> {
  const place = form.closest<HTMLElement>(".drawer-page, main");
  // The answer to an earlier change took its place.
  if (place === null) return;
  const values = read(form);
  values.set(name, value);
  const page = await send(form, values);
  const told = page.querySelector(".note.is-good");
  told?.remove();
  // That change shows both.
  if (isTyping(place, values)) return;
  show(place, page);
  announce(place.closest("dialog") ?? document.body, told?.textContent ?? "");
}

async function add(form: HTMLFormElement): Promise<void> {
  // The same form may be sent again on purpose while the page stays: each time is another one.
  const values = read(form);
  values.set("at", String(Date.now()));
  const page = await send(form, values);
  if (page.querySelector(".faults") !== null) throw new Error("The cart refused it");
  const from = document.activeElement;
  const drawer = createDrawer({
    label: page.querySelector("h1")?.textContent ?? "",
    close: form.dataset["close"] ?? "",
    onClose: () => from instanceof HTMLElement && from.focus(),
  });
  const place = document.createElement("div");
  Object.assign(place, { className: "drawer-page stack", tabIndex: -1 });
  drawer.append(place);
  drawer.showModal();
  show(place, page);
}

/** Does it, or else what the browser would have done. */
function run(form: HTMLFormElement, work: () => Promise<void>): void {
  last = last.then(work).catch(() => form.submit());
}

export function prepareCart(): void {
  takeOver(document.body);
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    const { submitter } = event;
    // On the page of the cart, what is added belongs to that page.
    const isAdd = form.matches(ADD) && !location.pathname.endsWith("/cart");
    if (!isAdd && !form.matches(CHANGE)) return;
    event.preventDefault();
    if (isAdd) {
      if (form.ariaBusy === "true") return;
      form.ariaBusy = "true";
      run(form, () => add(form).finally(() => (form.ariaBusy = null)));
      return;
    }
    const isNamed = submitter instanceof HTMLButtonElement && submitter.name !== "";
    run(form, () => change(form, isNamed ? [submitter.name, submitter.value] : undefined));
  });
  document.addEventListener("change", ({ target }) => {
    const form = target instanceof HTMLInputElement ? target.closest<HTMLFormElement>(CHANGE) : null;
    if (form !== null) run(form, () => change(form));
  });
}
