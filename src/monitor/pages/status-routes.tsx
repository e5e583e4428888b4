/** @jsxImportSource hono/jsx */
/** The addresses of status pages, for those who look at them. */
import type { Context } from "hono";
import { sendLogo } from "../../kit/brand/logo-answer.ts";
import type { AppEnv, ErrorPage, ServiceApp } from "../../kit/http/app.ts";
import { toDay } from "../../kit/time/zone-days.ts";
import { createErrorPage, createPlainVisits } from "../../html/error-page.tsx";
import type { ShownPage } from "../status/board.ts";
import type { PostRecord } from "../status/schema.ts";
import type { Followers } from "../status/followers/followers.ts";
import { addFeeds } from "../status/feeds/feed-routes.ts";
import type { Status } from "../status/status.ts";
import { addFollowPages } from "./follow-routes.tsx";
import { type GateDeps, createGate, noSuchPage } from "./gate.ts";
import { History, PostPage, addMonths, isMonth, toMonthSpan } from "./history.tsx";
import { addMachineRoutes } from "./machine-routes.ts";
import { Overview } from "./overview.tsx";
import { createShutPage } from "./shut.tsx";
import { type VisitDeps, createVisits } from "./visit.tsx";

export interface StatusPagesDeps extends VisitDeps, Pick<GateDeps, "findMember"> {
  readonly status: Status;
  readonly followers: Pick<Followers, "asking" | "subscriptions" | "findFault" | "mac">;
  /** Whether people sign in at the auth center. */
  readonly hasCenter: boolean;
}

/** How long browsers keep the page's own files, whose addresses change with them. */
const FILE_CACHE = { public: "public, max-age=31536000, immutable", members: "private, max-age=31536000" };

/** Posts of a month: from memory if complete, otherwise from the store; undefined while that is unavailable. */
async function readMonth(
  { status }: StatusPagesDeps,
  page: ShownPage,
  span: { readonly from: number; readonly to: number },
): Promise<readonly PostRecord[] | undefined> {
  const isIn = ({ startedAt, state }: PostRecord): boolean =>
    state === "ended" && startedAt >= span.from && startedAt < span.to;
  const oldest = page.ended.at(-1);
  if (!page.isCut || oldest === undefined || oldest.startedAt < span.from) return page.ended.filter(isIn);
  return status.posts
    .listSpan(page.record.id, span)
    .then((posts) => posts.filter(isIn))
    .catch(() => undefined);
}

export function addStatusPages(app: ServiceApp, deps: StatusPagesDeps): void {
  const { status, clock } = deps;
  const visits = createVisits(deps);
  const gate = createGate({ board: status.board, findMember: deps.findMember });
  const showShut = createShutPage(deps);
  const pass = async (c: Context<AppEnv>, page: ShownPage): Promise<Response | undefined> =>
    (await gate.isOpenTo(c, page)) ? undefined : showShut(c, page.record);

  const getPage = (c: Context<AppEnv>): ShownPage => gate.getPage(c.req.param("slug"));
  const showOverview = async (c: Context<AppEnv>): Promise<Response> => {
    const page = getPage(c);
    const body = await pass(c, page);
    return body ?? visits.answer(c, { page, path: "" }, (shown) => ({ body: <Overview shown={shown} /> }));
  };
  app.get("/status", showOverview);
  app.get("/status/:slug", showOverview);

  app.get("/status/:slug/history", async (c) => {
    const page = getPage(c);
    const refused = await pass(c, page);
    if (refused !== undefined) return refused;
    const { timeZone } = status.look();
    const thisMonth = toDay(clock.now(), timeZone).slice(0, 7);
    const asked = c.req.query("month") ?? thisMonth;
    if (!isMonth(asked) || asked > addMonths(thisMonth, 1)) throw noSuchPage();
    const month = asked > thisMonth ? thisMonth : asked;
    return visits.answer(c, { page, path: "/history", variant: month }, async (shown) => ({
      title: shown.t("history.title"),
      body: (
        <History
          shown={shown}
          month={month}
          thisMonth={thisMonth}
          posts={await readMonth(deps, page, toMonthSpan(month, timeZone))}
        />
      ),
    }));
  });

  app.get("/status/:slug/incidents/:id", async (c) => {
    const page = getPage(c);
    const refused = await pass(c, page);
    if (refused !== undefined) return refused;
    const id = c.req.param("id");
    const known = [...page.open, ...page.ended].find((post) => post.id === id);
    const post = known ?? (page.isCut ? await status.posts.get({ pageId: page.record.id, id }) : undefined);
    if (post === undefined || post.state === "draft") throw noSuchPage();
    return visits.answer(c, { page, path: `/incidents/${post.id}` }, (shown) => ({
      title: post.title,
      body: <PostPage shown={shown} post={post} />,
    }));
  });

  addFiles(app, { getPage, pass, status });
  addFeeds(app, { getPage, pass, address: deps.address, now: () => clock.now() });
  addFollowPages(app, { ...deps, getPage, pass, visits });
  addMachineRoutes(app, { status, gate, address: deps.address, now: () => clock.now() });
}

/** Adds the page's own style sheet and logo; any version in a URL returns the current one. */
function addFiles(
  app: ServiceApp,
  parts: {
    readonly getPage: (c: Context<AppEnv>) => ShownPage;
    readonly pass: (c: Context<AppEnv>, page: ShownPage) => Promise<Response | undefined>;
    readonly status: Status;
  },
): void {
  const { getPage, pass, status } = parts;
  app.get("/status/:slug/:file{page-[\\d.-]+\\.css}", async (c) => {
    const page = getPage(c);
    const refused = await pass(c, page);
    if (refused !== undefined) throw noSuchPage();
    const { access, customCss } = page.record;
    const styles = [status.look().styles, customCss].filter((each) => each !== "").join("\n");
    return c.body(styles, 200, {
      "content-type": "text/css; charset=utf-8",
      "cache-control": FILE_CACHE[access],
    });
  });
  app.get("/status/:slug/:file{logo-[\\d.-]+}", async (c) => {
    const page = getPage(c);
    const refused = await pass(c, page);
    const { logo } = status.look();
    if (refused !== undefined || logo === undefined) throw noSuchPage();
    return sendLogo(c, logo, FILE_CACHE[page.record.access]);
  });
}

/** Creates the pages of errors below /status, which say nothing of the monitor. */
export function createStatusErrorPage({ assets }: Pick<StatusPagesDeps, "assets">): ErrorPage {
  const show = createErrorPage(createPlainVisits({ readName: async () => "Status", assets }));
  return (error, c) => (/^\/status(?:\/|$)/u.test(c.req.path) ? show(error, c) : undefined);
}
