import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PublicServer } from "../../src/monitor/fleet/view-schema.ts";
import {
  type Criteria,
  formatCriteria,
  isFiltered,
  parseCriteria,
  sortKeys,
  startsDescending,
  withoutFilter,
} from "../../src/web/fleet/criteria.ts";
import { type Facets, toFacets } from "../../src/web/fleet/facets.ts";
import { type Section, toSections } from "../../src/web/fleet/selection.ts";
import { summarise } from "../../src/web/fleet/summary.ts";
import { makeLatest, makeServer } from "./public-server.ts";

const options = {
  toCountry: (region: string): string => (region === "DE" ? "Germany" : ""),
  findUptime: (id: string): number | undefined => ({ a: 0.9, b: 1 })[id],
};

function withCpu(id: string, usagePercent: number, more: Partial<PublicServer> = {}): PublicServer {
  return makeServer(id, { latest: makeLatest({ cpu: { usagePercent } }), ...more });
}

function facetsOf(servers: readonly PublicServer[], search: string): Facets {
  return toFacets(servers, { criteria: parseCriteria(search), options });
}

function select(servers: readonly PublicServer[], search: string): readonly Section[] {
  const { found } = facetsOf(servers, search);
  return toSections(found, { criteria: parseCriteria(search), options });
}

function ids(servers: readonly PublicServer[], search: string): string[] {
  return select(servers, search).flatMap((section) => section.servers.map(({ id }) => id));
}

describe("startsDescending", () => {
  it("puts the worst first, and names and the display order at their beginning", () => {
    assert.deepEqual(
      sortKeys.filter((key) => !startsDescending(key)),
      ["order", "name", "state", "expiry", "uptime"],
    );
  });
});

describe("criteria in the address", () => {
  for (const search of [
    "view=grid",
    "view=list&group=Home+lab&tag=db&state=offline&q=a%26b+c&sort=-cpu",
    "view=uptime&group=",
    "view=grid&tag=db&tag=web",
  ]) {
    it(`reads and writes "${search}"`, () => {
      assert.equal(formatCriteria(parseCriteria(search)), search);
    });
  }

  it("leaves out what it does not know", () => {
    const { view, state, sort, descending } = parseCriteria("view=cube&state=asleep&sort=-colour");
    assert.deepEqual(
      { view, state, sort, descending },
      {
        view: "grid",
        state: undefined,
        sort: "order",
        descending: false,
      },
    );
  });

  it("takes the view that the reader chose last, unless the address names one", () => {
    assert.equal(parseCriteria("", "list").view, "list");
    assert.equal(parseCriteria("view=grid", "list").view, "grid");
    assert.equal(parseCriteria("", "cube").view, "grid");
  });

  it("clears the filter and keeps view and order", () => {
    const criteria = parseCriteria("view=list&group=x&q=y&sort=name");
    assert.equal(isFiltered(criteria), true);
    const cleared: Criteria = withoutFilter(criteria);
    assert.equal(isFiltered(cleared), false);
    assert.equal(formatCriteria(cleared), "view=list&sort=name");
  });
});

