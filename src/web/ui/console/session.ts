/** Whether somebody is signed in to the console, and requests that need it. */
import type { ConsoleSessionView as AuthSession } from "../../../auth/console/schema.ts";
import type { SessionInfo } from "../../../records/rights/view-schema.ts";
import type { ConsoleSessionView as ShopSession } from "../../../shop/console/schema.ts";
import { effect, signal } from "@preact/signals";
import { ApiError, type RequestOptions, request } from "../../app/api.ts";
import { consoles } from "./consoles.ts";

type Answer<Status extends string> = Extract<AuthSession | ShopSession, { status: Status }>;
type Refused = Answer<"refused">;

export type Session =
  /** Not known yet; `unreachable` after a try that got no answer. */
  | { readonly kind: "asking"; readonly unreachable: boolean }
  | {
      readonly kind: "out";
      /** Whether one can sign in with an account; "ready" where the service does not say. */
      readonly signIn?: Extract<Answer<"signed_out">, { signIn: string }>["signIn"];
    }
  /** Signed in at the service, but not as somebody who administers it. */
  | {
      readonly kind: "refused";
      readonly name: Refused["name"];
      readonly reason: Refused["reason"];
      /** Where their account is, "" on this origin. */
      readonly accountUrl?: string | undefined;
    }
  | { readonly kind: "in"; readonly info: SessionInfo }
  /** It was there and is over: what is on the page stays until someone signs in again. */
  | { readonly kind: "ended" };

/** How a console signs in at its service. */
export interface ConsoleAccess {
  /** POST takes the administrator token there, DELETE ends the session. */
  readonly path: string;
  /** Asks who is signed in. Throws ApiError when there is no answer. */
  ask(): Promise<Session>;
  /** Told when somebody has signed in or out. */
  onChange?(signedIn: boolean): void;
}

let access: ConsoleAccess | undefined;

/** Names the service; called once, before a console is drawn. */
export function setAccess(given: ConsoleAccess): void {
  access = given;
}

function getAccess(): ConsoleAccess {
  if (access === undefined) throw new Error("setAccess has to come first");
  return access;
}

/** The signed-in user. */
export const session = signal<Session>({ kind: "asking", unreachable: false });
const held = signal<readonly string[] | undefined>(undefined);
effect(() => {
  const present = session.value;
  if (present.kind === "in") held.value = present.info.scopes;
  if (present.kind === "in") consoles.value = present.info.consoles ?? [];
  if (present.kind === "out") consoles.value = [];
});
/**
 * Whether anyone who is signed in may use what needs this scope, so that the rest is left out; the service refuses it in
 * any case. "administrator": what needs every right.
 */
export function mayUse(scope: string): boolean {
  const { value } = held;
  if (value === undefined) return true;
  return value.includes(scope) || value.includes(scope.replace(/:read$/u, ":write"));
}

/** Whether the last request got an answer. */
export const reachable = signal(true);
/** Whether a request waits until the person has verified their identity again. */
export const proofAsked = signal(false);
/** Where a browser gets that proof, by the refusal; undefined: in the console itself. */
export const proofPath = signal<string | undefined>(undefined);
const awaitingProof: ((proved: boolean) => void)[] = [];

async function track<T>(answer: Promise<T>): Promise<T> {
  try {
    const result = await answer;
    reachable.value = true;
    return result;
  } catch (error) {
    if (error instanceof ApiError) reachable.value = error.code !== "offline";
    throw error;
  }
}

/** Whether an error means that the session has expired. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Asks the service whether somebody is signed in. */
export async function checkSession(): Promise<void> {
  const before = session.peek().kind;
  try {
    const answer = await track(getAccess().ask());
    // A page whose session has ended stays until somebody signs in again.
    if (before !== "ended" || answer.kind === "in") session.value = answer;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (before === "asking") session.value = { kind: "asking", unreachable: true };
  }
}

/**
 * Exchanges the administrator token for a session.
 * @throws ApiError
 */
export async function signIn(token: string): Promise<void> {
  const { path, onChange } = getAccess();
  await track(request(path, { method: "POST", body: { token } }));
  onChange?.(true);
  await checkSession();
}

/** Ends the session, here and at the service. */
export async function signOut(): Promise<void> {
  const { path, onChange } = getAccess();
  await track(request(path, { method: "DELETE" })).catch((error: unknown) => {
    if (!isSignedOut(error)) throw error;
  });
  onChange?.(false);
  session.value = { kind: "out" };
}

function untilSignedIn(): Promise<void> {
  return new Promise((resolve) => {
    const stop = session.subscribe(({ kind }) => {
      if (kind !== "in") return;
      stop();
      resolve();
    });
  });
}

function untilProved({ details }: ApiError): Promise<boolean> {
  return new Promise((resolve) => {
    awaitingProof.push(resolve);
    proofPath.value = typeof details["path"] === "string" ? details["path"] : undefined;
    proofAsked.value = true;
  });
}

/** Lets what waited for a proof go on, or fail. */
export function endProof(proved: boolean): void {
  proofAsked.value = false;
  for (const resolve of awaitingProof.splice(0)) resolve(proved);
}

/**
 * Sends a request as administrator. When the session has expired, asks to sign in and repeats the request, so that the
 * caller loses nothing; the same when the service requires a fresh verification of the person's identity.
 * @throws ApiError
 */
export async function asAdministrator<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await track(send());
  } catch (error) {
    if (error instanceof ApiError && error.code === "reauth_required") {
      if (!(await untilProved(error))) throw error;
    } else if (isSignedOut(error)) {
      if (session.peek().kind === "in") session.value = { kind: "ended" };
      await untilSignedIn();
    } else throw error;
    return asAdministrator(send);
  }
}

/**
 * A request as administrator, see {@link asAdministrator}.
 * @throws ApiError
 */
export function adminRequest<T = undefined>(
  path: string,
  options: Omit<RequestOptions, "signal"> = {},
): Promise<T> {
  return asAdministrator(() => request<T>(path, options));
}

/** Asks the service for a sign of life; {@link reachable} has the outcome. */
export async function askAgain(): Promise<void> {
  const answer = await track(getAccess().ask()).catch(() => undefined);
  if (answer?.kind === "out" && session.peek().kind === "in") session.value = { kind: "ended" };
}
