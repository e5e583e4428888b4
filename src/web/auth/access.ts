/** How one signs in to the console of accounts: with the administrator token, or as a person who administers. */
import type { ConsoleSessionView } from "../../auth/console/schema.ts";
import { request } from "../app/api.ts";
import type { ConsoleAccess } from "../ui/console/session.ts";

const PATH = "/api/console/session";

/** The auth center's. */
export const authAccess: ConsoleAccess = {
  path: PATH,
  ask: async () => {
    const answer = await request<ConsoleSessionView>(PATH);
    switch (answer.status) {
      case "signed_out":
        return { kind: "out" };
      case "refused":
        return { kind: "refused", name: answer.name, reason: answer.reason, accountUrl: "" };
      case "signed_in":
        return { kind: "in", info: answer };
    }
  },
};
