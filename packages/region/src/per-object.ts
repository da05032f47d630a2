/**
 * Made once for each object and the same ever after, so that what is asked for over and over is neither made nor
 * checked again.
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
