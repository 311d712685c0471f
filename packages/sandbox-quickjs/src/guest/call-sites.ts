/** Lets the frames of a stack tell places alone: functions of the sandbox, got from them, would speak to the host in its name. */
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
