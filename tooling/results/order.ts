import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { testGroups } from '../checks/checks.ts';

const projects = testGroups.flat();

/** Runs projects in the order in which they are listed: their names say nothing about what waits, and what takes long. */
export class OrderOfProjects extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files); // of one project, what took the longest comes first, or what is the largest
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ project }: TestSpecification): number {
  return projects.indexOf(project.name);
}
