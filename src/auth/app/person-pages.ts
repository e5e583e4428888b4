/** The account center's pages for people, put together, and the page of an error. */
import type { ErrorPage, ServiceApp } from "../../kit/http/app.ts";
import { wantsPage } from "../../kit/http/routing.ts";
import { type ConsoleAssets, type PageAssets, addAssets } from "../../kit/http/web-assets.ts";
import { findLanguage } from "../../kit/text/languages.ts";
import { addBrandFiles } from "../../html/brand-files.ts";
import { createErrorPage } from "../../html/error-page.tsx";
import { findReturnPath } from "../../html/return-path.ts";
import { addSentPageScript } from "../../html/sent-page.ts";
import type { Auth } from "./auth.ts";
import { addActivityPage } from "../pages/account/activity.tsx";
import { addApplicationsPage } from "../pages/account/applications.tsx";
import { addCheckInPage } from "../pages/account/check-in.tsx";
import { addConfirmPage } from "../pages/account/confirm.tsx";
import { addDataPage } from "../pages/account/data.tsx";
import { addEnrolmentPage } from "../pages/account/enrolment.tsx";
import { addEmailsPage } from "../pages/account/emails.tsx";
import { addPasskeyPages, createPasskeyOffer } from "../pages/account/passkeys.tsx";
import { addOverviewPage } from "../pages/account/overview.tsx";
import { PICTURE_FORM, addProfilePage, refusePicture } from "../pages/account/profile.tsx";
import { addSecondFactorPages } from "../pages/account/second-factor.tsx";
import { addSecurityPage } from "../pages/account/security.tsx";
import { addSessionsPage } from "../pages/account/sessions.tsx";
import { createDestinations } from "../pages/oidc/destination.tsx";
import { OWN_PATH } from "../pages/forward/asked.ts";
import { addForwardRoutes } from "../pages/forward/routes.ts";
import { addEnterPage } from "../pages/forward/enter.tsx";
import { createDenials } from "../pages/forward/denial.ts";
import { createGate } from "../pages/forward/gate.tsx";
import { addSitePages } from "../pages/forward/site-pages.tsx";
import { createBrowserSignIn } from "../pages/browser-sign-in.ts";
import { SHOP_FILES } from "../pages/shop-look.ts";
import { addCodeSignInPage } from "../pages/entry/code-sign-in.tsx";
import { addImpersonationForm } from "../pages/entry/impersonation.ts";
import { addRecoveryPages } from "../pages/entry/recovery.tsx";
import { addSecondFactorPage } from "../pages/entry/second-factor.tsx";
import { addSignInPages } from "../pages/entry/sign-in.tsx";
import { addSignUpPages } from "../pages/entry/sign-up.tsx";
import { createSteps } from "../pages/next-step.ts";
import { createStepUp } from "../pages/step-up.ts";
import { addAuthorizePage } from "../pages/oidc/authorize.tsx";
import { addDevicePage } from "../pages/oidc/device.tsx";
import { addFormPostScript } from "../pages/oidc/form-post.tsx";
import { addLogoutPage } from "../pages/oidc/logout.tsx";
import { createPageRoutes } from "../pages/page.ts";
import { addPeoplePages } from "../pages/people/people.tsx";
import { addUpstreamCallback } from "../pages/upstream/callback.ts";
import { addConnectPage } from "../pages/upstream/connect.tsx";
import { addIdentityCodePage } from "../pages/upstream/identity-code.tsx";
import { addIdentityPage } from "../pages/upstream/identity.tsx";
import { createUpstreamCookies } from "../pages/upstream/sealed-cookies.ts";
import { createVisits } from "../pages/visit.tsx";

export interface PersonPagesOptions {
  readonly assets: PageAssets;
  /** Those of the console, which is served beside the pages. */
  readonly consoleAssets: ConsoleAssets;
  /** Where people reach the service; undefined: as the request says. */
  readonly publicUrl: string | undefined;
}

