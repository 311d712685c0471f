/**
 * Reduces stack frames to positions: a frame's function objects belong to the sandbox, and code could use them to
 * impersonate it.
 */
export function guestCallSites(): void {
  const told = ['isNative', 'isConstructor', 'getFileName', 'getFunctionName', 'getLineNumber', 'getColumnNumber'];
  const errors = Error as { prepareStackTrace?: unknown };
  const { prepareStackTrace } = errors;
  errors.prepareStackTrace = (_: unknown, frames: unknown) => frames;
  const frames: unknown = new Error().stack;
  errors.prepareStackTrace = prepareStackTrace;
  if (!Array.isArray(frames)) return;
  const prototype: unknown = Object.getPrototypeOf(frames[0]);
  if (prototype === null || typeof prototype !== 'object') return;
  for (const name of Reflect.ownKeys(prototype))
    if (typeof name === 'string' && !told.includes(name)) Reflect.deleteProperty(prototype, name);
}
