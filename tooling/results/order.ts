import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { testGroups } from '../checks/checks.ts';

const projects = testGroups.flat();

/** Runs projects in the order in which they are listed. */
export class OrderOfProjects extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files); // within a project, the slowest files first; without a record, the largest
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ project }: TestSpecification): number {
  return projects.indexOf(project.name);
}
