import { createRegistry, emptySettings, resolveToolset, runTool } from '@utensil/core';
import type { Json, JsonObject, Tool } from '@utensil/core';
import { toolSuite } from '@utensil/core/testing';
import { expect, it, test } from 'vitest';
import { convertTimeTool, currentTimeTool, timeByEpochTool, timeRangeTool } from './index.ts';

const noon = Date.UTC(2026, 2, 4, 11, 0, 0);

/** Output of a tool at noon in Rome, for a user who lives there. */
async function say(tool: Tool, input: JsonObject, options: { readonly [id: string]: Json } = {}): Promise<Json> {
  const settings = { ...emptySettings, tools: { [tool.name]: { options: { timezone: 'Europe/Rome', ...options } } } };
  const toolset = resolveToolset(createRegistry([tool]), settings, {});
  const { signal } = new AbortController();
  const context = { projectId: 'p', runId: 'r', callId: 'c', signal, now: () => noon };
  return (await toolset.execute({ name: tool.name, input }, context)).output;
}

it('[S4-17] tells the time where the user is, or in another zone, with weekday, week and offset', async () => {
  expect(await say(currentTimeTool, {})).toEqual({
    iso: '2026-03-04T12:00:00+01:00',
    epochMs: noon,
    timezone: 'Europe/Rome',
    utcOffset: '+01:00',
    weekday: 'Wednesday',
    week: '2026-W10',
    dayOfYear: 63,
  });
  expect(await say(currentTimeTool, { timezone: 'utc-5:30' })).toMatchObject({ iso: '2026-03-04T05:30:00-05:30' });
  expect(await say(currentTimeTool, { timezone: 'asia/tokyo' })).toMatchObject({ timezone: 'Asia/Tokyo' });
});

it('[S4-17] tells the date of a timestamp, in seconds or milliseconds', async () => {
  for (const epoch of [noon, noon / 1000])
    expect(await say(timeByEpochTool, { epoch })).toMatchObject({ iso: '2026-03-04T12:00:00+01:00' });
  expect(await say(timeByEpochTool, { epoch: -1 })).toMatchObject({ iso: '1970-01-01T00:59:59+01:00' });
  expect(await say(timeByEpochTool, { epoch: 1e300 })).toContain('is out of the range of dates');
});

it('[S4-17] tells where a range in words begins and ends', async () => {
  expect(await say(timeRangeTool, { range: 'last week' })).toMatchObject({
    start: '2026-02-23T00:00:00+01:00',
    end: '2026-03-02T00:00:00+01:00',
    startMs: Date.UTC(2026, 1, 22, 23),
    endMs: Date.UTC(2026, 2, 1, 23),
  });
  expect(await say(timeRangeTool, { range: 'this week' }, { weekStart: 'sunday' })).toMatchObject({
    start: '2026-03-01T00:00:00+01:00',
  });
  expect(await say(timeRangeTool, { range: 'whenever' })).toContain('is not a known range of time');
});

it('[S4-17] converts a time between zones, and says what the clocks did', async () => {
  expect(await say(convertTimeTool, { time: '9:30', from: 'America/New_York', to: 'Asia/Tokyo' })).toMatchObject({
    from: { iso: '2026-03-04T09:30:00-05:00' },
    to: { iso: '2026-03-04T23:30:00+09:00' },
    text: 'Wednesday 2026-03-04T23:30:00+09:00',
  });
  expect(await say(convertTimeTool, { time: '2026-03-29T02:30', to: 'UTC' })).toMatchObject({
    note: '02:30:00 did not exist in Europe/Rome that day: the clocks went forward.',
  });
  expect(await say(convertTimeTool, { time: '2026-10-25 02:30', to: 'UTC' })).toMatchObject({
    to: { iso: '2026-10-25T00:30:00+00:00' },
    note: '02:30:00 occurred twice in Europe/Rome that day: this is the first one, the second is Sunday 2026-10-25T02:30:00+01:00.',
  });
  expect(await say(convertTimeTool, { time: 'noon', to: 'UTC' })).toContain('"noon" is not a time');
});

it.each(['Mars/Olympus', 'EST5', '+25:00', 'my place'])('refuses the zone %j', async (timezone) => {
  expect(await say(currentTimeTool, { timezone })).toContain(`There is no time zone "${timezone}"`);
});

it('is where this machine is, unless somebody says where', async () => {
  const { output } = await runTool(currentTimeTool, {});
  expect(output).toMatchObject({ timezone: Intl.DateTimeFormat().resolvedOptions().timeZone });
});

for (const [tool, input] of [
  [currentTimeTool, {}],
  [timeByEpochTool, { epoch: 0 }],
  [timeRangeTool, { range: 'today' }],
  [convertTimeTool, { time: '12:00', to: 'UTC' }],
] as const)
  toolSuite({ test }, tool, { examples: [input] });
