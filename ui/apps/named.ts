type Shape = Readonly<Record<string, unknown>>;

/** Values by the names that something of the same shape has, in its order. */
export function named(shape: Shape, values: readonly unknown[]): Shape {
  return Object.fromEntries(Object.entries(shape).map(([name, like], at) => {
    const value = values[at];
    return [name, Array.isArray(value) ? named(like as Shape, value) : value];
  }));
}
