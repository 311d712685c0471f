import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isForTerminal, terminalText } from './ansi.ts';

it('takes colours, movements, titles and links out of the output of a terminal', () => {
  expect(terminalText('\u001b[1;31mred\u001b[0m \u001b]0;title\u0007and \u001b[2Kplain')).toBe('red and plain');
  expect(terminalText('\u001b]8;;https://example.org\u001b\\link\u001b]8;;\u001b\\')).toBe('link');
});

it('shows a line as it was written last', () => {
  expect(terminalText('10%\r50%\r100%\r\ndone\b\b\b\b!')).toBe('100%\n!one');
});

it('leaves no sequence, whatever the text', () => {
  const unit = fc.constantFrom('\u001b', '[', ']', '0', ';', 'm', '\u0007', '\\', 'a', '\n');
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      fc.pre(!text.includes('\u001b\u001b'));
      expect(isForTerminal(terminalText(text))).toBe(false);
    }),
  );
});
