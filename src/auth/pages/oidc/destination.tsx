/** @jsxImportSource hono/jsx */
/** Where a person goes on to after signing in: the application that sent them, and the account that it expects. */
import { PAGE_POLICY } from "../../../kit/http/security-headers.ts";
import type { Clients } from "../../applications/clients.ts";
import type { ClientRecord } from "../../applications/schema.ts";
import type { Forward } from "../../forward/forward.ts";
import type { PushedRequests } from "../../oidc/pushed-requests.ts";
import { ENTER_PATH } from "../forward/gate.tsx";
import { AUTHORIZE_PATH, readLoginHint } from "./asked.ts";
import { toSource } from "./form-post.tsx";
import type { Visit } from "../visit.tsx";

export interface Destination {
  readonly client: Pick<ClientRecord, "name" | "logoUrl">;
  /** The username or email address of the account that the application expects; "" for any. */
  readonly loginHint: string;
}

/** Reads a place to go on to; undefined for one of the center itself. */
export type FindDestination = (visit: Visit, next: string | undefined) => Promise<Destination | undefined>;

/** The email address that an application expects, where it is one. */
export function toHintedEmail(destination: Destination | undefined): string | undefined {
  const hint = destination?.loginHint;
  return hint?.includes("@") === true ? hint : undefined;
}

/** Lets the page show the picture of an application, and no other from there. */
function allowLogo({ c }: Visit, logoUrl: string): void {
  if (logoUrl === "") return;
  const policy = PAGE_POLICY.replace("img-src 'self'", `img-src 'self' ${toSource(logoUrl)}`);
  c.header("content-security-policy", policy);
}

/** Creates what reads it: one look at the store, for pages that lead on to an application. */
export function createDestinations({
  clients,
  forward,
  pushedRequests,
}: {
  readonly clients: Pick<Clients, "find">;
  readonly forward: Pick<Forward, "find">;
  readonly pushedRequests: Pick<PushedRequests, "peek">;
}): FindDestination {
  async function find(next: string): Promise<Destination | undefined> {
    const [path = "", query = ""] = next.split("?");
    const parameters = new URLSearchParams(query);
    if (path === ENTER_PATH) {
      const client = (await forward.find(parameters.get("to") ?? ""))?.client;
      return client && { client, loginHint: "" };
    }
    if (path !== AUTHORIZE_PATH) return undefined;
    const clientId = parameters.get("client_id") ?? "";
    const client = await clients.find(clientId);
    const uri = parameters.get("request_uri");
    const asked = uri === null ? parameters : await pushedRequests.peek(clientId, uri);
    return client && { client, loginHint: asked === undefined ? "" : readLoginHint(asked) };
  }
  return async (visit, next) => {
    if (next === undefined) return undefined;
    const found = await find(next);
    if (found !== undefined) allowLogo(visit, found.client.logoUrl);
    return found;
  };
}

interface HeadingProps {
  readonly visit: Visit;
  readonly title: string;
  readonly destination: Destination | undefined;
  /** Text below the title. */
  readonly lead?: string | undefined;
}

/** The title of a page of the sign-in, and below it which application it leads to. */
export function EntryHeading({ visit: { t }, title, destination, lead }: HeadingProps) {
  if (destination === undefined && lead === undefined) return <h1>{title}</h1>;
  return (
    <div class="stack is-tight">
      <h1>{title}</h1>
      {destination === undefined ? (
        <></>
      ) : (
        <p class="toward">
          {destination.client.logoUrl === "" ? (
            <></>
          ) : (
            <img src={destination.client.logoUrl} alt="" width="24" height="24" />
          )}
          <span>{t("toward.text", { application: destination.client.name })}</span>
        </p>
      )}
      {lead === undefined ? <></> : <p class="muted">{lead}</p>}
    </div>
  );
}
