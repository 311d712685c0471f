import { hasShape, isNumber, isText } from '../base/shape.ts';
import { settingsOfName } from './settings.ts';
import type { Settings } from './settings.ts';
import type { SealedPin } from './sealed.ts';

/** The version of a tool that is kept, if it can be read. Other programs may have stored anything. */
export function pinOf(settings: Settings, name: string): SealedPin | undefined {
  const { pin } = settingsOfName(settings, name);
  return isPin(pin) ? pin : undefined;
}

/** All versions that are kept, with the names of their tools. */
export function allPins(settings: Settings): readonly (readonly [name: string, pin: SealedPin])[] {
  return Object.keys(settings.tools).flatMap((name) => {
    const pin = pinOf(settings, name);
    return pin === undefined ? [] : [[name, pin] as const];
  });
}

/** Settings with the versions of some tools. */
export function withPins(settings: Settings, pins: Readonly<Record<string, SealedPin>>): Settings {
  const changed = Object.entries(pins).map(([name, pin]) => [name, { ...settingsOfName(settings, name), pin }]);
  return { ...settings, tools: { ...settings.tools, ...Object.fromEntries(changed) } };
}

function isPin(stored: unknown): stored is SealedPin {
  return hasShape(stored, { toolFingerprint: isText, time: isNumber, seal: isText });
}
