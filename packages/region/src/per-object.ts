/**
 * Computes a value once for each object and returns the same value afterwards, so that frequent reads neither compute
 * nor validate it again.
 *
 * @example const presentImages = perObject((images: readonly Image[]) => Object.freeze(images.map(presentImage)));
 */
export function perObject<Of extends object, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const known = new WeakMap<Of, { readonly made: Made }>();
  return (of) => {
    const before = known.get(of);
    if (before) return before.made;
    const made = make(of);
    known.set(of, { made });
    return made;
  };
}
