import { isObject } from '@utensil/core';
import { ruleProblem } from '@utensil/core/guard';
import type { ListedRule } from '@utensil/core/guard';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Texts } from '../texts/texts.ts';
import { icon } from '../value/icons.ts';
import { shown } from '../value/shown.ts';
import { decisionOf, ruleSubject } from './rule-subject.ts';

/** State and actions of a row. */
export interface RuleRow {
  readonly listed: ListedRule;
  readonly texts: Texts;
  readonly isBusy: boolean;
  /** Absent if the rule has conditions that cannot be edited. */
  readonly edit: (() => void) | undefined;
  /** Absent if the rule belongs to someone else. */
  readonly remove: (() => void) | undefined;
}

/** Latest representable date, in milliseconds since 1970. */
const lastDay = 8.64e15;

/** Renders a rule: its decision, subject, owner and end. */
export function ruleRow({ listed, texts, isBusy, edit, remove }: RuleRow): TemplateResult {
  const { rule, layer, isExpired } = listed;
  const { rules: own } = texts;
  const about = ruleSubject(rule, own);
  const decision = decisionOf(rule);
  const isForOthersToEdit = remove !== undefined && edit === undefined;
  return html`<li class="rule ${isExpired ? 'over' : ''}" part="rule">
    <span class="decision ${decision}">${own.decisions[decision]}</span>
    <div class="words">
      <span class="subject" dir="auto">${shown(about)}</span>
      <div class="about">${[own.layers[layer], endOf(listed, texts)].filter(Boolean).join(' · ')}</div>
      ${problemOf(listed, own)} ${isForOthersToEdit ? html`<div class="about">${own.moreThanShown}</div>` : nothing}
    </div>
    ${edit === undefined ? nothing : button({ name: 'edit', label: own.editOf(about), text: own.edit, isBusy, press: edit })}
    ${
      remove === undefined
        ? nothing
        : button({ name: 'remove', label: own.removeOf(about), text: own.remove, isBusy, press: remove })
    }
  </li>`;
}

interface RowButton {
  readonly name: string;
  readonly label: string;
  readonly text: string;
  readonly isBusy: boolean;
  press(): void;
}

function button({ name, label, text, isBusy, press }: RowButton): TemplateResult {
  return html`<button class=${name} aria-label=${label} ?disabled=${isBusy} @click=${press}>${text}</button>`;
}

function endOf({ rule, isExpired }: ListedRule, { rules: texts, formats }: Texts): string {
  const expires: unknown = isObject(rule) ? rule.expires : undefined;
  if (typeof expires !== 'number' || !(Math.abs(expires) <= lastDay)) return '';
  return texts[isExpired ? 'ended' : 'ends'](formats.time(expires));
}

function problemOf({ rule, problem }: ListedRule, texts: Texts['rules']): TemplateResult | typeof nothing {
  if (problem === undefined) return nothing;
  const isReadable = ruleProblem(rule) === undefined; // so the seal is missing
  return html`<div class="problem">${icon('warning')} ${isReadable ? texts.unsealed : texts.unusable}</div>`;
}
