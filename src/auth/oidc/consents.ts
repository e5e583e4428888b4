/** Consents of users to applications: requested, remembered by account and application, and withdrawn. */
import type { Tx } from "../../store/store.ts";
import { writeEvent } from "../accounts/events.ts";
import { assertOwner, DEFAULT_SCOPE, type Subject } from "../sessions/subject.ts";
import type { ClientRecord } from "../applications/schema.ts";
import { type Caller } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { consents } from "./records.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { isOnMachine } from "./redirect-uris.ts";
import type { ConsentRecord } from "./schema.ts";
import { readScopes } from "./scopes.ts";
import { selectScopes } from "../resources/target.ts";

/** Applications of one account that are listed. */
const MAX_LISTED = 500;

/** A request for consent, and the redirect URI for its answer. */
export interface ConsentQuestion {
  readonly client: ClientRecord;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** Resources. */
  readonly audience: readonly string[];
}

/** The resources, and scopes at them, in the form in which they are remembered. */
function toAccess({ client, scopes, audience }: Omit<ConsentQuestion, "redirectUri">): string[] {
  const { resources } = client;
  const of = (id: string) => selectScopes(scopes.join(" "), id, resources).map((scope) => `${id} ${scope}`);
  return audience.flatMap((id) => [id, ...of(id)]);
}

function toOwnScopes(asked: readonly string[]): string[] {
  return readScopes(asked.join(" "));
}

/** The id of what an account allowed an application. */
export function toConsentId(userId: string, clientId: string): string {
  return `${userId}:${clientId}`;
}

/** When users must consent: for a program on their own device at least once, because its identity is not verified. */
export function toConsentRule({
  client: { consent, clientType },
  redirectUri,
}: Pick<ConsentQuestion, "client" | "redirectUri">): ClientRecord["consent"] {
  return consent === "never" && clientType === "public" && isOnMachine(redirectUri) ? "once" : consent;
}

/** Whether the consent covers the current request; a consent to an older application with the same ID does not. */
function covers(
  { scopes, access, allowedAt }: ConsentRecord,
  question: Omit<ConsentQuestion, "redirectUri">,
): boolean {
  return (
    allowedAt >= question.client.createdAt &&
    toOwnScopes(question.scopes).every((scope) => scope === DEFAULT_SCOPE || scopes.includes(scope)) &&
    toAccess(question).every((one) => access.includes(one))
  );
}

export type Consents = ReturnType<typeof createConsents>;

export function createConsents({
  store,
  clock,
  sessions,
}: Pick<AuthDeps, "store" | "clock"> & { readonly sessions: Sessions }) {
  /** Remembers what the person allowed, in the running transaction. Throws `forbidden` in an administrator's session. */
  async function allowIn(
    tx: Tx,
    subject: Subject,
    { client, scopes, audience, caller }: Omit<ConsentQuestion, "redirectUri"> & { caller: Caller },
  ): Promise<void> {
    assertOwner(subject);
    const userId = subject.user.id;
    const atMs = clock.now();
    const id = toConsentId(userId, client.id);
    const known = await tx.get(consents, id);
    const before = known !== undefined && known.allowedAt >= client.createdAt ? known : undefined;
    const allowed = [...new Set([...(before?.scopes ?? []), ...toOwnScopes(scopes)])];
    const access = [...new Set([...(before?.access ?? []), ...toAccess({ client, scopes, audience })])];
    const next = { id, userId, clientId: client.id, scopes: allowed, access, allowedAt: atMs };
    const firstAt = before?.firstAt ?? atMs;
    if (known === undefined) await tx.insert(consents, { ...next, firstAt });
    else await tx.put(consents, { ...known, ...next, firstAt });
    if (before?.scopes.length !== allowed.length || before.access.length !== access.length)
      await writeEvent(tx, { userId, kind: "application-allowed", caller, atMs });
  }

  return {
    /** Whether the person has to consent before the application gets tokens; if not, by which consent it gets them. */
    look: async (
      { user }: Subject,
      question: ConsentQuestion,
    ): Promise<{ readonly isDue: boolean; readonly consentId?: string }> => {
      const rule = toConsentRule(question);
      if (rule !== "once") return { isDue: rule === "always" };
      const id = toConsentId(user.id, question.client.id);
      const known = await store.read((tx) => tx.get(consents, id));
      const isDue = known === undefined || !covers(known, question);
      return isDue ? { isDue } : { isDue, consentId: id };
    },
    allowIn,
    /** The same in a separate transaction. */
    allow: (subject: Subject, given: Parameters<typeof allowIn>[2]): Promise<void> =>
      store.transact((tx) => allowIn(tx, subject, given)),
    /** The consents of an account, by application. */
    list: async (userId: string): Promise<readonly ConsentRecord[]> =>
      (await store.read((tx) => tx.list(consents, "byUser", { prefix: [userId], limit: MAX_LISTED }))).items,
    /** Forgets it and ends all that the application has of the account; nothing where that was done already. Throws `forbidden`. */
    withdraw: async (subject: Subject, clientId: string, caller: Caller): Promise<void> => {
      assertOwner(subject);
      const userId = subject.user.id;
      // First, so that a code on its way opens nothing afterwards.
      await store.transact(async (tx) => {
        if (await tx.remove(consents, toConsentId(userId, clientId)))
          await writeEvent(tx, { userId, kind: "application-withdrawn", caller, atMs: clock.now() });
      });
      await sessions.end(userId, { select: (session) => session.clientId === clientId });
    },
  };
}
