/** The entry of the console of the shop. */
import { startConsole } from "../ui/console-page/start.tsx";
import { shopAccess } from "./access.ts";
import { ShopConsole } from "./app.tsx";
import { fieldKinds } from "./faults.ts";
import "../styles/tokens.css";
import "../styles/base.css";
import "../styles/controls.css";
import "../styles/layout.css";
import "../styles/admin.css";
import "../styles/admin-tables.css";
import "../styles/console.css";
import "../styles/shop-console.css";
import "../styles/people.css";
import "../styles/orders.css";
import "../styles/shop-settings.css";
import "../styles/file-drop.css";
import "../styles/goods.css";
import "../styles/shop-chat.css";

await startConsole({ access: shopAccess, fieldKinds, draw: () => <ShopConsole /> });
