/** A browser at a shop without ports: keeps cookies, sends forms as its own pages do, and goes where answers lead. */
import assert from "node:assert/strict";
import type { TestShop } from "../app-fixture.ts";

type Form = Readonly<Record<string, string>>;

export interface ShopPage {
  readonly status: number;
  /** Path and query, after all redirects. */
  readonly path: string;
  readonly text: string;
  readonly headers: Headers;
}

export interface BrowserOptions {
  readonly language?: string;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a page's form has in it: hidden fields, texts, what is chosen. */
export function readFields(html: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [tag] of html.matchAll(/<input[^>]*>/gu)) {
    const name = /name="([^"]*)"/u.exec(tag)?.[1];
    const type = /type="([^"]*)"/u.exec(tag)?.[1] ?? "text";
    if (name === undefined || type === "file") continue;
    if ((type === "radio" || type === "checkbox") && !/ checked/u.test(tag)) continue;
    fields[name] = /value="([^"]*)"/u.exec(tag)?.[1] ?? "";
  }
  for (const [, name = "", options = ""] of html.matchAll(
    /<select[^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gsu,
  ))
    fields[name] = /<option value="([^"]*)" selected/u.exec(options)?.[1] ?? "";
  for (const [, name = "", text = ""] of html.matchAll(
    /<textarea[^>]*name="([^"]*)"[^>]*>(.*?)<\/textarea>/gsu,
  ))
    fields[name] = text;
  return fields;
}

/** Opens the browser. */
export function createShopBrowser(app: TestShop, { language = "en", headers = {} }: BrowserOptions = {}) {
  const cookies = new Map<string, string>();
  async function request(path: string, form?: Form): Promise<Response> {
    const response = await app.raw(path, {
      method: form === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: {
        accept: "text/html",
        "accept-language": language,
        ...(cookies.size === 0 ? {} : { cookie: [...cookies].map((pair) => pair.join("=")).join("; ") }),
        ...(form === undefined
          ? {}
          : { "sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded" }),
        ...headers,
      },
      ...(form === undefined ? {} : { body: new URLSearchParams(form).toString() }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ");
      const at = pair.indexOf("=");
      if (attributes.includes("Max-Age=0")) cookies.delete(pair.slice(0, at));
      else cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  }
  async function open(path: string, form?: Form): Promise<ShopPage> {
    let response = await request(path, form);
    let at = path;
    for (let steps = 0; response.status === 303 || response.status === 302; steps += 1) {
      assert.ok(steps < 10, `${path} leads on for ever`);
      const next = new URL(response.headers.get("location") ?? "", `https://shop.example.org${at}`);
      assert.equal(next.origin, "https://shop.example.org");
      at = next.pathname + next.search;
      response = await request(at);
    }
    return { status: response.status, path: at, text: await response.text(), headers: response.headers };
  }
  return {
    request,
    open,
    cookies,
    /** Puts things into the cart. */
    fill: (
      lines: readonly { readonly id: string; readonly variantId?: string; readonly quantity?: number }[],
    ): void => {
      const text = lines
        .map(({ id, variantId = "", quantity = 1 }) => `${id}.${variantId}.${quantity}`)
        .join("~");
      cookies.set("__Host-trivet_cart", text);
    },
    /** Sends a page's form with what a person types. */
    send: (page: ShopPage, typed: Form, path = page.path.split("?")[0] ?? ""): Promise<ShopPage> =>
      open(path, { ...readFields(page.text), ...typed }),
  };
}

export type ShopBrowser = ReturnType<typeof createShopBrowser>;
