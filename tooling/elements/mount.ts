import axe from 'axe-core';
import { onTestFinished } from 'vitest';

/** Adds an element to the page until the end of the test. */
export async function mount<Element extends HTMLElement & { readonly updateComplete: Promise<unknown> }>(
  Kind: new () => Element,
  properties: Partial<Element>,
): Promise<Element> {
  const element = Object.assign(new Kind(), properties);
  document.body.append(element);
  onTestFinished(() => element.remove());
  await element.updateComplete;
  return element;
}

/** Violations found by axe in the page or below an element, one line each. */
export async function accessibilityProblems(context: Element | Document = document): Promise<readonly string[]> {
  // rules about whole pages do not apply to an element
  const { violations } = await axe.run(context, {
    resultTypes: ['violations'], // describing passed rules takes long
    rules: { region: { enabled: false }, 'page-has-heading-one': { enabled: false } },
  });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}
