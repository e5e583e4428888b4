/**
 * Comforts of a product's page: its pictures large, and the products that this browser saw before. What was seen stays in
 * the browser. The page works without.
 */

/** What is kept of a product. */
interface Seen {
  readonly path: string;
  readonly title: string;
  /** "" without one. */
  readonly image: string;
}

const KEY = "recent";
const MAX_KEPT = 9;
const MAX_SHOWN = 4;

function isSeen(value: unknown): value is Seen {
  if (typeof value !== "object" || value === null) return false;
  const { path, title, image } = value as Partial<Record<keyof Seen, unknown>>;
  const isOwn = typeof path === "string" && path.startsWith("/p/");
  return (
    isOwn &&
    typeof title === "string" &&
    typeof image === "string" &&
    /^(?:\/api\/images\/\w+)?$/u.test(image)
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readSeen(): readonly Seen[] {
  try {
    const kept = parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isSeen) : [];
  } catch {
    return []; // storage is switched off
  }
}

function keep(all: readonly Seen[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(all.slice(0, MAX_KEPT)));
  } catch {
    // Storage is full or switched off: nothing is remembered.
  }
}

function toCard({ path, title, image }: Seen): HTMLElement {
  const link = document.createElement("a");
  link.className = "product";
  link.href = path;
  if (image === "") {
    const empty = document.createElement("span");
    empty.className = "picture is-empty";
    empty.ariaHidden = "true";
    empty.textContent = /./u.exec(title)?.[0] ?? "";
    link.append(empty);
  } else {
    const picture = document.createElement("img");
    picture.className = "picture";
    picture.loading = "lazy";
    picture.alt = "";
    picture.width = 640;
    picture.height = 640;
    picture.src = `${image}?w=640`;
    link.append(picture);
  }
  const name = document.createElement("span");
  name.className = "product-name";
  name.textContent = title;
  link.append(name);
  const item = document.createElement("li");
  item.append(link);
  return item;
}

function showRecent(): void {
  const place = document.querySelector<HTMLElement>("[data-recent]");
  const present = parse(place?.dataset["recent"] ?? "");
  if (place === null || !isSeen(present)) return;
  const others = readSeen().filter(({ path }) => path !== present.path);
  keep([present, ...others]);
  if (others.length === 0) return;
  place.querySelector("ul")?.append(...others.slice(0, MAX_SHOWN).map(toCard));
  place.hidden = false;
}

/** Shows a picture over the page; a click enlarges the part below it, Escape closes. */
function openZoom(from: HTMLAnchorElement): void {
  const dialog = document.createElement("dialog");
  dialog.className = "zoom";
  const picture = document.createElement("img");
  picture.src = from.href;
  picture.alt = from.querySelector("img")?.alt ?? "";
  const scroller = document.createElement("div");
  scroller.append(picture);
  const form = document.createElement("form");
  form.method = "dialog";
  const close = document.createElement("button");
  close.className = "button";
  close.textContent = document.querySelector<HTMLElement>(".gallery")?.dataset["close"] ?? "×";
  form.append(close);
  dialog.append(form, scroller);
  picture.addEventListener("click", ({ offsetX, offsetY }) => {
    const [x, y] = [offsetX / picture.clientWidth, offsetY / picture.clientHeight];
    const isLarge = dialog.classList.toggle("is-large");
    if (isLarge)
      scroller.scrollTo(
        x * picture.clientWidth - scroller.clientWidth / 2,
        y * picture.clientHeight - scroller.clientHeight / 2,
      );
  });
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog || target === scroller) dialog.close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    from.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}

function prepareZoom(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[data-zoom]"))
    link.addEventListener("click", (event) => {
      // Another tab, as people ask for it, is still the picture by itself.
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      openZoom(link);
    });
}

prepareZoom();
showRecent();
