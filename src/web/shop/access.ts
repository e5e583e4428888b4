/** How one signs in to the console of the shop: with the administrator token, or as a person who administers. */
import type { ConsoleSessionView } from "../../shop/console/schema.ts";
import { request } from "../app/api.ts";
import type { ConsoleAccess } from "../ui/console/session.ts";

const PATH = "/api/console/session";

/** The shop's. */
export const shopAccess: ConsoleAccess = {
  path: PATH,
  ask: async () => {
    const answer = await request<ConsoleSessionView>(PATH);
    switch (answer.status) {
      case "signed_out":
        return { kind: "out", signIn: answer.signIn };
      case "refused": {
        const { name, reason, accountUrl } = answer;
        return { kind: "refused", name, reason, accountUrl };
      }
      case "signed_in":
        return { kind: "in", info: answer };
    }
  },
};
