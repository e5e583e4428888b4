/** The dashboard's entry: servers and texts are asked for at once, then the page is drawn. */
import { render } from "preact";
import { App } from "./app/app.tsx";
import { followFleet } from "./app/fleet.ts";
import { loadTexts } from "./app/language.ts";
import { putBaseBeforePaths } from "./pages/base-paths.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/layout.css";
import "./styles/fleet.css";
import "./styles/cards.css";
import "./styles/rows.css";
import "./styles/signed-in.css";

putBaseBeforePaths();
followFleet();
await loadTexts();
const root = document.querySelector("#app");
if (root !== null) render(<App />, root);
