/** The entry of the console of accounts: its texts are asked for, then it is drawn. */
import { render } from "preact";
import { loadTexts } from "../app/language.ts";
import { setOwnPages } from "../app/route.ts";
import { putBaseBeforePaths } from "../pages/base-paths.ts";
import { setAccess } from "../ui/console/session.ts";
import { authAccess } from "./access.ts";
import { setFieldKinds } from "../ui/forms/fault-words.ts";
import { AccountsApp } from "./app.tsx";
import { fieldKinds } from "./faults.ts";
import "../styles/tokens.css";
import "../styles/base.css";
import "../styles/controls.css";
import "../styles/layout.css";
import "../styles/admin.css";
import "../styles/admin-tables.css";
import "../styles/accounts.css";
import "../styles/people.css";

putBaseBeforePaths();
setOwnPages(({ page }) => page === "admin");
setAccess(authAccess);
setFieldKinds(fieldKinds);
await loadTexts();
const root = document.querySelector("#app");
if (root !== null) render(<AccountsApp />, root);
