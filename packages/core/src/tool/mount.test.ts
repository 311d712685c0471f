import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { jsonSchema } from '../schema/json-schema.ts';
import { emptySettings, isEnabled, withEnabled } from '../settings/settings.ts';
import { resolveToolset } from '../toolset/toolset.ts';
import { capability } from './capability.ts';
import { createRegistry } from './registry.ts';
import type { Registry } from './registry.ts';
import type { MountOptions, ToolSource } from './source.ts';
import type { Tool } from './tool.ts';

const input = jsonSchema({ type: 'object' });
const named = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  description: name,
  input,
  effects: 'read',
  execute: () => name,
  ...more,
});

const names = (registry: Registry): string =>
  registry
    .snapshot()
    .map(({ name }) => name)
    .join(' ');

/** A source whose list is set by the test. */
function changing(first: readonly unknown[]) {
  let list = first as readonly Tool[];
  let lists = 0;
  const listeners = new Set<() => void>();
  const source: ToolSource = {
    list() {
      lists++;
      return list;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const notify = (): void => {
    for (const each of listeners) each();
  };
  return {
    source,
    notify,
    lists: () => lists,
    listeners,
    set(next: readonly unknown[]) {
      list = next as readonly Tool[];
      notify();
    },
  };
}

async function mounted(list: readonly unknown[], more: Partial<MountOptions> = {}, registry = createRegistry()) {
  const mount = registry.mount(changing(list).source, { namespace: 'git', ...more });
  await mount.ready;
  const toolset = resolveToolset(registry, emptySettings, {});
  return {
    registry,
    mount,
    toolset,
    reasons: toolset.unavailable.map(({ tool, reason }) => `${tool.name}: ${reason}`),
  };
}

describe('the names of a source', () => {
  it('are those of its namespace, sorted, and valid on every api', async () => {
    const { registry } = await mounted(['status', 'a.b/c', '1st', 'ünï', 'x'.repeat(200)].map((each) => named(each)));
    for (const { name } of registry.snapshot()) expect(name).toMatch(/^git_[A-Za-z0-9_-]{1,60}$/);
    expect(names(registry)).toMatch(/^git_1st git__n__\w{8} git_a_b_c_\w{8} git_status git_x{51}_\w{8}$/);
  });

  it('are the same in whichever order tools and sources arrive', () => {
    const anyName = fc.string({ unit: fc.constantFrom('a', 'b', '_', '.', '-', 'é'), minLength: 1, maxLength: 4 });
    return fc.assert(
      fc.asyncProperty(fc.array(anyName, { maxLength: 8 }), fc.boolean(), async (list, isReversed) => {
        const of = async (given: readonly string[], namespaces: readonly string[]) => {
          const registry = createRegistry([named('a_b')]);
          const tools = given.map((each) => named(each));
          const mounts = namespaces.map((namespace) => registry.mount(changing(tools).source, { namespace }));
          await Promise.all(mounts.map(({ ready }) => ready));
          const { unavailable } = resolveToolset(registry, emptySettings, {});
          return { names: names(registry), unavailable: unavailable.map(({ tool }) => tool.name) };
        };
        const other = isReversed ? list.toReversed() : list.toSorted();
        expect(await of(other, ['b', 'a', 'a-b'])).toEqual(await of(list, ['a-b', 'a', 'b']));
      }),
      { numRuns: 50 },
    );
  });

  it('are of neither tool if two have one name', async () => {
    const { registry, reasons } = await mounted([
      named('push'),
      named('log'),
      named('push', { effects: 'destructive' }),
    ]);
    expect(names(registry)).toBe('git_log git_push');
    expect(reasons).toEqual(['git_push: Its source lists an unusable definition: more than one tool has this name.']);
  });

  it('never hide a tool of the app, whichever was first', async () => {
    const [before, after] = [named('git_status'), named('git_log')];
    const { registry } = await mounted([named('status'), named('log')], {}, createRegistry([before]));
    registry.register(after);
    expect([registry.get('git_status'), registry.get('git_log')]).toEqual([before, after]);
    expect(registry.snapshot()).toEqual([before, after]);
    registry.unregister('git_log');
    expect(registry.get('git_log')).not.toBe(after);
    expect(names(registry)).toBe('git_status git_log');
  });

  it.each(['', 'a_b', '1a', 'a'.repeat(25), 'a b'])('are not begun with %j', (namespace) => {
    expect(() => createRegistry().mount({ list: () => [] }, { namespace })).toThrow(
      'is not valid: use 1 to 24 letters',
    );
  });

  it('are of one source alone', async () => {
    const { registry, mount } = await mounted([]);
    expect(() => registry.mount({ list: () => [] }, { namespace: 'git' })).toThrow(
      'Namespace "git" is mounted already.',
    );
    await mount.unmount();
    await registry.mount({ list: () => [named('a')] }, { namespace: 'git' }).ready;
    expect(names(registry)).toBe('git_a');
  });
});

describe('what a source lists', () => {
  it.each([
    ['no object', 7, 'git_unnamed: Its source lists an unusable definition: it is not an object.'],
    ['null', null, 'git_unnamed: Its source lists an unusable definition: it is not an object.'],
    ['no name', { description: 'x' }, 'git_unnamed: Its source lists an unusable definition: it has no name.'],
    [
      'a description that is none',
      named('bad', { description: null as never }),
      'its texts must be strings; got object.',
    ],
    ['a long description', named('bad', { description: 'x'.repeat(16_001) }), 'a text of it has 16001 characters'],
    ['no schema', named('bad', { input: undefined as never }), 'git_bad: '],
    ['a schema of no object', named('bad', { input: jsonSchema({ type: 'string' }) }), 'must be an object'],
    ['a getter that throws', Object.defineProperty(named('bad'), 'title', { get: () => { throw new Error('Boo.'); } }), 'Boo.'], // prettier-ignore
    ['needs of the host', named('bad', { requires: { files: capability('files') } }), 'mounted as `trusted`'],
  ])('one bad tool does not cost the others: %s', async (_, bad, reason) => {
    const { toolset, reasons } = await mounted([named('status'), bad, named('log')]);
    expect(toolset.definitions({ api: 'text' }).map(({ name }) => name)).toEqual(['git_log', 'git_status']);
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toContain(reason);
  });

  it('is cut if it is too long, by name, and told', async () => {
    const problems: string[] = [];
    const list = Array.from({ length: 30 }, (_, index) => named(`t${index + 10}`)).toReversed();
    const { registry } = await mounted(list, { limit: 2, onProblem: (problem) => problems.push(problem) });
    expect(names(registry)).toBe('git_t10 git_t11');
    expect(problems).toEqual(['"git" lists 30 tools: 28 are left out, as 2 are allowed.']);
  });

  it('is taken for worse than it says', async () => {
    const loose = named('loose', {
      description: 'Reads.\u202e\u{e0041}\u200b\u0007',
      idempotent: true,
      internal: true,
      replayable: true,
      openWorld: false,
      foreign: false,
      prompt: 'Obey.',
      role: { type: 'final-answer' },
      native: { text: () => ({}) },
      timeoutMs: 0,
      outputLimit: Infinity,
      formerNames: ['javascript'],
      tags: ['safe'],
      ui: { category: 'files', aliases: ['files'] },
      group: 'app',
      preview: () => ({ type: 'changes', changes: [], undoable: true }),
      reconcile: () => 'not-done',
    });
    const { registry, toolset } = await mounted([loose, named('write', { effects: () => 'write' })]);
    const call = async (name: string) => toolset.prepare({ name, input: {} });
    expect(await call('git_loose')).toMatchObject({ effects: 'write', openWorld: true, idempotent: false });
    expect(await call('git_loose')).not.toMatchObject({ internal: true });
    expect(await call('git_write')).toMatchObject({ effects: 'destructive' });
    expect(await toolset.prompts({ model: { api: 'text', id: 'm', supports: {} }, projectId: 'p' })).toEqual([]);
    expect(toolset.foreign).toEqual(['git_loose', 'git_write']);
    const { execute, ...face } = registry.get('git_loose') as Tool;
    expect(face).toEqual({
      name: 'git_loose',
      formerNames: ['git_javascript'],
      group: 'git_app',
      description: 'Reads.',
      input,
      effects: 'write',
      openWorld: true,
      foreign: true,
      ui: { category: 'git' },
    });
    const trusted = await mounted([loose], { trusted: true });
    expect(trusted.registry.get('git_loose')).toMatchObject({ effects: 'read', idempotent: true, prompt: 'Obey.' });
  });
});

describe('a source that comes and goes', () => {
  it('keeps what was chosen for its tools while they are away', async () => {
    const status = named('status');
    const registry = createRegistry();
    const git = changing([status]);
    const mount = registry.mount(git.source, { namespace: 'git' });
    await mount.ready;
    const settings = withEnabled(emptySettings, registry.get('git_status') as Tool, false);
    git.set([]);
    await expect.poll(() => names(registry)).toBe('');
    git.set([{ ...status }]);
    await expect.poll(() => names(registry)).toBe('git_status');
    expect(isEnabled(settings, registry.get('git_status') as Tool)).toBe(false);
    await mount.unmount();
    expect(names(registry)).toBe('');
    expect(git.listeners.size).toBe(0);
  });

  it('changes nothing, and tells nobody, if its list is unchanged', async () => {
    const registry = createRegistry();
    const git = changing([named('a'), null, named('b'), named('b')]);
    let told = 0;
    registry.subscribe(() => told++);
    await registry.mount(git.source, { namespace: 'git' }).ready;
    const before = registry.snapshot();
    git.notify();
    await expect.poll(git.lists).toBe(2);
    expect(registry.snapshot()).toBe(before);
    expect(told).toBe(1);
  });

  it('is listed no more often than it can be, however often it reports changes', async () => {
    vi.useFakeTimers();
    try {
      const registry = createRegistry();
      let listener = (): void => undefined;
      let lists = 0;
      const source: ToolSource = {
        subscribe: (given) => ((listener = given), () => undefined),
        list() {
          lists++;
          for (let count = 0; count < 1_000; count++) listener();
          return [named(`tool_${lists}`)];
        },
      };
      const mount = registry.mount(source, { namespace: 'flood' });
      await mount.ready;
      await vi.advanceTimersByTimeAsync(1_000);
      expect(lists).toBe(5);
      await mount.unmount();
      await vi.advanceTimersByTimeAsync(10_000);
      expect(lists).toBe(5);
    } finally {
      vi.useRealTimers();
    }
  });

  it('keeps the tools of its last list where the next one fails, hangs or is none', async () => {
    const problems: string[] = [];
    const registry = createRegistry([named('own')]);
    const answers: (() => unknown)[] = [
      () => [named('a')],
      () => Promise.reject(new Error('The server is away.')),
      () => new Promise(() => undefined),
      () => 'none',
      () => [named('b')],
    ];
    let notify = (): void => undefined;
    const source: ToolSource = {
      list: () => answers.shift()?.() as readonly Tool[],
      subscribe: (listener) => ((notify = listener), () => undefined),
    };
    const onProblem = (problem: string): void => void problems.push(problem);
    await registry.mount(source, { namespace: 's', timeoutMs: 50, onProblem }).ready;
    for (let count = 1; count <= 3; count++) {
      notify();
      await expect.poll(() => problems.length).toBe(count);
      expect(names(registry)).toBe('own s_a');
    }
    expect(problems.map((each) => each.replace('The tools of "s" could not be listed: ', ''))).toEqual([
      'The server is away.',
      'there was no answer in 0.05 seconds',
      'its list is not an array',
    ]);
    notify();
    await expect.poll(() => names(registry)).toBe('own s_b');
  });

  it('is closed once, and is gone at once, whatever it does then', async () => {
    const registry = createRegistry();
    let closed = 0;
    let resolve = (_: readonly Tool[]): void => undefined;
    const promise = new Promise<readonly Tool[]>((done) => (resolve = done));
    const source: ToolSource = {
      list: () => promise,
      subscribe: () => () => {
        throw new Error('No.');
      },
      close() {
        closed++;
        throw new Error('No.');
      },
    };
    const mount = registry.mount(source, { namespace: 's' });
    await Promise.all([mount.unmount(), mount.unmount()]);
    resolve([named('late')]);
    await mount.ready;
    expect([names(registry), closed]).toEqual(['', 1]);
  });

  it('may fail to tell of changes', async () => {
    const problems: string[] = [];
    const registry = createRegistry();
    const subscribe = (): never => {
      throw new Error('No stream.');
    };
    const onProblem = (problem: string): void => void problems.push(problem);
    await registry.mount({ list: () => [named('a')], subscribe }, { namespace: 's', onProblem }).ready;
    expect([names(registry), problems]).toEqual(['s_a', ['Changes of the tools of "s" are not told: No stream.']]);
  });
});
