/** Replaces a property. Returns what brings the former one back. */
export function replaced(target: object, name: string | symbol, by: PropertyDescriptor): () => void {
  const was = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { configurable: true, ...('value' in by && { writable: true }), ...by });
  return () => void (was ? Object.defineProperty(target, name, was) : Reflect.deleteProperty(target, name));
}
