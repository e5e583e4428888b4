/**
 * The chat, live: a drawer on every page of the storefront in place of the link to its page, and both follow the
 * conversation. What is shown is always the server's page; without this script that page does the same.
 */
import { parseOwnPage } from "../pages/own-html.ts";
import { createDrawer } from "./drawer.ts";

/** The link's own page, for a browser with a drawer of its own. */
const LINK = 'a[data-chat="link"]';
/** Set once somebody has chatted here: only then other pages ask whether there is an answer. */
const KNOWN = "trivet-chat";
/** Several events at once are one look. */
const GATHER_MS = 150;
/** Parts of the page that are updated; the form keeps what was typed. */
const FOLLOWED = ["#chat-state", "#chat-messages"];

let stream: EventSource | undefined;

async function read(address: string, init?: RequestInit): Promise<Document> {
  const response = await fetch(address, { headers: { accept: "text/html" }, ...init });
  return parseOwnPage(await response.text());
}

/** The address of the chat's page, below which everything lies where the shop has a path before it. */
function findBase(chat: HTMLElement): string {
  return chat.querySelector("form")?.action ?? `${location.origin}/chat`;
}

function scrollDown(chat: HTMLElement): void {
  chat
    .querySelector("#chat-messages")
    ?.lastElementChild?.lastElementChild?.scrollIntoView({ block: "nearest" });
}

function follow(chat: HTMLElement, page: Document): void {
  for (const selector of FOLLOWED) {
    const [before, now] = [chat.querySelector(selector), page.querySelector(selector)];
    if (before !== null && now !== null) before.replaceChildren(...now.childNodes);
  }
  scrollDown(chat);
}

async function send(chat: HTMLElement, form: HTMLFormElement): Promise<void> {
  const button = form.querySelector<HTMLButtonElement>("button[type=submit]");
  if (button !== null) button.disabled = true;
  try {
    const page = await read(form.action, { method: "POST", body: new FormData(form) });
    const [faults, now] = [page.querySelector(".faults"), page.querySelector("form[enctype]")];
    follow(chat, page);
    chat.querySelector(".faults")?.remove();
    if (faults !== null) form.before(faults);
    else if (now === null) chat.replaceChildren(...(page.querySelector("#chat")?.childNodes ?? []));
    else form.replaceChildren(...now.childNodes);
    chat.querySelector<HTMLElement>(faults === null ? "textarea" : ".faults")?.focus();
  } catch {
    // The browser says what is wrong with the network; what was typed is still there.
    form.submit();
  } finally {
    if (button !== null) button.disabled = false;
  }
}

/** Follows the conversation as long as the page is there. */
function startLive(chat: HTMLElement): void {
  const form = chat.querySelector<HTMLFormElement>("form[enctype]");
  if (form === null || chat.dataset["live"] === undefined) return;
  localStorage.setItem(KNOWN, "1");
  chat.querySelector("#chat-look")?.remove();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(chat, form);
  });
  const base = findBase(chat);
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    waiting ??= setTimeout(() => {
      waiting = undefined;
      void read(base)
        .then((page) => follow(chat, page))
        .catch(() => undefined);
    }, GATHER_MS);
  };
  stream?.close();
  stream = new EventSource(base.replace(/\/chat$/u, "/api/chat/stream"));
  stream.addEventListener("message", look);
  stream.addEventListener("conversation", look);
  scrollDown(chat);
}

async function openDrawer(link: HTMLAnchorElement): Promise<void> {
  const page = await read(link.href);
  const chat = page.querySelector<HTMLElement>("#chat");
  if (chat === null) {
    location.assign(link.href);
    return;
  }
  const drawer = createDrawer({
    label: link.textContent ?? "",
    close: link.dataset["close"] ?? "",
    onClose: () => {
      stream?.close();
      link.focus();
    },
  });
  const title = page.querySelector("h1");
  if (title !== null) drawer.append(title);
  drawer.append(chat);
  drawer.showModal();
  startLive(chat);
  markUnread(link, false);
}

function markUnread(link: HTMLAnchorElement, isUnread: boolean): void {
  link.querySelector(".badge-dot")?.remove();
  if (!isUnread) return;
  const dot = document.createElement("span");
  dot.className = "badge-dot";
  dot.textContent = link.dataset["unread"] ?? "";
  link.append(" ", dot);
}

/** Shows whether there is an answer, to who has chatted here before. */
async function lookForAnswers(link: HTMLAnchorElement): Promise<void> {
  if (localStorage.getItem(KNOWN) === null) return;
  const address = link.href.replace(/\/chat(?:\?.*)?$/u, "/api/chat/messages?limit=1");
  const response = await fetch(address);
  if (response.status === 401) localStorage.removeItem(KNOWN);
  if (!response.ok) return;
  markUnread(link, /"unreadUser":[1-9]/u.test(await response.text()));
}

/** Prepares the chat of a page. */
function prepareChat(): void {
  const own = document.querySelector<HTMLElement>("main #chat");
  if (own !== null) {
    startLive(own);
    return;
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>(LINK)) {
    link.addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      openDrawer(link).catch(() => location.assign(link.href));
    });
    void lookForAnswers(link).catch(() => undefined);
  }
}

prepareChat();