describe("selection of servers", () => {
  const servers = [
    withCpu("a", 5, { name: "web-10", group: "Prod", tags: ["public"], region: "DE", displayOrder: 1 }),
    withCpu("b", 90, { name: "web-2", group: "Lab", publicNote: "Behind a proxy", displayOrder: 2 }),
    withCpu("c", 99, { name: "db", group: "Prod", state: "offline", displayOrder: 3 }),
    makeServer("d", { name: "new", state: "never", displayOrder: 4, host: { platform: "debian" } }),
  ];

  it("finds by name, tag, country, note and system, without regard to case", () => {
    assert.deepEqual(ids(servers, "q=WEB"), ["a", "b"]);
    assert.deepEqual(ids(servers, "q=public"), ["a"]);
    assert.deepEqual(ids(servers, "q=germany"), ["a"]);
    assert.deepEqual(ids(servers, "q=proxy"), ["b"]);
    assert.deepEqual(ids(servers, "q=debian"), ["d"]);
  });

  it("wants every word", () => {
    assert.deepEqual(ids(servers, "q=web+lab"), ["b"]);
    assert.deepEqual(ids(servers, "q=web+nothing"), []);
  });

  it("filters by group, tag and state together", () => {
    assert.deepEqual(ids(servers, "group=Prod&state=offline"), ["c"]);
    assert.deepEqual(ids(servers, "group="), ["d"]);
    assert.deepEqual(ids(servers, "tag=public&state=offline"), []);
  });

  it("has a section a group in display order, in the order of their first server", () => {
    const sections = select(servers, "");
    assert.deepEqual(
      sections.map(({ group, servers: members }) => [group, members.map(({ id }) => id)]),
      [
        ["Prod", ["a", "c"]],
        ["Lab", ["b"]],
        ["", ["d"]],
      ],
    );
  });

  it("has no sections in another order, nor with one group", () => {
    assert.deepEqual(
      select(servers, "sort=name").map(({ group }) => group),
      [undefined],
    );
    assert.deepEqual(
      select(servers, "group=Prod").map(({ group }) => group),
      [undefined],
    );
  });

  it("sorts names as people do", () => {
    assert.deepEqual(ids(servers, "sort=name"), ["c", "d", "b", "a"]);
  });

  it("puts what is not known last in both directions; an offline server's load is not known", () => {
    assert.deepEqual(ids(servers, "sort=cpu"), ["a", "b", "c", "d"]);
    assert.deepEqual(ids(servers, "sort=-cpu"), ["b", "a", "c", "d"]);
  });

  it("sorts by state with trouble first, by uptime, by expiry", () => {
    assert.deepEqual(ids(servers, "sort=state"), ["c", "a", "b", "d"]);
    assert.deepEqual(ids(servers, "sort=uptime"), ["a", "b", "c", "d"]);
    const paid = [makeServer("x", { nextExpiryAt: 20 }), makeServer("y", { nextExpiryAt: 10 })];
    assert.deepEqual(ids(paid, "sort=expiry"), ["y", "x"]);
  });
});

describe("summary of the fleet", () => {
  it("counts states, adds the traffic of who is online, and names the worst", () => {
    const network = { rxBytesPerSecond: 100, txBytesPerSecond: 10 };
    const summary = summarise([
      makeServer("a", { latest: makeLatest({ network, cpu: { usagePercent: 5 } }) }),
      makeServer("b", { latest: makeLatest({ network, cpu: { usagePercent: 50 } }) }),
      makeServer("c", { state: "offline", latest: makeLatest({ network, cpu: { usagePercent: 99 } }) }),
    ]);
    assert.deepEqual(summary.byState, { online: 2, offline: 1, never: 0, disabled: 0 });
    assert.equal(summary.rxBytesPerSecond, 200);
    assert.deepEqual(summary.worstCpu, { id: "b", name: "b", percent: 50 });
    assert.equal(summary.worstMemory, undefined);
  });
});

describe("facets", () => {
  const servers = [
    makeServer("a", { group: "Z", tags: ["x"] }),
    makeServer("b", { group: "A", tags: ["y", "x"], state: "offline" }),
    makeServer("c", { group: "A", tags: ["y"] }),
    makeServer("d", {}),
  ];
  const inWords = (counted: Facets["tags"]): string =>
    counted.map(({ name, count }) => `${name} ${count}`).join(", ");

  it("count groups in the order of their first server, and tags by name", () => {
    const { groups, allGroups, tags } = facetsOf(servers, "");
    assert.equal(inWords(groups), "Z 1, A 2");
    assert.equal(allGroups, 4);
    assert.equal(inWords(tags), "x 2, y 2");
  });

  it("follow the rest of the filter, and keep the places of what leaves nothing", () => {
    const offline = facetsOf(servers, "state=offline");
    assert.equal(inWords(offline.groups), "Z 0, A 1");
    assert.equal(inWords(offline.tags), "x 1, y 1");
    const inZ = facetsOf(servers, "group=Z");
    assert.equal(inWords(inZ.groups), "Z 1, A 2");
    assert.equal(inWords(inZ.tags), "x 1, y 0");
  });

  it("want all tags that are chosen", () => {
    const both = facetsOf(servers, "tag=x&tag=y");
    assert.deepEqual(
      both.found.map(({ id }) => id),
      ["b"],
    );
    assert.equal(inWords(both.tags), "x 1, y 1");
  });

  it("speak of all states of what is in scope", () => {
    const { inScope } = facetsOf(servers, "group=A&state=offline");
    assert.deepEqual(
      inScope.map(({ id }) => id),
      ["b", "c"],
    );
  });
});
