/** What is made for an object once, and kept as long as the object is. */
export function kept<K extends object, V>(make: (of: K) => V): (of: K) => V {
  const all = new WeakMap<K, V>();
  return (of) => {
    if (!all.has(of)) all.set(of, make(of));
    return all.get(of) as V;
  };
}
