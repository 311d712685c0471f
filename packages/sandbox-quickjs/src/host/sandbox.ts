import { messageForModel } from '@utensil/core';
import type { EngineName } from '../engine/engine.ts';
import type { Sandbox, SandboxLimits, Script, ScriptResult, ScriptStatus } from '../sandbox.ts';
import type { Job } from '../worker/protocol.ts';
import { longestText } from '../worker/crossing.ts';
import { abortedText } from '../worker/texts.ts';
import { drive, limitsOf } from './drive.ts';
import { laterFetch, laterFiles } from './later-functions.ts';
import type { Pool } from './pool.ts';
import { TooSlow } from './within-time.ts';

/** Parts of a sandbox. */
export interface SandboxParts {
  readonly engine: EngineName;
  readonly isolation: Sandbox['isolation'];
  readonly pool: Pool;
  readonly limits: SandboxLimits;
  /** Upper bounds for the limits of scripts. */
  readonly ceilings: Partial<SandboxLimits>;
  readonly graceMs: number;
}

/** Creates a sandbox on workers. */
export function createSandbox({ engine, isolation, pool, limits: defaults, ceilings, graceMs }: SandboxParts): Sandbox {
  const closed = new AbortController();

  async function run(script: Script, signal: AbortSignal): Promise<ScriptResult> {
    const limits = limitsOf(defaults, script.limits, ceilings);
    if (limits.memoryBytes < leastMemory) return failure('limit', tooLittle(limits.memoryBytes));
    const { code, libraries = [], modules = {}, hostFunctions = {}, readOnly = [], fetch } = script;
    const files =
      script.files &&
      laterFiles({
        files: script.files,
        readOnly,
        mostBytes: limits.hostCharacters,
        largestBytes: longestText(limits),
      });
    const names = Object.keys(hostFunctions);
    const wrong = names.find((name) => !functionName.test(name));
    if (wrong !== undefined) throw new Error(`a function of the host cannot be called "${wrong}"`);
    const parts = { withFiles: files !== undefined, withFetch: fetch !== undefined };
    const job: Job = { code, libraries, modules, ...parts, functions: names, limits };
    const functions = {
      ...hostFunctions,
      ...files?.functions,
      ...(fetch && { fetch: laterFetch(fetch, limits.hostCharacters) }),
    };

    let begun = 0;
    const thread = await pool.take({ signal, startMs: limits.wallMs, placed: () => (begun = performance.now()) });
    const { result, isClean } = await drive({
      startedMs: performance.now() - begun,
      thread,
      job,
      functions,
      signal,
      waits: pool.lend,
      graceMs,
    });
    if (isClean) pool.give(thread);
    else pool.drop(thread);
    if (result.status !== 'done') return result;
    try {
      await files?.keep();
      return result;
    } catch (error) {
      return { ...result, status: 'failed', text: `Error: ${messageForModel(error)}` };
    }
  }

  return {
    engine,
    isolation,
    async run(script) {
      const signal = AbortSignal.any(script.signal === undefined ? [closed.signal] : [closed.signal, script.signal]);
      try {
        return await run(script, signal);
      } catch (error) {
        if (signal.aborted) return failure('aborted', abortedText);
        if (error instanceof TooSlow)
          return failure('timeout', `Error: The sandbox could not be started: ${error.message}`);
        return failure('crashed', `Error: The sandbox could not be started: ${messageForModel(error)}`);
      }
    },
    close() {
      closed.abort();
      pool.close();
    },
  };
}

/** Dotted names. */
const functionName = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/;

/** In bytes. A script cannot start with less, because the prelude needs memory too. */
const leastMemory = 1024 * 1024;

function tooLittle(bytes: number): string {
  return `Error: ${bytes} bytes of memory are not enough for a script: set the limit memoryBytes to ${leastMemory} or more.`;
}

function failure(status: ScriptStatus, text: string): ScriptResult {
  return { status, text, console: [], consoleDropped: 0, stats: { workMs: 0, hostCalls: 0, memoryBytes: 0 } };
}
