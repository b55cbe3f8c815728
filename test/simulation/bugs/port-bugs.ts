/** Planted bugs of the runtime's kind: agents, trees, checks, budgets. Each is a small wrapper around a port. */
import type { Agent } from "../../../src/runtime/ports-agent.ts";
import type { Workspace } from "../../../src/runtime/ports-workspace.ts";
import type { Ports } from "../../../src/runtime/ports.ts";
import type { Sabotage } from "../world/sabotage.ts";

const withPorts = (change: (ports: Ports) => Partial<Ports>): Sabotage => ({
  ports: (ports) => ({ ...ports, ...change(ports) }),
});

const withAgent = (change: (agent: Agent) => Agent): Sabotage =>
  withPorts(({ agent: find }) => ({
    agent: (name) => {
      const agent = find(name);
      return agent === undefined ? undefined : change(agent);
    },
  }));

const withWorkspace = (change: (workspace: Workspace) => Partial<Workspace>): Sabotage =>
  withPorts(({ workspace }) => ({ workspace: { ...workspace, ...change(workspace) } }));

export const PORT_BUGS = {
  "forgotten-proof-of-death": withPorts(() => ({ proveDead: async () => [] })),
  "survivors-ignored": withPorts(({ proveDead }) => ({
    proveDead: async (attemptId, identity) => {
      await proveDead(attemptId, identity);
      return [];
    },
  })),
  "released-before-recorded": withAgent((agent) => ({
    async start(request) {
      const started = await agent.start(request);
      if (started.ok) started.attempt.release();
      return started.ok
        ? { ok: true, attempt: { ...started.attempt, release: () => undefined } }
        : started;
    },
  })),
  "interrupt-ignored": withAgent((agent) => ({
    async start(request) {
      const started = await agent.start(request);
      return started.ok
        ? { ok: true, attempt: { ...started.attempt, stop: () => undefined } }
        : started;
    },
  })),
  "cap-ignored": withAgent((agent) => ({
    start: ({ limits: { totalMs: _, ...limits }, ...request }) =>
      agent.start({ ...request, limits }),
  })),
  "time-not-booked": withAgent((agent) => ({
    async start(request) {
      const started = await agent.start(request);
      if (!started.ok) return started;
      const result = started.attempt.result.then((ended) => ({
        ...ended,
        durations: { activeMs: 0, sleptMs: ended.durations.activeMs },
      }));
      return { ok: true, attempt: { ...started.attempt, result } };
    },
  })),
  "merge-without-checks": {
    ports: (ports) => ({
      ...ports,
      checker: {
        ...ports.checker,
        known: (tree, checks, baseline, cold) =>
          ports.checker.known(tree, checks, baseline, cold) ?? { kind: "passed" },
      },
    }),
  },
  "checks-in-the-slot": {
    ports: (ports) => ({
      ...ports,
      checkTrees: {
        ...ports.checkTrees,
        lend: (ask, work) =>
          ports.checkTrees.lend(ask, (tree) => work({ ...tree, cwd: "slots/1" })),
      },
    }),
  },
  "tree-not-kept": withWorkspace((workspace) => ({
    finish: async (place) => {
      const mark = await workspace.mark(place);
      const value = {
        treeBefore: mark,
        treeAfter: mark,
        changedLines: 0,
        files: [],
        protectedFiles: [],
      };
      return { ok: true, value };
    },
  })),
  "tree-not-given-back": withPorts(({ standingTrees }) => ({
    standingTrees: { ...standingTrees, slots: async () => [] },
  })),
  "forgotten-publish": withWorkspace(() => ({
    publish: async () => ({ ok: true, value: { branch: "unstuck/none", commit: "none" } }),
  })),
  "no-snapshot-before-rollback": {
    repository: (repository) => ({
      ...repository,
      snapshot: (label, tree) =>
        label.startsWith("rescue/") ? tree : repository.snapshot(label, tree),
    }),
  },
} satisfies Record<string, Sabotage>;
