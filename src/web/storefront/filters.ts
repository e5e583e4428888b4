/** The filters of a list: on wide screens, a click elsewhere or Escape closes the values of an option. */

function close(facet: HTMLDetailsElement): void {
  if (matchMedia("(min-width: 48rem)").matches) facet.open = false;
}

export function prepareFilters(): void {
  const facets = [...document.querySelectorAll<HTMLDetailsElement>(".facet")];
  if (facets.length === 0) return;
  document.addEventListener("click", ({ target }) => {
    for (const facet of facets) if (target instanceof Node && !facet.contains(target)) close(facet);
  });
  document.addEventListener("keydown", ({ key }) => {
    const facet = key === "Escape" ? facets.find(({ open }) => open) : undefined;
    if (facet === undefined) return;
    close(facet);
    facet.querySelector("summary")?.focus();
  });
}
