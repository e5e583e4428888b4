import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PublicServer } from "../../src/monitor/fleet/view-schema.ts";
import {
  type Criteria,
  formatCriteria,
  isFiltered,
  listSortKeys,
  parseCriteria,
  sortKeys,
  startsDescending,
  withoutFilter,
} from "../../src/web/fleet/criteria.ts";
import { type Facets, toFacets } from "../../src/web/fleet/facets.ts";
import { type Section, toSections } from "../../src/web/fleet/selection.ts";
import { summarise } from "../../src/web/fleet/summary.ts";
import type { HomeItem } from "../../src/web/fleet/home-item.ts";
import { NOW, makeCheck, makeLatest, makeServer } from "./public-server.ts";

const options = {
  toCountry: (region: string): string => (region === "DE" ? "Germany" : ""),
  findUptime: ({ id }: HomeItem): number | undefined => ({ a: 0.9, b: 1, k: 0.5 })[id],
};

function withCpu(id: string, usagePercent: number, more: Partial<PublicServer> = {}): PublicServer {
  return makeServer(id, { latest: makeLatest({ cpu: { usagePercent } }), ...more });
}

function facetsOf(items: readonly HomeItem[], search: string): Facets {
  return toFacets(items, { criteria: parseCriteria(search), options });
}

function select(items: readonly HomeItem[], search: string): readonly Section[] {
  const { found } = facetsOf(items, search);
  return toSections(found, { criteria: parseCriteria(search), options });
}

function ids(items: readonly HomeItem[], search: string): string[] {
  return select(items, search).flatMap((section) => section.items.map(({ id }) => id));
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
    "view=list&show=checks&sort=-latency",
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

  it("takes what the reader chose last, unless the address names something else", () => {
    assert.equal(parseCriteria("", { view: "list" }).view, "list");
    assert.equal(parseCriteria("view=grid", { view: "list" }).view, "grid");
    assert.equal(parseCriteria("", { view: "cube" }).view, "grid");
    assert.equal(parseCriteria("", { show: "checks" }).show, "checks");
    assert.equal(parseCriteria("show=all", { show: "checks" }).show, "all");
    assert.equal(parseCriteria("view=grid", { show: "checks" }).show, "all");
    assert.equal(parseCriteria("show=cubes").show, "all");
  });

  it("offers the orders of what there is", () => {
    assert.deepEqual(listSortKeys({ servers: false, checks: true }), [
      "order",
      "name",
      "state",
      "uptime",
      "latency",
    ]);
    assert.ok(!listSortKeys({ servers: true, checks: false }).includes("latency"));
    assert.deepEqual(listSortKeys({ servers: true, checks: true }), sortKeys);
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
  const healthy = servers.map((server) =>
    server.id === "c" ? { ...server, state: "never" as const } : server,
  );

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
    const sections = select(healthy, "");
    assert.deepEqual(
      sections.map(({ group, items }) => [group, items.map(({ id }) => id)]),
      [
        ["Prod", ["a", "c"]],
        ["Lab", ["b"]],
        ["", ["d"]],
      ],
    );
  });

  it("has no sections in another order, nor with one group", () => {
    for (const search of ["sort=name", "group=Lab"])
      assert.deepEqual(
        select(servers, search).map(({ kind }) => kind),
        ["all"],
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

describe("selection of servers and checks", () => {
  const items = [
    makeServer("a", { group: "Prod" }),
    makeServer("b", { group: "Lab", state: "offline" }),
    makeServer("m", { group: "Lab", state: "offline", maintenanceUntil: NOW }),
    makeServer("r", { group: "Lab", reports: "rejected" }),
    makeCheck("k", { group: "Prod", tags: ["eu"], latencyMs: 80, address: "https://shop.example.org" }),
    makeCheck("l", { group: "Sites", state: "down", latencyMs: 20 }),
    makeCheck("p", { group: "Prod", state: "partial", kind: "heartbeat" }),
    makeCheck("q", { group: "Prod", state: "paused" }),
  ];
  const inWords = (search: string): string[] =>
    select(items, search).map(
      ({ kind, group, items: members, total, offline }) =>
        `${kind} ${group}: ${members.map(({ id }) => id).join("")} of ${total}, ${offline} offline`,
    );

  it("has what is broken first, across both, and then groups that hold both", () => {
    assert.deepEqual(inWords(""), [
      "broken : blpr of 4, 3 offline",
      "group Prod: akq of 4, 1 offline",
      "group Lab: m of 3, 2 offline",
    ]);
  });

  it("leaves what is broken in its group where the state is chosen", () => {
    assert.deepEqual(inWords("state=offline"), [
      "group Lab: bm of 2, 2 offline",
      "group Sites: l of 1, 1 offline",
      "group Prod: p of 1, 1 offline",
    ]);
  });

  it("searches and filters both alike", () => {
    assert.deepEqual(ids(items, "q=shop.example"), ["k"]);
    assert.deepEqual(ids(items, "q=heartbeat"), ["p"]);
    assert.deepEqual(ids(items, "tag=eu"), ["k"]);
    assert.deepEqual(ids(items, "state=disabled"), ["q"]);
    const { groups, allGroups } = facetsOf(items, "");
    assert.deepEqual(
      [allGroups, ...groups.map(({ name, count }) => `${name} ${count}`)],
      [8, "Prod 4", "Lab 3", "Sites 1"],
    );
  });

  it("sorts both together by what both have, and puts last what lacks the value", () => {
    assert.deepEqual(ids(items, "sort=uptime"), ["k", "a", "b", "m", "r", "l", "p", "q"]);
    assert.deepEqual(ids(items, "sort=-latency").slice(0, 2), ["k", "l"]);
    assert.deepEqual(ids(items, "sort=state").slice(0, 4), ["b", "m", "l", "p"]);
  });

  it("counts the states of both together", () => {
    const { byState, total, servers } = summarise(items);
    assert.deepEqual(byState, { online: 3, offline: 4, never: 0, disabled: 1 });
    assert.deepEqual([total, servers], [8, 4]);
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