/** Creates the page of an error, in the site's look. */
export function createAuthErrorPage(auth: Auth, options: PersonPagesOptions): ErrorPage {
  const visits = createVisits({ ...auth, ...options });
  const show = createErrorPage((c) => visits.openPlain(c));
  return (error, c) =>
    error.code === "too_large" && c.req.path === PICTURE_FORM ? refusePicture(c) : show(error, c);
}

/** Adds "/" for people, the files of the pages, and where password managers look. */
function addPlaces(app: ServiceApp, { assets, consoleAssets }: PersonPagesOptions): void {
  app.get("/", async (c, next) => {
    c.header("vary", "Accept");
    return wantsPage(c) ? c.redirect("/account", 303) : next();
  });
  app.get("/.well-known/change-password", (c) => c.redirect("/account/security", 303));
  for (const base of ["", OWN_PATH])
    addAssets(app, `${base}/assets/:file`, (name) => assets.find(name) ?? consoleAssets.find(name));
}

export function addPersonPages(app: ServiceApp, auth: Auth, options: PersonPagesOptions): void {
  const { publicUrl } = options;
  const visits = createVisits({ ...auth, ...options });
  const steps = createSteps({ box: auth.box, publicUrl });
  const browserSignIn = createBrowserSignIn({ ...auth, publicUrl, visits, steps });
  const pages = createPageRoutes({ app, visits, publicUrl, now: () => auth.expiry.now() });
  // Each page takes what it names of these.
  const upstreamCookies = createUpstreamCookies({ ...auth, publicUrl });
  const toOffer = createPasskeyOffer(auth);
  const findDestination = createDestinations(auth);
  const stepUp = createStepUp(auth);
  const parts = { ...auth, visits, steps, browserSignIn, upstreamCookies, toOffer, findDestination, stepUp };
  addFormPostScript(app);
  addSentPageScript(app);
  addPlaces(app, options);
  addBrandFiles(app, { readBrand: async () => (await visits.readSite()).brand, bases: ["", OWN_PATH] });
  addBrandFiles(app, { readBrand: visits.readShopFiles, bases: [SHOP_FILES] });
  pages.addForm("/language", async ({ c }, { values }) => {
    const language = findLanguage(values["language"]);
    if (language !== undefined) visits.chooseLanguage(c, language);
    return c.redirect(findReturnPath(values["rd"]) ?? "/", 303);
  });
  const noteDenial = createDenials(parts);
  const gate = createGate({ ...parts, noteDenial });
  addForwardRoutes(app, { ...parts, gate });
  addSitePages(app, { ...parts, gate });
  addEnterPage(pages, { ...parts, noteDenial });
  addAuthorizePage(pages, parts);
  addDevicePage(pages, parts);
  addLogoutPage(pages, parts);
  addSignInPages(pages, parts);
  addSecondFactorPage(pages, parts);
  addCodeSignInPage(pages, parts);
  addUpstreamCallback(pages, parts);
  addIdentityPage(pages, parts);
  addIdentityCodePage(pages, parts);
  addConnectPage(pages, parts);
  addImpersonationForm(pages, parts);
  addSignUpPages(pages, parts);
  addRecoveryPages(pages, parts);
  addOverviewPage(pages, parts);
  addProfilePage(pages, parts);
  addEmailsPage(pages, parts);
  addSecurityPage(pages, {
    ...parts,
    removeFactor: ({ subject, caller }) => auth.secondFactor.remove(subject, caller),
  });
  addPasskeyPages(pages, parts);
  addSecondFactorPages(pages, parts);
  addEnrolmentPage(pages, parts);
  addConfirmPage(pages, parts);
  addSessionsPage(pages, parts);
  addApplicationsPage(pages, parts);
  addActivityPage(pages, parts);
  addCheckInPage(pages, parts);
  addDataPage(pages, parts);
  addPeoplePages(pages, parts);
}
