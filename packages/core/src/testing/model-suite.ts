import { assert } from './assert.ts';
import type { Test } from './assert.ts';
import type { ModelAnswer } from './model-answer.ts';
import { failureCases } from './model-failure-cases.ts';
import { apiKey } from './model-kit.ts';
import type { ModelCase, ModelSetup, OpenModel, OpenStage } from './model-kit.ts';
import { requestCases } from './model-request-cases.ts';
import { streamCases } from './model-stream-cases.ts';

/** A simulated vendor: a server that speaks its wire format, and refuses what the vendor refuses. */
export interface ModelBackend {
  /**
   * Opens a model of a server. `answer` is called with the parsed body of each acceptable request; it throws if the
   * test expects no more requests.
   */
  open(answer: (request: unknown) => ModelAnswer, setup: ModelSetup): Promise<OpenModel>;
  /** Names of the tools that a request declares, in order. */
  toolNames(request: unknown): readonly string[];
}

const cases = { ...streamCases, ...failureCases, ...requestCases };

/** Name of a test of {@link modelSuite}. */
export type ModelCaseName = keyof typeof cases;

/** Names of the tests that {@link modelSuite} registers. */
export const modelCases = Object.keys(cases) as readonly ModelCaseName[];

/** Options of {@link modelSuite}. */
export interface ModelSuiteOptions {
  /**
   * Tests to skip because the vendor cannot pass them, each with a reason in a sentence. A test that passes must not be
   * skipped.
   */
  readonly skip?: Partial<Record<ModelCaseName, string>>;
}

/**
 * Registers the tests that every model must pass: requests, streams, failures and aborts.
 *
 * `docs/write-a-model.md` has a complete adapter with its server and this test.
 *
 * @example
 * ```ts no-run
 * import type { Model } from '@utensil/core';
 * import { type ModelAnswer, modelSuite } from '@utensil/core/testing';
 * import { test } from 'vitest';
 *
 * interface Server {
 *   readonly url: string;
 *   connections(): number;
 *   close(): Promise<void>;
 * }
 * declare function acme(id: string, options: { readonly baseURL: string; readonly apiKey: string }): Model; // yours
 * declare function serve(answer: (body: unknown) => ModelAnswer): Promise<Server>; // writes answers as the vendor does
 *
 * modelSuite(
 *   { test },
 *   () => ({
 *     toolNames: (body) => (body as { readonly tools: readonly { readonly name: string }[] }).tools.map(({ name }) => name),
 *     async open(answer, { apiKey }) {
 *       const { url, connections, close } = await serve(answer);
 *       return { model: acme('acme-large', { baseURL: url, apiKey }), connections, close };
 *     },
 *   }),
 *   { skip: { 'limits a turn to one call': 'The wire format has no switch for it.' } },
 * );
 * ```
 */
export function modelSuite(
  { test }: { readonly test: Test },
  make: () => ModelBackend | Promise<ModelBackend>,
  { skip = {} }: ModelSuiteOptions = {},
): void {
  for (const [name, reason] of Object.entries(skip)) {
    assert(name in cases, `modelSuite has no test '${name}' to skip.`);
    assert(reason.trim().split(/\s+/).length >= 3, `Say in a sentence why '${name}' is skipped.`);
  }
  for (const name of modelCases) {
    const reason = skip[name];
    if (reason === undefined) test(name, () => runCase(cases[name], make));
    else test(`leaves out '${name}': ${reason}`, () => assertFails(name, make));
  }
}

/** A skip is allowed only as long as the test fails. */
async function assertFails(name: ModelCaseName, make: () => ModelBackend | Promise<ModelBackend>): Promise<void> {
  const passed = await runCase(cases[name], make).then(
    () => true,
    () => false,
  );
  assert(!passed, `The model passes '${name}': leave it out no longer.`);
}

async function runCase(body: ModelCase, make: () => ModelBackend | Promise<ModelBackend>): Promise<void> {
  const backend = await make();
  const opened: OpenModel[] = [];
  const toolNames = (request: unknown): readonly string[] => backend.toolNames(request);
  const open: OpenStage = async (answers, setup) => {
    const requests: unknown[] = [];
    const answer = (request: unknown): ModelAnswer => {
      const next = answers[requests.length];
      requests.push(request);
      assert(next !== undefined, `There are ${answers.length} answers, and one more request.`);
      return typeof next === 'function' ? next(request) : next;
    };
    const { model, connections, close } = await backend.open(answer, { apiKey, ...setup });
    opened.push({ model, connections, close });
    return { model, connections, requests, toolNames: () => toolNames(requests.at(-1)) };
  };
  try {
    await body(open, toolNames);
  } finally {
    await Promise.all(opened.map(({ close }) => close()));
  }
}
