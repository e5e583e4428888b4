/**
 * Suggestions below each search field while people type: an editable combobox with a listbox (WAI-ARIA Authoring
 * Practices). The list is the server's HTML; without this script the field is a form that opens the page of results.
 */
import { parseOwnPage } from "../pages/own-html.ts";

/** A pause while typing. */
const PAUSE_MS = 150;

class SearchField {
  readonly #form: HTMLFormElement;
  readonly #input: HTMLInputElement;
  readonly #list = document.createElement("div");
  readonly #status = document.createElement("p");
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request: AbortController | undefined;
  #active: HTMLElement | undefined;

  constructor(form: HTMLFormElement, input: HTMLInputElement, name: string) {
    [this.#form, this.#input] = [form, input];
    this.#list.className = "suggest";
    this.#list.id = `suggest-${name}`;
    this.#list.hidden = true;
    this.#status.className = "suggest-status";
    this.#status.role = "status";
    input.after(this.#list);
    form.append(this.#status);
    input.autocomplete = "off";
    input.role = "combobox";
    input.ariaAutoComplete = "list";
    input.ariaExpanded = "false";
    input.setAttribute("aria-controls", this.#list.id);
    input.addEventListener("input", () => this.#wait());
    input.addEventListener("keydown", (event) => this.#press(event));
    form.addEventListener("focusout", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node) || !form.contains(relatedTarget)) this.#close();
    });
    // The field keeps the focus, so that the click still finds the list open.
    this.#list.addEventListener("mousedown", (event) => event.preventDefault());
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask().catch(() => undefined), PAUSE_MS);
  }

  async #ask(): Promise<void> {
    this.#request?.abort();
    const q = this.#input.value.trim();
    if (q === "") return this.#close();
    this.#request = new AbortController();
    const { signal } = this.#request;
    const address = `${this.#form.action}/suggestions?q=${encodeURIComponent(q)}`;
    const response = await fetch(address, { signal });
    if (!response.ok) return this.#close();
    const page = parseOwnPage(await response.text());
    if (signal.aborted || document.activeElement !== this.#input) return;
    this.#show(page);
  }

  #show(page: Document): void {
    const box = page.querySelector<HTMLElement>("[role=listbox]");
    const options = [...(box?.querySelectorAll<HTMLElement>("[role=option]") ?? [])];
    this.#status.textContent = page.querySelector("[role=status]")?.textContent ?? "";
    if (box === null || options.length === 0) {
      this.#close(false);
      return;
    }
    options.forEach((option, at) => (option.id = `${this.#list.id}-${at}`));
    this.#list.role = "listbox";
    this.#list.ariaLabel = box.ariaLabel;
    this.#list.replaceChildren(...box.childNodes);
    this.#activate(undefined);
    this.#list.hidden = false;
    this.#input.ariaExpanded = "true";
  }

  #close(isSilent = true): void {
    clearTimeout(this.#timer);
    this.#request?.abort();
    this.#activate(undefined);
    this.#list.hidden = true;
    this.#input.ariaExpanded = "false";
    if (isSilent) this.#status.textContent = "";
  }

  #activate(option: HTMLElement | undefined): void {
    if (this.#active !== undefined) this.#active.ariaSelected = "false";
    this.#active = option;
    if (option === undefined) {
      this.#input.removeAttribute("aria-activedescendant");
      return;
    }
    option.ariaSelected = "true";
    option.scrollIntoView({ block: "nearest" });
    this.#input.setAttribute("aria-activedescendant", option.id);
  }

  #move(by: 1 | -1): void {
    const options = [...this.#list.querySelectorAll<HTMLElement>("[role=option]")];
    // Between the last and the first option lies the field itself.
    const at = this.#active === undefined ? -1 : options.indexOf(this.#active);
    const next = at === -1 && by === -1 ? options.length - 1 : at + by;
    this.#activate(options[next]);
  }

  #press(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const isOpen = !this.#list.hidden;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (isOpen) this.#move(event.key === "ArrowDown" ? 1 : -1);
      else this.#wait();
    } else if (event.key === "Escape" && isOpen) {
      // The browser would clear the field too.
      event.preventDefault();
      this.#close();
    } else if (event.key === "Enter" && isOpen && this.#active !== undefined) {
      event.preventDefault();
      this.#active.click();
    }
  }
}

export function prepareSearch(): void {
  const forms = [...document.querySelectorAll<HTMLFormElement>("form[role=search]")];
  forms.forEach((form, at) => {
    const input = form.querySelector<HTMLInputElement>("input[type=search]");
    if (input !== null) new SearchField(form, input, String(at));
  });
}
