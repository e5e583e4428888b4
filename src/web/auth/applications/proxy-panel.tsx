/** The lines that a proxy needs for the sites of an application. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Segments } from "../../ui/controls.tsx";
import { CopyBox } from "../../ui/console/pieces.tsx";
import { type ProxiedApplication, toCaddy, toNginx, toTraefik } from "./proxy-lines.ts";
import { Panel } from "../../ui/panel.tsx";

const proxies = { nginx: toNginx, caddy: toCaddy, traefik: toTraefik };
type Proxy = keyof typeof proxies;

/** The panel. */
export function ProxyPanel({ application }: { application: ProxiedApplication }): JSX.Element {
  const [proxy, setProxy] = useState<Proxy>("nginx");
  return (
    <Panel small title={text("auth.applications.lines")} class="beside-form proxy-lines">
      <Segments<Proxy>
        label={text("auth.applications.lines.proxy")}
        value={proxy}
        choices={[
          { value: "nginx", label: "nginx" },
          { value: "caddy", label: "Caddy" },
          { value: "traefik", label: "Traefik" },
        ]}
        onChange={setProxy}
      />
      <p class="field-hint">{text("auth.applications.lines.hint")}</p>
      <CopyBox label={text("auth.applications.lines")} value={proxies[proxy](application)} />
    </Panel>
  );
}
