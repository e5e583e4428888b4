/** The cookie that every visitor gets, and the token of forms that is made from it. */
import type { Context } from "hono";
import type { AppEnv } from "../kit/http/app.ts";
import { createHostCookie } from "../kit/http/cookies.ts";
import { newCodeText } from "../kit/secrets/id.ts";
import { isSameText } from "../kit/secrets/same-text.ts";
import type { SecretBox } from "../kit/secrets/secret-box.ts";

const VISIT_SECONDS = 180 * 86_400;

/** The browser's state for forms. */
export interface FormVisitor {
  /** For forms of browsers that do not say which site sent them. */
  readonly formToken: string;
  /** Whether the browser gave back the cookie of an earlier page. */
  readonly keepsCookies: boolean;
}

export type FormTokens = ReturnType<typeof createFormTokens>;

/** Creates them; `publicUrl` as for {@link createHostCookie}. */
export function createFormTokens(box: Pick<SecretBox, "mac">, publicUrl: string | undefined) {
  const visited = createHostCookie("trivet_visit", publicUrl);
  const toToken = (mark: string): string => box.mac(mark, "form");
  const look = (c: Context<AppEnv>): FormVisitor => {
    const mark = visited.read(c);
    return { formToken: toToken(mark ?? ""), keepsCookies: mark !== undefined };
  };
  return {
    /** Those of a browser that may have no cookie yet. */
    look,
    /** The same; gives it the cookie. */
    meet: (c: Context<AppEnv>): FormVisitor => {
      const who = look(c);
      if (who.keepsCookies) return who;
      const mark = newCodeText(20);
      visited.write(c, mark, VISIT_SECONDS);
      return { formToken: toToken(mark), keepsCookies: false };
    },
    /** Identifies a form that this browser sent; undefined for a browser that rejects cookies. */
    toKey: (c: Context<AppEnv>, sent: unknown): string | undefined => {
      const mark = visited.read(c);
      return mark === undefined ? undefined : box.mac(JSON.stringify([mark, sent]), "sent-form");
    },
    /** Whether a form brought the token of its page. */
    has: (c: Context<AppEnv>, token: string | undefined): boolean => {
      const mark = visited.read(c);
      return mark !== undefined && token !== undefined && isSameText(token, toToken(mark));
    },
  };
}
