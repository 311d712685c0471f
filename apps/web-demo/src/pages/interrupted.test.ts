import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { chooseServer, say, serveModel } from '../test-kit/model-server.ts';
import type { ModelServer } from '../test-kit/model-server.ts';

const slow =
  "await fs.writeFile('/out.txt', 'done'); await new Promise((then) => setTimeout(then, 4_000)); return 'end';";

async function interruptedScript(): Promise<{
  readonly page: Awaited<ReturnType<typeof openApp>>;
  readonly model: ModelServer;
}> {
  const model = await serveModel([{ calls: [{ name: 'javascript', input: { code: slow } }] }, { text: 'I see.' }]);
  const page = await openApp();
  await chooseServer(page.page, model);
  await say(page.page, 'Run it');
  const begun = page.page.waitForEvent('worker'); // the sandbox's: by then it is stored that the call has begun
  await page.page.getByRole('button', { name: 'Allow once' }).click();
  await begun;
  await page.page.reload();
  await page.page.getByRole('button', { name: 'Continue' }).click();
  return { page, model };
}

it('runs a script again after a reload in the middle of it, if it had changed nothing yet', async () => {
  const { page, model } = await interruptedScript();
  await page.page.getByText('I see.', { exact: true }).waitFor();
  expect(model.requests).toHaveLength(2);
  const messages = model.requests[1]?.body.messages ?? [];
  expect(messages.slice(-2).map(({ role }) => role)).toEqual(['assistant', 'tool']);
  expect(JSON.stringify(messages.at(-1))).toContain('end');
  expect(page.faults).toEqual([]);
});
