/** The grant for machines at the token endpoint (RFC 6749 section 4.4). */
import type { ClientRecord } from "../applications/schema.ts";
import type { ResourceNames } from "../resources/target.ts";
import type { MachineTokens } from "./machine-tokens.ts";

export const MACHINE_GRANT = "client_credentials";

interface Parts {
  readonly machineTokens: Pick<MachineTokens, "issue">;
  readonly resourceNames: ResourceNames;
}

/** Why the application gets nothing, with the message for it. */
interface MachineFault {
  readonly error: "unauthorized_client" | "invalid_scope" | "invalid_target";
  readonly message: string;
}

/** The body of the answer (RFC 6749 section 5.1). */
interface MachineAnswer {
  readonly access_token: string;
  readonly token_type: "Bearer";
  readonly expires_in: number;
  readonly scope: string;
}

const toWords = (text = ""): string[] => text.split(" ").filter((word) => word !== "");

/** For the application itself, without a person. The caller has made sure of its credentials. */
export async function grantMachine(
  client: ClientRecord,
  { machineTokens, resourceNames }: Parts,
  fields: ReadonlyMap<string, string>,
): Promise<MachineAnswer | MachineFault> {
  if (client.clientType === "public" || client.machineScopes.length === 0)
    return {
      error: "unauthorized_client",
      message: `The application "${client.id}" has no machineScopes. An administrator must add them, and the application must be confidential`,
    };
  const resources = toWords(fields.get("resource")).map((text) => resourceNames.resolve(text, client));
  const issued = await machineTokens.issue(client, {
    scopes: toWords(fields.get("scope")),
    audience: resources.length === 0 ? undefined : resources,
  });
  if (issued === "invalid_scope") {
    const allowed = client.machineScopes.join(" ");
    const message = `Only these scopes are allowed: ${allowed}. An administrator can add others to machineScopes`;
    return { error: issued, message };
  }
  if (issued === "invalid_target")
    return { error: issued, message: "None of the application's machineScopes belongs to this resource" };
  return {
    access_token: issued.accessToken,
    token_type: "Bearer",
    expires_in: issued.expiresIn,
    scope: issued.scopes.join(" "),
  };
}
