/** The monitor's console: signing in, and then its sections. The entry of its own part of the script. */
import type { JSX } from "preact";
import { navigate } from "../app/route.ts";
import { useAccountWays } from "./access/account-way.tsx";
import { monitorAccess } from "./access/sign-in-access.ts";
import { Remedy } from "./remedy.tsx";
import { sections } from "./sections.tsx";
import { toFieldName, toValueText } from "./value-text.ts";
import { FieldWordsContext } from "../ui/console/field-words.ts";
import { Console } from "../ui/console/console.tsx";
import { setRemedy } from "../ui/console/problem.tsx";
import { setAccess } from "../ui/console/session.ts";

setAccess(monitorAccess);
setRemedy(Remedy);
const words = { toName: toFieldName, toValue: toValueText };

/** The section of that name. */
export function AdminPage(props: { section: string | undefined; id: string | undefined }): JSX.Element {
  const ways = useAccountWays();
  return (
    <FieldWordsContext.Provider value={words}>
      <Console {...props} sections={sections} {...ways} onLeave={() => navigate("/")} />
    </FieldWordsContext.Provider>
  );
}
