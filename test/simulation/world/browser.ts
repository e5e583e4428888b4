/** A browser: it keeps cookies, follows nothing by itself, and says of each form that a page of the site sent it. */
import { type Answer, Client, type ClientParts, type ClientPlace } from "./client.ts";

export class Browser {
  readonly #client: Client;
  readonly #cookies = new Map<string, string>();

  constructor(parts: ClientParts, place: ClientPlace) {
    this.#client = new Client(parts, place);
  }

  /** Undefined: no answer came. */
  async get(path: string): Promise<Answer | undefined> {
    return this.#keep(await this.#client.insist(path, { headers: this.#headers() }, 3));
  }

  /** Sends a form, once. */
  async post(path: string, form: Readonly<Record<string, string>>): Promise<Answer | undefined> {
    const headers = { ...this.#headers(), "sec-fetch-site": "same-origin" };
    return this.#keep(await this.#client.insist(path, { method: "POST", headers, form }, 1));
  }

  #headers(): Record<string, string> {
    const cookie = Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join("; ");
    const agent = "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0";
    const headers = { accept: "text/html,application/xhtml+xml", "user-agent": agent };
    return cookie === "" ? headers : { ...headers, cookie };
  }

  #keep(answer: Answer | undefined): Answer | undefined {
    for (const line of answer?.headers.getSetCookie() ?? []) {
      const [pair = "", ...attributes] = line.split("; ");
      const at = pair.indexOf("=");
      if (attributes.includes("Max-Age=0")) this.#cookies.delete(pair.slice(0, at));
      else this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }
}
