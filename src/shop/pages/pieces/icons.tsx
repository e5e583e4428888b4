/** @jsxImportSource hono/jsx */
/** Line icons of the storefront, 24 pixels wide. Each has its text beside it. */
import { raw } from "hono/html";

const paths = {
  account: '<circle cx="12" cy="8" r="3.5"/><path d="M5 20c.6-4 3.5-6 7-6s6.4 2 7 6"/>',
  cart: '<path d="M6 8h12l1 12H5L6 8Z"/><path d="M9 8V7a3 3 0 0 1 6 0v1"/>',
  search: '<circle cx="11" cy="11" r="6"/><path d="m20 20-4.5-4.5"/>',
  filter:
    '<path d="M4 7h10M18 7h2M4 17h2M10 17h10"/><circle cx="16" cy="7" r="2"/><circle cx="8" cy="17" r="2"/>',
  truck:
    '<path d="M3 6h11v11H3zM14 10h4l3 3v4h-7z"/><circle cx="7.5" cy="17.5" r="1.5"/><circle cx="17.5" cy="17.5" r="1.5"/>',
  return: '<path d="M8 5 4 9l4 4"/><path d="M4 9h10a5 5 0 0 1 0 10H8"/>',
  shield: '<path d="M12 3 5 6v5c0 5 3 8 7 10 4-2 7-5 7-10V6l-7-3Z"/><path d="m9 12 2 2 4-4"/>',
  heart: '<path d="M12 20S4 15.5 4 9.500A4 4 0 0 1 12 8a4 4 0 0 1 8 1.500C20 15.5 12 20 12 20Z"/>',
  leaf: '<path d="M5 19C4 10 9 5 20 4c0 10-4 15-11 15-2 0-3-1-3-1"/><path d="M4 21c2-6 5-9 10-11"/>',
  clock: '<circle cx="12" cy="12" r="8.5"/><path d="M12 7v5l3.5 2"/>',
  chat: '<path d="M4 5h16v11H10l-4 4v-4H4z"/>',
} as const;
export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return raw(
    `<svg class="icon" viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths[name]}</svg>`,
  );
}
