/** The plan of a connection that renews its own refresh token again and again, as the load's process runs it. */
import type { LoadPlan } from "./load.ts";

/** Each connection takes its own of the tokens in `data`; a broken connection goes on with the last it was given. */
export function createPlan(connection: number, data: unknown): LoadPlan {
  if (!Array.isArray(data)) throw new Error("The plan needs refresh tokens");
  const tokens: readonly unknown[] = data;
  let refreshToken = String(tokens[connection % tokens.length]);
  return {
    next: (answer) => {
      const renewed = /"refreshToken":"([^"]+)"/u.exec(answer?.body ?? "")?.[1];
      if (renewed !== undefined) refreshToken = renewed;
      return {
        method: "POST",
        path: "/api/auth/refresh",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ refreshToken }),
      };
    },
  };
}
