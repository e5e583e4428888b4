/** A person at the pages of a center that runs, and the codes that its sign-in gives to an application. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { request as requestByTls } from "node:https";
import { z } from "zod";

export interface Page {
  readonly status: number | undefined;
  /** Where it was found, after all redirects. */
  readonly url: URL;
  readonly body: string;
}

type Form = Readonly<Record<string, string>>;

/** A browser without a screen, over node:http: fetch would say that a script asks. Cookies know no ports; `headers` go with each request. */
export function createVisitor(headers: Readonly<Record<string, string>> = {}) {
  const cookies = new Map<string, string>();
  /** One request, and where its answer leads. */
  async function send(url: URL, form?: Form): Promise<[page: Page, next: string | undefined]> {
    const posted = { "sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded" };
    const sent = (url.protocol === "https:" ? requestByTls : request)(url, {
      method: form === undefined ? "GET" : "POST",
      agent: false,
      headers: {
        ...headers,
        accept: "text/html",
        "sec-fetch-mode": "navigate",
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(form === undefined ? {} : posted),
      },
    });
    sent.end(form === undefined ? undefined : new URLSearchParams(form).toString());
    const answers: IncomingMessage[] = await once(sent, "response");
    const [answer = assert.fail()] = answers;
    for (const line of answer.headers["set-cookie"] ?? []) {
      const [pair = "", ...attributes] = line.split("; ");
      const at = pair.indexOf("=");
      if (attributes.includes("Max-Age=0")) cookies.delete(pair.slice(0, at));
      else cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    let body = "";
    for await (const chunk of answer) body += String(chunk);
    const refresh = /^0; url=(.+)$/u.exec(answer.headers["refresh"]?.toString() ?? "")?.[1];
    return [{ status: answer.statusCode, url, body }, answer.headers.location ?? refresh];
  }
  return {
    send,
    cookies,
    /** Opens a page, or sends a form to it, and goes where that leads, up to an address that another program opens. */
    open: async (address: string, form?: Form): Promise<Page> => {
      let [page, next] = await send(new URL(address), form);
      for (let steps = 0; next !== undefined; steps += 1) {
        assert.ok(steps < 10, `${address} leads on for ever`);
        const to = new URL(next, page.url);
        if (!/^https?:$/u.test(to.protocol)) return { ...page, url: to };
        [page, next] = await send(to);
      }
      return page;
    },
  };
}

const REDIRECT = "https://notes.example.org/auth/callback";
const VERIFIER = "v".repeat(43);

export interface GivenTokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/**
 * Registers an application and signs a user in: each call of `issue` issues a code, which `redeem` exchanges at any
 * node.
 */
export async function openApplication(
  authUrl: string,
  { adminToken, username, password }: { adminToken: string; username: string; password: string },
) {
  const made = await fetch(`${authUrl}/api/admin/clients`, {
    method: "POST",
    headers: { "x-admin-token": adminToken, "content-type": "application/json" },
    body: JSON.stringify({ id: "notes", name: "Notes", redirectUris: [REDIRECT] }),
  });
  const { secret } = z.object({ secret: z.string() }).parse(await made.json());
  const visitor = createVisitor();
  await visitor.open(`${authUrl}/sign-in`);
  const entry = await visitor.open(`${authUrl}/sign-in`, { identifier: username, password });
  assert.equal(entry.url.pathname, "/account");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(VERIFIER));
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "notes",
    redirect_uri: REDIRECT,
    state: "s",
    code_challenge: Buffer.from(digest).toString("base64url"),
    code_challenge_method: "S256",
  });
  async function ask(url: string, fields: Form): Promise<GivenTokens | undefined> {
    const response = await fetch(`${url}/oauth/token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`notes:${secret}`)}` },
      body: new URLSearchParams(fields),
    });
    const body: GivenTokens & { error?: string } = await response.json();
    if (response.status === 200) return body;
    assert.deepEqual([response.status, body.error], [400, "invalid_grant"]);
    return undefined;
  }
  const exchange = (url: string, code: string): Promise<GivenTokens | undefined> =>
    ask(url, {
      grant_type: "authorization_code",
      code,
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
    });
  return {
    issue: async (): Promise<string> => {
      const [, next = ""] = await visitor.send(new URL(`${authUrl}/oauth/authorize?${query.toString()}`));
      return new URL(next).searchParams.get("code") ?? assert.fail();
    },
    /** The tokens; undefined when the code is no longer valid. Rejects when the node is gone. */
    exchange,
    /** The access token alone. */
    redeem: async (url: string, code: string): Promise<string | undefined> =>
      (await exchange(url, code))?.access_token,
    /** The same with a refresh token. */
    renew: (url: string, refresh_token: string): Promise<GivenTokens | undefined> =>
      ask(url, { grant_type: "refresh_token", refresh_token }),
  };
}
