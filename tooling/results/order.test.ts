import { expect, test } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { OrderOfProjects } from './order.ts';
import { testGroups } from '../checks/checks.ts';

test('projects run in the order in which the groups list them, and in each what took the longest is first', async () => {
  const durations: Readonly<Record<string, number>> = { a: 1, b: 3, c: 2 };
  const specification = (project: string, moduleId: string): unknown => ({
    project: { name: project, config: { isolate: true, sequence: { groupOrder: 0 } } },
    moduleId,
  });
  const projects = testGroups.flat();
  const files = projects
    .toSorted()
    .flatMap((project) => Object.keys(durations).map((id) => specification(project, id)));
  const cache = {
    getTestSpecificationResult: ({ moduleId }: TestSpecification) => ({ failed: false, duration: durations[moduleId] }),
  };
  const order = new OrderOfProjects({ cache } as unknown as Vitest);
  const sorted = await order.sort(files as TestSpecification[]);
  const names = sorted.map(({ project, moduleId }) => `${project.name} ${moduleId}`);
  expect(names).toEqual(projects.flatMap((project) => ['b', 'c', 'a'].map((id) => `${project} ${id}`)));
});
