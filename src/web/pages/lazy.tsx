/** Parts of the page whose script comes when they are shown first. */
import type { ComponentChildren, ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { text } from "../app/texts.ts";

/** Shown while a part's script loads. */
function Loading(): JSX.Element {
  return <p class="empty">{text("page.loading")}</p>;
}

/**
 * A component that is loaded when it is shown first, with `meanwhile` in its place. What fails while it loads is thrown
 * to the next error boundary, and tried again the next time.
 */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  meanwhile: ComponentChildren = <Loading />,
): (props: P) => JSX.Element {
  let Loaded: ComponentType<P> | undefined;
  return function Lazy(props) {
    const [, setReady] = useState(Loaded !== undefined);
    const [failure, setFailure] = useState<{ readonly error: unknown }>();
    useEffect(() => {
      if (Loaded !== undefined) return;
      load().then(
        (component) => {
          Loaded = component;
          setReady(true);
        },
        (error: unknown) => setFailure({ error }),
      );
    }, []);
    if (failure !== undefined) throw failure.error;
    return Loaded === undefined ? <>{meanwhile}</> : <Loaded {...props} />;
  };
}
