/** Sessions that began at the auth center: they last as long as the sign-in there does. */
import { z } from "zod";
import type { AccountCenter, CenterPerson, CenterTokens } from "../../kit/outbound/account-center.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Store } from "../../store/store.ts";
import { adminSessions } from "./records.ts";
import type { AdminSessionRecord } from "../base/schema.ts";
import type { Account } from "./schema.ts";

const PURPOSE = "center-tokens";
const tokensSchema = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  accessEndsAt: z.number(),
  refreshEndsAt: z.number(),
});

/** A user of the center as an account here. */
export function toAccount({ id, username, administers, adminScopes, provedAt }: CenterPerson): Account {
  return {
    id,
    username,
    isAdmin: administers === true,
    adminScopes: adminScopes.length === 0 ? undefined : [...adminScopes],
    provedAt,
  };
}

export type CenterSessions = ReturnType<typeof createCenterSessions>;

/** Creates the logic; without a center no such session counts. */
export function createCenterSessions(deps: {
  store: Store;
  clock: Clock;
  box: Pick<SecretBox, "seal" | "open">;
  center: Pick<AccountCenter, "check" | "end"> | undefined;
}) {
  const { store, clock, box, center } = deps;
  const seal = (tokens: CenterTokens): string => box.seal(JSON.stringify(tokens), PURPOSE);
  const open = (sealed: string): CenterTokens => tokensSchema.parse(JSON.parse(box.open(sealed, PURPOSE)));

  /** Keeps what has changed, unless the session was ended meanwhile. */
  async function keep(id: string, change: Pick<AdminSessionRecord, "account" | "center">): Promise<void> {
    await store.transact(async (tx) => {
      const present = await tx.get(adminSessions, id);
      if (present !== undefined) await tx.put(adminSessions, { ...present, ...change });
    });
  }

  return {
    seal,
    /**
     * The current account of a session; "ended" when the center says so. While the center is not responding, the last
     * answer is valid until the access token expires; then the result is "away".
     */
    check: async (id: string, sealed: string, known: Account): Promise<Account | "ended" | "away"> => {
      if (center === undefined) return "away";
      const held = open(sealed);
      const answer = await center.check(held);
      if (answer.status === "refused") return "ended";
      if (answer.status === "auth_unavailable") return held.accessEndsAt > clock.now() ? known : "away";
      const { person, tokens } = answer;
      const account = toAccount(person);
      const isSame =
        account.isAdmin === known.isAdmin &&
        account.username === known.username &&
        account.provedAt === known.provedAt &&
        (account.adminScopes ?? []).join() === (known.adminScopes ?? []).join();
      if (!isSame || tokens.refreshToken !== held.refreshToken)
        await keep(id, { account, center: seal(tokens) });
      return account;
    },
    /** Ends the sign-in at the center too, as far as it answers. */
    end: async (sealed: string): Promise<void> => {
      await center?.end(open(sealed));
    },
  };
}
