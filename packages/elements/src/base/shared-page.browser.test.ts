import { expect, it } from 'vitest';
import { pageAttributes, pageContents, restorePage } from '../../../../tooling/elements/page-contents.ts';
import { provideTexts } from '../texts/provide.ts';

it('what a file of tests leaves in the page is found, and taken away for the next', () => {
  const [before, attributes] = [pageContents(), pageAttributes()];
  document.documentElement.dir = 'rtl';
  document.body.style.color = 'red';
  document.body.append(document.createElement('input'));
  const policy = Object.assign(document.createElement('meta'), { name: 'description', content: 'of a test' });
  document.head.append(policy);
  const stop = provideTexts(document, { thread: { empty: 'Nothing' } });
  expect(pageContents().filter((part) => !before.includes(part))).toEqual([
    'html dir="rtl"',
    'body style="color: red;"',
    '<input>',
    '<meta name="description" content="of a test">',
    'texts that are provided to all elements',
  ]);
  stop();
  policy.remove();
  restorePage(attributes);
  expect(pageContents()).toEqual(before);
});
