/** The entry of the console of accounts. */
import { startConsole } from "../ui/console-page/start.tsx";
import { authAccess } from "./access.ts";
import { AccountsApp } from "./app.tsx";
import { fieldKinds } from "./faults.ts";
import "../styles/tokens.css";
import "../styles/base.css";
import "../styles/controls.css";
import "../styles/layout.css";
import "../styles/admin.css";
import "../styles/admin-tables.css";
import "../styles/console.css";
import "../styles/people.css";

await startConsole({ access: authAccess, fieldKinds, draw: () => <AccountsApp /> });
