/** How one signs in to the monitor's console, and what changes on the whole page with that. */
import type { SessionInfo } from "../../../records/rights/view-schema.ts";
import type { SignedIn } from "../../access/account-form.tsx";
import { request } from "../../app/api.ts";
import { changeReader } from "../../app/fleet.ts";
import { type ConsoleAccess, checkSession, isSignedOut } from "../../ui/console/session.ts";

const PATH = "/api/admin/auth";
/** The cookie is invisible here; without this mark no request is sent, so that no denial is logged. */
const MARK = "admin-signed-in";

function setMark(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(MARK, "1");
    else localStorage.removeItem(MARK);
  } catch {
    // Without storage, a request is sent every time.
  }
}

function mayBeSignedIn(): boolean {
  try {
    return localStorage.getItem(MARK) !== null;
  } catch {
    return true;
  }
}

/** The monitor's. */
export const monitorAccess: ConsoleAccess = {
  path: PATH,
  ask: async () => {
    if (!mayBeSignedIn()) return { kind: "out" };
    try {
      return { kind: "in", info: await request<SessionInfo>(PATH) };
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      setMark(false);
      return { kind: "out" };
    }
  },
  onChange: (signedIn) => {
    setMark(signedIn);
    changeReader();
  },
};

/** To be called on the way to the center's page: who comes back may be signed in. */
export function markSignIn(): void {
  setMark(true);
}

/** Goes on as the account that signed in; resolves with whether it administers. */
export async function takeAccount({ right }: SignedIn): Promise<boolean> {
  const administers = right === "administer";
  if (administers) {
    setMark(true);
    await checkSession();
  }
  changeReader();
  return administers;
}
