/** @jsxImportSource hono/jsx */
/** A color beside its name. */
export function Swatch({ color }: { readonly color: string }) {
  return (
    <svg class="swatch" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <circle cx="10" cy="10" r="9" fill={color} />
    </svg>
  );
}
