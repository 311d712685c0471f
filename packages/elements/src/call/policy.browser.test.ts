import { expect, it, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { accessibilityProblems } from '../../../../tooling/elements/mount.ts';
import { showEveryQuestion } from '../test-kit/every-question.ts';

it('can be read in the dark, at any width, in either direction', async () => {
  document.documentElement.style.colorScheme = 'dark';
  document.body.style.background = '#17181c';
  const elements = await showEveryQuestion();
  onTestFinished(() => {
    for (const element of elements) element.remove();
    for (const element of [document.documentElement, document.body]) element.removeAttribute('style');
    document.documentElement.removeAttribute('dir');
  });
  for (const element of elements) expect(await accessibilityProblems(element)).toEqual([]);
  await page.viewport(320, 640);
  for (const direction of ['ltr', 'rtl']) {
    document.documentElement.dir = direction;
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
  }
});

const policy =
  "require-trusted-types-for 'script'; trusted-types lit-html; style-src 'none'; img-src data:; object-src 'none'";

/** A page of its own, because a policy lasts as long as its page. */
const strictPage = `<!doctype html>
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <script>
    var violations = [];
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => violations.push(violatedDirective));
  </script>
  <script type="module">
    import { showEveryQuestion } from '${new URL('../test-kit/every-question.ts', import.meta.url).href}';
    await showEveryQuestion();
    document.title = 'shown';
  </script>`;

it('works if the page lets no script, style or image in', async () => {
  const frame = document.createElement('iframe');
  onTestFinished(() => frame.remove());
  Object.assign(frame, { title: 'strict', srcdoc: strictPage, width: 800, height: 600 });
  document.body.append(frame);
  const violations = (): unknown => (frame.contentWindow as unknown as { readonly violations: unknown }).violations;
  await expect.poll(() => frame.contentDocument?.title).toBe('shown');
  const inside = page.frameLocator(page.getByTitle('strict'));
  await inside.getByRole('button', { name: 'Show all', exact: false }).first().click();
  await inside.getByRole('searchbox').fill('x');
  expect(violations()).toEqual([]);
  const style = frame.contentDocument?.createElement('style') ?? '';
  frame.contentDocument?.body.append(Object.assign(style, { textContent: 'b {}' }));
  await expect.poll(violations).toEqual([expect.stringMatching(/^style-src/)]); // the policy holds
});
