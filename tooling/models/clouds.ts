// Models on clouds: the mappers and readers of an API over the cloud's own SDK client.

import type { Api, Place } from './apis.ts';
import { type Result, type Results, resultsOf } from './results.ts';
import type { RunTest } from '../results/tests.ts';

export interface Cloud {
  readonly factory: string;
  /** Its entry. */
  readonly entry: string;
  readonly vendor: string;
  /** Factory of its API. */
  readonly like: string;
  readonly place: Place;
}

export const clouds: readonly Cloud[] = [
  {
    factory: 'azure',
    entry: '@utensil/provider-openai/azure',
    vendor: 'GPT on Azure, over Responses',
    like: 'openai',
    place: { file: 'packages/provider-openai/src/azure/model-suite.test.ts', block: 'azure' },
  },
  {
    factory: 'azureChat',
    entry: '@utensil/provider-openai/azure',
    vendor: 'models on Azure, over Chat Completions',
    like: 'openaiChat',
    place: { file: 'packages/provider-openai/src/azure/model-suite.test.ts', block: 'azureChat' },
  },
  {
    factory: 'anthropicBedrock',
    entry: '@utensil/provider-anthropic/bedrock',
    vendor: 'Claude on Amazon Bedrock',
    like: 'anthropic',
    place: { file: 'packages/provider-anthropic/src/bedrock/model-suite.test.ts' },
  },
  {
    factory: 'anthropicVertex',
    entry: '@utensil/provider-anthropic/vertex',
    vendor: 'Claude on Vertex AI',
    like: 'anthropic',
    place: { file: 'packages/provider-anthropic/src/vertex/model-suite.test.ts' },
  },
  {
    factory: 'googleVertex',
    entry: '@utensil/provider-google/vertex',
    vendor: 'Gemini on Vertex AI',
    like: 'google',
    place: { file: 'packages/provider-google/src/suite.test.ts', block: 'googleVertex' },
  },
];

/** A cloud, with the results of the suite there. */
export interface CloudResults {
  readonly cloud: Cloud;
  readonly results: ReadonlyMap<string, Result | undefined>;
}

/** Tests that the suite of each cloud's API has. */
export function cloudResults(
  all: readonly Cloud[],
  { apis, tests }: { readonly apis: readonly Api[]; readonly tests: readonly RunTest[] },
): readonly CloudResults[] {
  return all.map((cloud) => {
    const api = apis.find(({ factory }) => factory === cloud.like);
    const suite = api === undefined ? new Map() : resultsAt(api, api.places.slice(0, 1), tests);
    const own = api === undefined ? new Map() : resultsAt(api, [cloud.place], tests);
    return { cloud, results: new Map([...suite.keys()].map((title) => [title, own.get(title)])) };
  });
}

function resultsAt(api: Api, places: readonly Place[], tests: readonly RunTest[]): Results {
  const [results = new Map()] = resultsOf([{ ...api, places }], tests);
  return results;
}

/** Tests that failed on a cloud, or did not run there. */
export function cloudProblems(all: readonly CloudResults[]): readonly string[] {
  return all.flatMap(({ cloud: { factory, like }, results }) => {
    if (results.size === 0) return [`${factory}: there is no suite of ${like}, see tooling/models/clouds.ts`];
    return [...results].flatMap(([title, result]) => {
      if (result === undefined) return [`${factory}: '${title}' did not run`];
      return result === 'failed' ? [`${factory}: '${title}' failed`] : [];
    });
  });
}

/** One row per cloud. */
export function cloudRows(all: readonly CloudResults[]): readonly string[] {
  return all.map(({ cloud: { factory, entry, vendor, like }, results }) => {
    const passed = [...results.values()].filter((result) => result === 'passed').length;
    const reasons = new Set([...results.values()].flatMap((each) => (typeof each === 'object' ? [each.leftOut] : [])));
    return `| \`${factory}\` of \`${entry}\` | ${vendor} | \`${like}\` | ${passed} of ${results.size} | ${[...reasons].join(' ')} |`;
  });
}
