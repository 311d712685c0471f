import { hasShape, isNumber, isText } from '../base/shape.ts';
import { listOf } from './stored-list.ts';
import { settingsOfName } from './settings.ts';
import type { SealedGrant } from './sealed.ts';
import type { Settings } from './settings.ts';

/** Readable grants of a tool, under its current name. */
export function grantsOf(settings: Settings, name: string): readonly SealedGrant[] {
  return listOf(settingsOfName(settings, name).grants).filter(isGrant);
}

/** All readable grants with the names of their tools: for a list in which users revoke them. */
export function allGrants(settings: Settings): readonly (readonly [name: string, grant: SealedGrant])[] {
  return Object.keys(settings.tools).flatMap((name) =>
    grantsOf(settings, name).map((grant): [string, SealedGrant] => [name, grant]),
  );
}

/** Settings with a grant added. It replaces one with the same tool, scope and user. */
export function withGrant(settings: Settings, name: string, grant: SealedGrant): Settings {
  const { grants, ...rest } = settingsOfName(settings, name);
  const others = listOf(grants).filter((each) => !isGrant(each) || !isSameSlot(each, grant));
  return withGrants(settings, name, { ...rest, grants: [...others, grant] as readonly SealedGrant[] });
}

/**
 * Settings without one grant of a tool, or without all of them: the tool is asked about again. The same object if there
 * is none.
 */
export function withoutGrant(settings: Settings, name: string, grant?: Pick<SealedGrant, 'seal'>): Settings {
  const { grants, ...rest } = settingsOfName(settings, name);
  const before = listOf(grants);
  const left = before.filter((each) => grant !== undefined && !(isGrant(each) && each.seal === grant.seal));
  if (left.length === before.length) return settings;
  return withGrants(settings, name, { ...rest, ...(left.length > 0 && { grants: left as readonly SealedGrant[] }) });
}

/** True if a stored value is a grant. Other programs may have stored anything. */
export function isGrant(stored: unknown): stored is SealedGrant {
  return hasShape(stored, { toolFingerprint: isText, expires: isNumber, seal: isText });
}

function isSameSlot(one: SealedGrant, other: SealedGrant): boolean {
  return (['toolFingerprint', 'scope', 'principal'] as const).every((member) => one[member] === other[member]);
}

function withGrants(settings: Settings, name: string, of: Settings['tools'][string]): Settings {
  const { [name]: _, ...others } = settings.tools;
  const isEmpty = Object.keys(of).length === 0;
  return { ...settings, tools: isEmpty ? others : { ...settings.tools, [name]: of } };
}
