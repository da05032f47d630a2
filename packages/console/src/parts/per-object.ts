/** Derives a value once for each object. Objects of a live list are replaced when they change, and never modified. */
export function perObject<Item extends object, Value>(derive: (item: Item) => Value): (item: Item) => Value {
  const known = new WeakMap<Item, { readonly value: Value }>();
  return (item) => {
    const found = known.get(item);
    if (found) return found.value;
    const value = derive(item);
    known.set(item, { value });
    return value;
  };
}
