/** Access to status pages. */
import type { Context } from "hono";
import { AppError } from "../../kit/errors.ts";
import type { AppEnv } from "../../kit/http/app.ts";
import type { Visitor } from "../access/visitor.ts";
import type { Board, ShownPage } from "../status/board.ts";

export interface GateDeps {
  readonly board: Pick<Board, "first" | "find">;
  /** The visitor, for pages of members: others have the right "nothing". */
  readonly findMember: (c: Context<AppEnv>) => Visitor | Promise<Visitor>;
}

/** There is none, or none for who asks. */
export function noSuchPage(): AppError {
  return new AppError("not_found", "This status page does not exist");
}

/** Creates what finds the page of an address, and whether who asks may see it. */
export function createGate({ board, findMember }: GateDeps) {
  /**
   * Whether a visitor may see a page. @throws AppError `not_found` for an unpublished one, except for administrators
   */
  async function isOpenTo(c: Context<AppEnv>, { record }: ShownPage): Promise<boolean> {
    if (record.access === "public" && record.published) return true;
    const { right } = await findMember(c);
    if (right === "administer") return true;
    if (!record.published) throw noSuchPage();
    return right !== "nothing";
  }

  /** The page of a slug; without one, that at /status. @throws AppError `not_found` */
  function getPage(slug: string | undefined): ShownPage {
    const page = slug === undefined ? board.first() : board.find(slug);
    if (page === undefined) throw noSuchPage();
    return page;
  }

  return {
    isOpenTo,
    getPage,
    /** The page for a program. @throws AppError `not_found`, and `unauthenticated` where it is for members */
    open: async (c: Context<AppEnv>, slug: string | undefined): Promise<ShownPage> => {
      const page = getPage(slug);
      if (await isOpenTo(c, page)) return page;
      throw new AppError("unauthenticated", "This status page is private. Send a session or token as Bearer");
    },
  };
}

export type Gate = ReturnType<typeof createGate>;
