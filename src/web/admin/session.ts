/** Whether the administrator is signed in, and requests that need it. */
import { signal } from "@preact/signals";
import type { SessionInfo } from "../../monitor/fleet/view-schema.ts";
import { ApiError, request } from "../app/api.ts";

export type Session =
  /** Not known yet; `unreachable` after a try that got no answer. */
  | { readonly kind: "asking"; readonly unreachable: boolean }
  | { readonly kind: "out" }
  | { readonly kind: "in"; readonly info: SessionInfo }
  /** It was there and is over: what is on the page stays until someone signs in again. */
  | { readonly kind: "ended" };

const AUTH = "/api/admin/auth";
/** The cookie cannot be seen from here; without this mark nobody is asked, so that no refusal is logged. */
const MARK = "admin-signed-in";

/** Who is signed in. */
export const session = signal<Session>({ kind: "asking", unreachable: false });
/** Whether the last request got an answer. */
export const reachable = signal(true);

function setMark(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(MARK, "1");
    else localStorage.removeItem(MARK);
  } catch {
    // Without storage the monitor is asked each time.
  }
}

function mayBeSignedIn(): boolean {
  try {
    return localStorage.getItem(MARK) !== null;
  } catch {
    return true;
  }
}

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

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Asks the monitor whether the cookie still counts. */
export async function checkSession(): Promise<void> {
  if (!mayBeSignedIn()) {
    session.value = { kind: "out" };
    return;
  }
  try {
    session.value = { kind: "in", info: await track(request<SessionInfo>(AUTH)) };
  } catch (error) {
    if (!isSignedOut(error)) {
      session.value = { kind: "asking", unreachable: true };
      return;
    }
    setMark(false);
    session.value = { kind: "out" };
  }
}

/**
 * Exchanges the administrator token for a session.
 * @throws ApiError
 */
export async function signIn(token: string): Promise<void> {
  await track(request(AUTH, { method: "POST", body: { token } }));
  const info = await track(request<SessionInfo>(AUTH));
  setMark(true);
  session.value = { kind: "in", info };
}

/** Ends the session, here and at the monitor. */
export async function signOut(): Promise<void> {
  await track(request(AUTH, { method: "DELETE" })).catch((error: unknown) => {
    if (!isSignedOut(error)) throw error;
  });
  setMark(false);
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

/**
 * A request as administrator. When the session has ended it asks for the token and is then sent again, so
 * that whoever called it loses nothing.
 * @throws ApiError
 */
export async function adminRequest<T = undefined>(
  path: string,
  options: { method?: string; body?: unknown } = {},
): Promise<T> {
  try {
    return await track(request<T>(path, options));
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    setMark(false);
    if (session.peek().kind === "in") session.value = { kind: "ended" };
    await untilSignedIn();
    return adminRequest<T>(path, options);
  }
}

/** Asks the monitor for a sign of life; {@link reachable} has the outcome. */
export async function askAgain(): Promise<void> {
  await adminRequest<SessionInfo>(AUTH).catch(() => undefined);
}
