/** The installation's own services as applications: registered automatically, and updated from the configuration. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { changedFields } from "../../kit/text/changes.ts";
import { writeAudit } from "../../records/audit.ts";
import type { AuthDeps } from "../base/deps.ts";
import { clients } from "./records.ts";
import { insertClient } from "./clients.ts";
import { type ClientFields, clientFieldsSchema } from "./schema.ts";

/** A service's part of the configuration. */
interface OwnClientInput extends Pick<ClientFields, "name" | "redirectUris" | "postLogoutRedirectUris"> {
  readonly id: string;
  readonly secret: string;
  /** Its back-channel logout URL; omitted where requests would cross an open network unencrypted. */
  readonly logoutUrl: string;
}

/**
 * Registers the service, or brings its secret and addresses up to date; keeps the settings of an administrator.
 * Resolves with "taken" when a manually registered application has this ID, which is left alone.
 */
export function keepOwnClient(
  { store, clock }: Pick<AuthDeps, "store" | "clock">,
  { id, secret, name, logoutUrl, ...places }: OwnClientInput,
): Promise<"kept" | "taken"> {
  return store.transact(async (tx) => {
    const logout = clientFieldsSchema.shape.backchannelLogoutUri.safeParse(logoutUrl);
    const addresses = { ...places, backchannelLogoutUri: logout.data ?? "" };
    const actor = { name: "service", clientId: id, requestId: "" };
    const given = { ...addresses, secretHash: hashSecret(secret) };
    const present = await tx.get(clients, id);
    if (present === undefined) {
      const fields = clientFieldsSchema.parse({ name, ...addresses });
      const made = { id, ...fields, ...given, isOwn: true, enabled: true, createdAt: clock.now() };
      await insertClient(tx, made);
      await writeAudit(tx, { actor, action: "client.create", target: id }, clock);
      return "kept";
    }
    if (!present.isOwn) return "taken";
    const next = { ...present, ...given };
    const changes = changedFields(present, next);
    if (changes.length === 0) return "kept";
    await tx.put(clients, { ...next, editVersion: present.editVersion + 1 });
    await writeAudit(tx, { actor, action: "client.change", target: id, changes }, clock);
    return "kept";
  });
}
