/** All accounts. */
import type { JSX } from "preact";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { users } from "./users.tsx";

/** The section. */
export function UsersPage(): JSX.Element {
  return <ResourceList of={users} />;
}
