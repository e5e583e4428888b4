/** One server's page. */
import type { JSX } from "preact";
import { useFleet } from "../app/fleet.ts";
import { text } from "../app/texts.ts";

/** The page of the server with this id. */
export function ServerPage({ id }: { id: string }): JSX.Element {
  const { servers, loaded } = useFleet();
  const server = servers.find((one) => one.id === id);
  if (server === undefined) return <p class="empty">{text(loaded ? "server.unknown" : "page.loading")}</p>;
  return (
    <article>
      <h1>{server.name}</h1>
      <p>{text(`state.${server.state}`)}</p>
    </article>
  );
}
