/** The questions whose answers contain what a fixture acknowledged, and how to send them to a running program. */
import { type Notes, type People, type Service, type Urls, headersFor } from "./notes.ts";

type Question = readonly [service: Service, as: "admin" | "buyer", path: string];

const history = (query: string): string => `/api/servers/web-1/history?${query}`;
const questions: readonly Question[] = [
  ["monitor", "admin", "/api/admin/servers"],
  ["monitor", "admin", "/api/admin/settings"],
  ["monitor", "admin", "/api/admin/audit?limit=100"],
  ["monitor", "admin", history("metric=cpu.usagePercent&metric=memory.usedPercent")],
  ["monitor", "admin", history("metric=cpu.usagePercent&from={threeHoursAgo}")],
  ["monitor", "admin", "/api/servers/web-1/days"],
  ["monitor", "admin", "/api/admin/channels"],
  ["monitor", "admin", "/api/admin/alert-rules"],
  ["monitor", "admin", "/api/admin/incidents"],
  ["monitor", "admin", "/api/admin/maintenances"],
  ["monitor", "admin", "/api/admin/checks"],
  ["monitor", "admin", "/api/admin/status-pages"],
  ["monitor", "admin", "/api/admin/smtp"],
  ["monitor", "admin", "/api/admin/notices"],
  ["auth", "admin", "/api/admin/users"],
  ["auth", "admin", "/api/admin/clients"],
  ["auth", "admin", "/api/admin/groups"],
  ["auth", "admin", "/api/admin/roles"],
  ["auth", "admin", "/api/admin/resources"],
  ["auth", "admin", "/api/admin/settings/registration"],
  ["auth", "admin", "/api/admin/settings/checkin"],
  ["auth", "admin", "/api/admin/settings/invites"],
  ["auth", "admin", "/api/admin/settings/mail"],
  ["auth", "admin", "/api/admin/invites"],
  ["auth", "admin", "/api/admin/outbox"],
  ["auth", "admin", "/api/admin/audit"],
  ["auth", "admin", "/api/admin/audit/verify"],
  ["auth", "buyer", "/api/auth/me"],
  ["auth", "buyer", "/api/auth/profile"],
  ["auth", "buyer", "/api/auth/emails"],
  ["auth", "buyer", "/api/auth/security/events"],
  ["shop", "admin", "/api/admin/products"],
  ["shop", "admin", "/api/admin/orders"],
  ["shop", "admin", "/api/admin/orders/payments"],
  ["shop", "admin", "/api/admin/coupons"],
  ["shop", "admin", "/api/admin/licenses"],
  ["shop", "admin", "/api/admin/license-signing-keys"],
  ["shop", "admin", "/api/admin/subscriptions"],
  ["shop", "admin", "/api/admin/gift-cards"],
  ["shop", "admin", "/api/admin/gift-cards/liability"],
  ["shop", "admin", "/api/admin/reviews"],
  ["shop", "admin", "/api/admin/site"],
  ["shop", "admin", "/api/admin/smtp"],
  ["shop", "admin", "/api/admin/audit"],
  ["shop", "admin", "/api/admin/audit/verify"],
  ["shop", "admin", "/api/admin/chat/conversations"],
  ["shop", "buyer", "/api/chat/messages"],
  ["shop", "buyer", "/api/wishlist"],
  ["shop", "buyer", "/api/orders"],
];

/** Asks an older program all that it knows an answer to; what it has no route for is left out. */
export async function readNotes(
  urls: Urls,
  { commit, people }: { commit: string; people: People },
): Promise<Notes> {
  const answers: Notes["answers"] = [];
  const threeHoursAgo = String(Date.now() - 3 * 3_600_000);
  for (const [service, as, form] of questions) {
    // Longer ago than single reports are kept: the answer is made of spans.
    const path = form.replace("{threeHoursAgo}", threeHoursAgo);
    const url = urls[service];
    if (url === undefined || (as === "buyer" && people.buyerToken === undefined)) continue;
    const response = await fetch(`${url}${path}`, { headers: headersFor(as, people) });
    const body: unknown = await response.json();
    // 422: a parameter that it does not know.
    if (response.status === 404 || response.status === 422) continue;
    // Programs that kept single reports alone answered with those; later ones answer with spans.
    if (path !== form && JSON.stringify(body).includes('"tier":"raw"')) continue;
    if (!response.ok) throw new Error(`${service} ${path}: ${response.status} ${JSON.stringify(body)}`);
    answers.push({ service, as, path, body });
  }
  return { commit, notedAt: Date.now(), people, answers };
}
