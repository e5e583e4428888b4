/** The shop's HTTP API, as a seller's program uses it. */

/** What a request needs. */
export interface Ask {
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly bytes?: { readonly type: string; readonly data: Uint8Array<ArrayBuffer> };
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Api {
  /** Answers of a problem throw with their text. */
  ask<T>(method: string, path: string, ask?: Ask): Promise<T>;
  /** The same with the administrator's token. */
  admin<T>(method: string, path: string, ask?: Ask): Promise<T>;
}

interface Access {
  /** Sends a request to a path of the shop. */
  readonly send: (path: string, init: RequestInit) => Promise<Response>;
  readonly adminToken: string;
}

function toInit({ json, form, bytes }: Ask): { type?: string; body?: BodyInit } {
  if (json !== undefined) return { type: "application/json", body: JSON.stringify(json) };
  if (form !== undefined)
    return { type: "application/x-www-form-urlencoded", body: new URLSearchParams(form).toString() };
  return bytes === undefined ? {} : { type: bytes.type, body: bytes.data };
}

/** Creates the client. */
export function createApi({ send, adminToken }: Access): Api {
  async function ask<T>(method: string, path: string, given: Ask = {}): Promise<T> {
    const { type, body } = toInit(given);
    const response = await send(path, {
      method,
      redirect: "manual",
      headers: { ...given.headers, ...(type === undefined ? {} : { "content-type": type }) },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    if (response.status >= 400) throw new Error(`${method} ${path} → ${response.status}: ${text}`);
    const isJson = response.headers.get("content-type")?.includes("json") ?? false;
    // What a step needs of an answer is used at once.
    return (isJson ? JSON.parse(text) : undefined) as T;
  }
  return {
    ask,
    admin: (method, path, given = {}) =>
      ask(method, path, { ...given, headers: { ...given.headers, "x-admin-token": adminToken } }),
  };
}
