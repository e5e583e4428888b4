/** Files that are loaded once they are wanted. */
import { useEffect, useState } from "preact/hooks";

/** A file that is loaded once it is wanted; undefined until it is there. What fails is thrown to the next error boundary. */
export function useLater<M>(load: () => Promise<M>, isWanted: boolean): M | undefined {
  const [loaded, setLoaded] = useState<{ readonly file: M } | { readonly error: unknown }>();
  useEffect(() => {
    if (!isWanted || loaded !== undefined) return;
    load().then(
      (file) => setLoaded({ file }),
      (error: unknown) => setLoaded({ error }),
    );
  }, [isWanted]);
  if (loaded === undefined) return undefined;
  if ("error" in loaded) throw loaded.error;
  return loaded.file;
}
